"""Evaluation of an Oh Hell state for search players: the expected totals after the deal, a fast heuristic."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pitboss.parts.suits import TrickOrder
from pitboss.parts.trick_estimate import chance_of_at_least, share_tricks
from pitboss_oh_hell.state import OhHellStateBase, count_player

SUIT_SIZE: Final = 13
TRUMP_WORTH: Final = 1.2
PLAIN_WORTHS: Final = [((rank + 2) / 14) ** 3 for rank in range(SUIT_SIZE)]
TRICK_DEVIATION: Final = 0.55  # of a player's tricks to come, by the square root of their number


def evaluate_state(state: OhHellStateBase) -> Sequence[float]:
    """Return by seat the expected total after this deal: bids are kept as far as strong cards take tricks."""
    if state.turn is None:
        return [float(total) for total in state.totals]
    won = state.tricks_won()
    left = state.hand_size - sum(won)
    to_come = share_tricks(state, worths_of(state.order), state.hands, left)
    expected = []
    for seat, total in enumerate(state.totals):
        mean = won[seat] + to_come[seat]
        bid = state.auction.call_of(seat)
        aim = round(mean) if bid is None else bid
        at_least, more = (chance_of_at_least(tricks, mean, left, TRICK_DEVIATION) for tricks in (aim, aim + 1))
        kept = at_least - more
        missed = count_player(aim, aim + 1, state.options)
        expected.append(total + kept * count_player(aim, aim, state.options) + (1 - kept) * missed)
    return expected


@lru_cache(maxsize=8)
def worths_of(order: TrickOrder) -> list[float]:
    """Return by card how readily it takes a trick."""
    return [
        PLAIN_WORTHS[card % SUIT_SIZE] + TRUMP_WORTH * (suit == order.trump) for card, suit in enumerate(order.suits)
    ]
