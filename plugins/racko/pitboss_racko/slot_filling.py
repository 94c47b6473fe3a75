"""Slot filling: the turns that it takes to fill the slots of a rack between cards that are kept.

Cards are the printed numbers, from 1. `below[card]` is the weight of all cards up to `card` that may still come; `pace`
is PACE times the weight of all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss_racko.rack import SLOTS

UNSEEN_WEIGHT: Final = 1.0  # of a card that nobody has seen
DISCARD_WEIGHT: Final = 0.4  # of a card in the discard pile, which is turned over one day
RACK_WEIGHT: Final = 0.1  # of a card that lies in a rack

# In turns, roughly. These numbers were found by playing variants against each other.
PACE: Final = 0.25  # the larger, the longer it takes to fill several slots from few cards
UNFILLABLE: Final = 50.0  # for a slot that no card can fill

# By slots between two cards that are kept: their number, and the fewest and the most turns that it takes to fill them.
# Not more cards can come than all cards; a little less, so that rounding does not matter.
GAPS: Final = tuple(
    (slots, slots + 0.999 * PACE * slots * slots, UNFILLABLE * slots) for slots in range(len(SLOTS) + 1)
)


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
        at = to
        for slots, fewest, most in GAPS[:to]:  # `gap_turns`, written out: searches spend their time here
            at -= 1
            if fewest >= best:
                break
            low = walls[at]
            if low < high and (turns := least[at]) + fewest < best:
                if slots:
                    coming = until - below[low]
                    gap = slots + pace * slots * slots / coming if high - low > slots and coming > 0 else most
                    turns += gap if gap < most else most
                if turns < best:
                    best = turns
        least.append(best)
    return least
