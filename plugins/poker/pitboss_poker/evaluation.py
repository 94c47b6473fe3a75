"""Evaluation of a poker state for search players: the chips that each seat would have won if nobody bet any more."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss_poker.hand_strength import rank_hand
from pitboss_poker.showdown import find_best, list_pots, share_pot
from pitboss_poker.state import SEATS_IN, PokerStateBase


def evaluate_state(state: PokerStateBase) -> Sequence[float]:
    """Return by seat the chips won so far, if the hand is checked down to the end with the cards of this world.

    A bet that is not yet called counts as far as it was called.
    """
    zones, keys = state.table.zones, state.variant.card_keys
    board = zones[state.board]
    missing = state.variant.board_size - len(board)
    run_out = zones[state.stock][len(zones[state.stock]) - missing :]
    open_keys = [keys[card] for card in (*board, *run_out)]
    strengths = {
        seat: rank_hand([*open_keys, *[keys[card] for card in zones[state.hands[seat]]]])
        for seat in SEATS_IN[state.live]
    }
    values = [float(won - paid) for won, paid in zip(state.net, state.paid, strict=True)]
    for chips, seats in list_pots(state):
        winners, _ = find_best(strengths, seats)
        for seat, share in share_pot(chips, winners, state.button).items():
            values[seat] += share
    return values
