"""Who is in the lead, decision by decision, in recorded games: how often that changes, and when a game is decided.

Who leads is judged by the game's own `evaluate` where it has one, else by the points as if the game ended now. A game
that can tell neither has no leads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from pitboss.game import AnyGame, AnyState, Evaluable, outcome_so_far
from pitboss.outcome import Outcome
from pitboss.records.record import Record, replay_states
from pitboss_tournament.simulation.simulation import MeanInterval, estimate_mean, estimate_share


class LeadFigures(Struct, frozen=True, kw_only=True):
    """The lead in some games. A side that leads is alone in front; while sides are level the last leader counts."""

    games: int
    judged_by: Annotated[str, Meta(description='"evaluate", or "points" as if the game ended now.')]
    changes: Annotated[MeanInterval, Meta(description="How often the lead goes to another side, a game.")]
    decided: Annotated[
        MeanInterval,
        Meta(description="After which share of the decisions the winner leads without a break, 0 to 1."),
    ]
    halfway: Annotated[
        MeanInterval,
        Meta(description="Share of the win of who leads after half of the decisions; an even one if none."),
    ]


class GameLead(NamedTuple):
    """The lead in one game."""

    changes: int
    decided: float
    halfway: float


def measure_leads(records: Iterable[Record], game: AnyGame) -> LeadFigures | None:
    """Return the figures; None if there are no games, or the game cannot tell who leads."""
    found: list[GameLead] = []
    judged_by = "points"
    for record in records:
        leaders: list[int | None] = []
        for state in replay_states(record, game):
            judged_by = "evaluate" if isinstance(state, Evaluable) else "points"
            standing = _judge(state)
            if standing is None:
                return None
            leaders.append(find_leader(standing, record.outcome.sides))
        found.append(follow_lead(leaders, record.outcome))
    if not found:
        return None
    changes, decided, halfway = zip(*found, strict=True)
    return LeadFigures(
        games=len(found),
        judged_by=judged_by,
        changes=estimate_mean(changes),
        decided=estimate_mean(decided),
        halfway=estimate_share(halfway),
    )


def find_leader(points: Sequence[float], sides: Sequence[Sequence[int]]) -> int | None:
    """Return the side that is alone in front; None if some are level."""
    by_side = [points[side[0]] for side in sides]
    best = max(by_side)
    return by_side.index(best) if by_side.count(best) == 1 else None


def follow_lead(leaders: Sequence[int | None], outcome: Outcome) -> GameLead:
    """Return the figures of a game from the leading side before each decision and at the end."""
    known = [leader for leader in leaders if leader is not None]
    changes = sum(one != two for one, two in pairwise(known))
    shares = outcome.win_shares()
    winners = {number for number, side in enumerate(outcome.sides) if shares[side[0]]}
    decisions = max(1, len(leaders) - 1)
    behind = [number for number, leader in enumerate(leaders[:-1]) if leader not in winners]
    halfway = leaders[len(leaders) // 2]
    return GameLead(
        changes=changes,
        decided=(behind[-1] + 1) / decisions if behind else 0.0,
        halfway=1 / len(outcome.sides) if halfway is None else shares[outcome.sides[halfway][0]],
    )


def _judge(state: AnyState) -> Sequence[float] | None:
    """Return how well each seat stands, more being better; None if the game cannot tell before its end."""
    if isinstance(state, Evaluable) and state.turn is not None:
        return state.evaluate()
    outcome = outcome_so_far(state) if state.turn is not None else state.outcome()
    return None if outcome is None else outcome.signed_points()
