"""How many games were played in the last hour, as a curve: points of what was seen, cut to the hour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

HOUR_S: Final = 3600.0


class SeenCount(NamedTuple):
    """How many games had been played at a time, in seconds since 1970."""

    at: float
    games: int


def cut_hour(moments: Iterable[SeenCount], now: float) -> list[tuple[float, float]]:
    """Return the last hour as pairs of minutes ago, falling, and games played since its beginning.

    Between two moments the games came evenly. Empty if no game is known to have been played in that hour.
    """
    ordered = sorted(moment for moment in moments if moment.at <= now)
    began = now - HOUR_S
    inside = [moment for moment in ordered if moment.at > began]
    earlier = [moment for moment in ordered if moment.at <= began]
    if not inside:
        return []
    base = _count_at(earlier[-1], inside[0], began) if earlier else float(inside[0].games)
    points = [(HOUR_S / 60, 0.0)] if earlier else []
    points += [((now - moment.at) / 60, moment.games - base) for moment in inside]
    if points[-1][1] <= 0:
        return []
    points.append((0.0, points[-1][1]))
    return [(round(minutes, 2), round(games, 1)) for minutes, games in points]


def thin_moments(moments: Sequence[SeenCount], now: float, gap_s: float) -> list[SeenCount]:
    """Return the moments of the last hour, at least so far apart, with the last one and the one before the hour."""
    recent = [moment for moment in moments if moment.at > now - HOUR_S]
    before = [moment for moment in moments if moment.at <= now - HOUR_S][-1:]
    kept: list[SeenCount] = [*before]
    for moment in recent[:-1]:
        if not kept or moment.at - kept[-1].at >= gap_s:
            kept.append(moment)
    return [*kept, *recent[-1:]]


def _count_at(one: SeenCount, other: SeenCount, at: float) -> float:
    share = (at - one.at) / (other.at - one.at)
    return one.games + share * (other.games - one.games)
