"""Scoring: the result of a finished game for the tournament, forfeits considered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Annotated, ClassVar, Final, cast

from msgspec import Meta, Struct

from pitboss.foreign_input import LARGEST_NUMBER
from pitboss.outcome import Outcome, competition_places, spread_over_sides
from pitboss.records.record import Record
from pitboss_tournament.statistics.time_histogram import GameTimes, write_times

LARGEST_POINTS: Final = 1e15  # of a game: whole numbers are exact up to there, and sums of squares are finite

Points = Annotated[float, Meta(ge=-LARGEST_POINTS, le=LARGEST_POINTS)]
Count = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)]
Share = Annotated[float, Meta(ge=0, le=1)]


class SeatResult(Struct, frozen=True, array_like=True, gc=False):
    """Result of one seat in one game."""

    entrant: Count
    points: Points
    place: int
    win: Share  # share of the win, 0 to 1
    fault: str | None  # the kind of fault by which it forfeited
    substituted: dict[str, Count]  # by kind of fault: how many decisions the neutral action was played for
    decisions: Count
    think_us: Count
    think: GameTimes


class GameResult(Struct, frozen=True, array_like=True, gc=False):
    """Result of one game."""

    game_id: Count
    pairing: Count
    deal: Count
    rotation: Count
    seats: tuple[SeatResult, ...]
    lag: GameTimes = ""  # by how much the runner was late to read answers


class _SeatWithoutTimes(Struct, frozen=True, array_like=True, gc=False):
    """`SeatResult` without its times, which is more than half of the stored text."""

    entrant: Count
    points: Points
    place: int
    win: Share
    fault: str | None
    substituted: dict[str, Count]
    decisions: Count
    think_us: Count
    think: ClassVar[GameTimes] = ""


class _ResultWithoutTimes(Struct, frozen=True, array_like=True, gc=False):
    game_id: Count
    pairing: Count
    deal: Count
    rotation: Count
    seats: tuple[_SeatWithoutTimes, ...]
    lag: ClassVar[GameTimes] = ""


WITHOUT_TIMES: Final = cast("type[GameResult]", _ResultWithoutTimes)  # to decode stored results as: times are empty


def apply_forfeits(outcome: Outcome, forfeited: Collection[int]) -> Outcome:
    """Return the official outcome of a game in which these seats forfeited.

    Sides with a forfeited seat share the last place and get at most the points of the last side that did not forfeit.
    """
    lost = {side for side in outcome.sides if any(seat in forfeited for seat in side)}
    side_places = [outcome.places[side[0]] if side not in lost else len(outcome.places) + 1 for side in outcome.sides]
    points = list(outcome.points)
    kept = [side[0] for side in outcome.sides if side not in lost]
    if kept:
        last = max(kept, key=outcome.places.__getitem__)
        for seat in (seat for side in lost for seat in side):
            if outcome.places[seat] < outcome.places[last]:
                points[seat] = points[last]
    places = spread_over_sides(competition_places(side_places, lowest_wins=True), outcome.sides)
    return Outcome(tuple(points), places, outcome.sides)


def score_game(record: Record, entrants: tuple[int, ...]) -> tuple[SeatResult, ...]:
    """Return the result of each seat, by the official outcome."""
    outcome = apply_forfeits(record.outcome, record.forfeited_seats)
    faults = {fault.seat: fault.kind for fault in record.faults if fault.is_forfeit}
    wins = outcome.win_shares()
    times: list[list[int]] = [[] for _ in entrants]
    for decision in record.decisions:
        if not decision.forced:
            times[decision.seat].append(decision.us)
    results = []
    for seat, entrant in enumerate(entrants):
        own = times[seat]
        results.append(
            SeatResult(
                entrant=entrant,
                points=outcome.points[seat],
                place=outcome.places[seat],
                win=wins[seat],
                fault=faults.get(seat),
                substituted=dict(
                    Counter(fault.kind for fault in record.faults if fault.seat == seat and not fault.is_forfeit)
                ),
                decisions=len(own),
                think_us=sum(own),
                think=write_times(own),
            )
        )
    return tuple(results)
