"""Teams: the bots of a table in a cooperative game, where all seats are one side, and what each team has scored.

Nobody is placed before anybody there, so that no bot can be rated by its places. What tells teams apart is their points
on the same deals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from pitboss_tournament.statistics.blocks import complete_blocks
from pitboss_tournament.statistics.running_moments import Estimate, RunningMoments
from pitboss_tournament.statistics.scoring import GameResult


class TeamStanding(Struct, frozen=True, kw_only=True):
    """The bots of a table that play together, and their points."""

    bots: Annotated[tuple[str, ...], Meta(description="In the order in which they entered.")]
    blocks: Annotated[int, Meta(description="Complete ones: deals in all their rotations.")]
    points: Annotated[Estimate, Meta(description="A game.")]
    behind: Annotated[
        Estimate | None,
        Meta(
            description="The first team, in points on the deals that both have played; null: it is the first, or no "
            "deals are the same."
        ),
    ]


def rank_teams(
    results: Iterable[GameResult],
    names: Sequence[str],
    block_games: int | None = None,
    *,
    has_same_deals: bool = False,
    anytime: bool = False,
) -> list[TeamStanding]:
    """Return the teams of a cooperative game, most points first; only those with a complete block."""
    scored: dict[tuple[int, ...], dict[tuple[int, int], float]] = {}  # by team, by pairing and deal
    for block in complete_blocks(results, block_games):
        first = block[0]
        team = tuple(sorted(seat.entrant for seat in first.seats))
        points = sum(result.seats[0].points for result in block) / len(block)
        scored.setdefault(team, {})[0 if has_same_deals else first.pairing, first.deal] = points
    ranked = sorted(scored, key=lambda team: (-sum(scored[team].values()) / len(scored[team]), team))
    return [
        TeamStanding(
            bots=tuple(names[bot] for bot in team),
            blocks=len(scored[team]),
            points=_estimate(scored[team].values(), anytime=anytime),
            behind=_estimate_gap(scored[ranked[0]], scored[team], anytime=anytime) if number else None,
        )
        for number, team in enumerate(ranked)
    ]


def _estimate(values: Iterable[float], *, anytime: bool) -> Estimate:
    moments = RunningMoments()
    for value in values:
        moments.add(value)
    return moments.estimate(anytime=anytime)


def _estimate_gap(
    first: dict[tuple[int, int], float], team: dict[tuple[int, int], float], *, anytime: bool
) -> Estimate | None:
    gaps = [points - team[deal] for deal, points in first.items() if deal in team]
    return _estimate(gaps, anytime=anytime) if gaps else None
