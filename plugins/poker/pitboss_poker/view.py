"""The view (observation) of a seat: section 6 of the rule book."""

from __future__ import annotations

from pitboss_poker.messages import Pot, View
from pitboss_poker.pots import split_pots
from pitboss_poker.state import SEATS_IN, PokerStateBase
from pitboss_poker.variant import STREETS


def build_view(state: PokerStateBase, seat: int) -> View:
    """Return what a seat, or the spectator, may know. Of all cards it shows only the seat's own and the board."""
    zones, faces, seats = state.table.zones, state.variant.deck.faces, len(state.stacks)
    players, live = state.players, state.live
    all_in = live & ~state.able if state.turn else 0
    own = zones[state.hands[seat]] or zones[state.mucks[seat]] if seat < seats else []
    return View(  # in the order of its fields: of a call with more than fifteen names Python makes a dict
        state.hand_no,
        STREETS[state.street],
        [faces[card] for card in own],  # type: ignore[misc]
        [faces[card] for card in zones[state.board]],  # type: ignore[misc]
        sum(state.paid),
        [Pot(chips, SEATS_IN[mask]) for chips, mask in split_pots(state.paid, live)] if all_in else [],
        state.stacks[:],
        state.bets[:],
        state.paid[:],
        state.button,
        state.small_seat if state.small_blind and players >> state.small_seat & 1 else None,
        state.big_seat if state.big_blind else None,
        (state.small_blind, state.big_blind),
        SEATS_IN[players & ~live],
        SEATS_IN[all_in],
        SEATS_IN[(1 << seats) - 1 & ~players],
        state.to_call,
        state.min_to or None,
        state.max_to or None,
        state.net[:],
        [*state.past_history, state.history[:-1]],
    )
