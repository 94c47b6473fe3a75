"""Slot filling: the turns that it takes to fill the slots of a rack between cards that are kept.

Cards are the printed numbers, from 1. `below[card]` is the weight of all cards up to `card` that may still come; `pace`
is PACE times the weight of all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

UNSEEN_WEIGHT: Final = 1.0  # of a card that nobody has seen
DISCARD_WEIGHT: Final = 0.4  # of a card in the discard pile, which is turned over one day
RACK_WEIGHT: Final = 0.1  # of a card that lies in a rack

# In turns, roughly. These numbers were found by playing variants against each other.
PACE: Final = 0.25  # the larger, the longer it takes to fill several slots from few cards
UNFILLABLE: Final = 50.0  # for a slot that no card can fill


def gap_turns(slots: int, low: int, high: int, below: Sequence[float], pace: float) -> float:
    """Return the turns to fill neighbouring slots between the kept cards `low` and `high`."""
    if not slots:
        return 0.0
    coming = below[high - 1] - below[low]
    if high - low <= slots or coming <= 0:
        return UNFILLABLE * slots
    return min(UNFILLABLE * slots, slots + pace * slots * slots / coming)


def least_turns(walls: Sequence[int], below: Sequence[float], pace: float) -> list[float]:
    """Return by wall the fewest turns to fill all slots before it if its card is kept.

    `walls` are the cards of a rack between 0 and the highest card plus 1.
    """
    least = [0.0]
    for to in range(1, len(walls)):
        high, best = walls[to], UNFILLABLE * to
        until = below[high - 1]
        for at in range(to):
            low = walls[at]
            if low < high:
                slots, turns = to - at - 1, least[at]
                if slots:  # `gap_turns`, written out: searches spend their time here
                    coming = until - below[low]
                    is_open = high - low > slots and coming > 0
                    limit = UNFILLABLE * slots
                    turns += min(limit, slots + pace * slots * slots / coming) if is_open else limit
                if turns < best:
                    best = turns
        least.append(best)
    return least
