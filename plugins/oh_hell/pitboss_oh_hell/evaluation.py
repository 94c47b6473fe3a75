"""Evaluation of an Oh Hell state for search players: the expected totals after the deal, a fast heuristic."""

from __future__ import annotations

from collections.abc import Sequence
from math import erf, sqrt
from typing import Final

from pitboss_oh_hell.state import OhHellStateBase, count_player

SUIT_SIZE: Final = 13
TRUMP_WORTH: Final = 1.2
TRICK_DEVIATION: Final = 0.55  # of a player's tricks to come, by the square root of their number


def evaluate_state(state: OhHellStateBase) -> Sequence[float]:
    """Return by seat the expected total after this deal: bids are kept as far as strong cards take tricks."""
    if state.turn is None:
        return [float(total) for total in state.totals]
    zones, trumps = state.table.zones, state.order.cards_of.get(state.order.trump or "", frozenset())
    held = [zones[hand] for hand in state.hands]
    strengths = [
        sum([((card % SUIT_SIZE + 2) / 14) ** 3 + TRUMP_WORTH * (card in trumps) for card in hand]) for hand in held
    ]
    won, whole = state.tricks_won(), sum(strengths) or 1
    left = state.hand_size - sum(won)
    deviation = TRICK_DEVIATION * sqrt(left) + 0.01
    expected = []
    for seat, total in enumerate(state.totals):
        mean = won[seat] + left * strengths[seat] / whole
        bid = state.auction.call_of(seat)
        aim = round(mean) if bid is None else bid
        kept = (erf((aim + 0.5 - mean) / deviation / sqrt(2)) - erf((aim - 0.5 - mean) / deviation / sqrt(2))) / 2
        missed = count_player(aim, aim + 1, state.options)
        expected.append(total + kept * count_player(aim, aim, state.options) + (1 - kept) * missed)
    return expected
