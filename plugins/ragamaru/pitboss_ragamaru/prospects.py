"""How well everybody stands in the middle of a game, for players who look ahead in any game: a quick guess, not the best one.

It reckons in turns: how many a hand takes to get rid of, and who has the next ones.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp
from typing import TYPE_CHECKING, Final

from pitboss_ragamaru.field import OF_NUMBER
from pitboss_ragamaru.strategy import DRAWN, Costs
from pitboss_ragamaru.threats import Attack

if TYPE_CHECKING:
    from pitboss_ragamaru.game import RagamaruState

TEMPO: Final = 0.8  # saved by who is on turn; the later the turn, the less
SUITED: Final = 0.6  # of the waiting, saved by who is not on turn and holds what fits the field as it is
LEAD: Final = 0.5  # how much a turn tells of who is placed before whom
OUT: Final = -6.0  # turns of who goes out now


def prospects(state: RagamaruState) -> list[float]:
    """Return by seat the points that its side may expect: for each other one as much as the chance to be placed before it, scaled as the game's points are."""
    seats, sides = state.board.seats, state.board.sides
    most, fits = state.options.max_same, state.top.fits
    turns = [
        turns_left(held, most, SUITED if held & fits else 0.0) + rests for held, rests in zip(state.held, state.sin, strict=True)
    ]
    if state.turn is not None:
        seat = state.turn.seat
        turns[seat] = _on_turn(state, state.held[seat])
        for later, other in enumerate((seat, *state.circle[seat][:-1])):
            turns[other] -= TEMPO * (seats - later) / seats
    best = [min(turns[seat] for seat in side) for side in sides]
    points = [sum(1 / (1 + exp(LEAD * (own - other))) for other in best) - 0.5 for own in best]
    expected = [0.0] * seats
    for side, share in zip(sides, points, strict=True):
        for member in side:
            expected[member] = share
    return expected


def _on_turn(state: RagamaruState, held: int) -> float:
    """Return how many turns a hand takes that is to be played from now: what it is attacked with, and what fits, is known."""
    threat, most, fits = state.pending, state.options.max_same, held & state.top.fits
    if isinstance(threat, Attack):
        return turns_left(held, most, 0.0) + DRAWN * threat.draw
    if threat is not None:
        return turns_left(held, most, 0.0) + threat.rests
    if fits and goes_out(held, most):
        return OUT
    return turns_left(held, most, 1.0) if fits else turns_left(held, most, 0.0) + DRAWN


def goes_out(held: int, most: int) -> bool:
    """Tell whether a hand is one play that may be the last one: equal numbers."""
    return held.bit_count() <= most and any(held & same == held for same in OF_NUMBER.values())


@lru_cache(1 << 15)
def turns_left(held: int, most: int, suited: float) -> float:
    """Return how many turns a hand takes, more or less; `most` equal cards go together. So much of the waiting for what fits is saved."""
    costs = Costs(most)
    return costs.reckoned(held) - suited * costs.waiting(held) if held else OUT
