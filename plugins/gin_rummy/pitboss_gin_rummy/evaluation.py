"""Evaluation of a state of Gin Rummy for search players: the totals, and who is nearer to a knock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss.parts.melds import mask_of
from pitboss_gin_rummy.state import DEADWOOD, GinRummyStateBase

SHARE: Final = 0.5  # of the difference of what is loose, that will be won on average


def evaluate_state(state: GinRummyStateBase) -> Sequence[float]:
    """Return by seat its total, and in a deal that is played a part of what it has fewer loose than the other."""
    worths = [float(total) for total in state.totals]
    if state.turn is not None:
        one, other = state.players
        first, second = (DEADWOOD.find_least(mask_of(state.table.zones[state.hands[seat]])) for seat in (one, other))
        worths[one] += SHARE * (second - first)
        worths[other] += SHARE * (first - second)
    return worths
