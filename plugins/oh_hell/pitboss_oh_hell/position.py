"""Positions of Oh Hell: written down, and set up again (section 6 of the rule book)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pitboss import PositionError, Zone
from pitboss.parts.trick_position import list_plays, set_up_tricks
from pitboss.plugins.packs import suit_of
from pitboss.table.position_setup import check_row_lengths
from pitboss.table.turns import Turn
from pitboss_oh_hell.messages import Bid, Position
from pitboss_oh_hell.options import PACK, list_hand_sizes
from pitboss_oh_hell.state import OhHellStateBase


def write_position(state: OhHellStateBase) -> Position:
    """Write down a state: every card of this deal that is in play, and the points before it."""
    hands: list[list[Any]] = [state.faces(hand) for hand in state.hands]
    turned_up = state.faces(state.turned_up)
    return Position(
        hands=hands,
        turned_up=turned_up[0] if turned_up else None,
        stock=[*reversed(state.faces(state.stock))],
        bids=[bid or 0 for bid in state.auction.calls],
        plays=list_plays(state),
        totals=[*state.totals_before],
        deal_no=state.deal_no,
    )


def set_up_position(state: OhHellStateBase, position: Position) -> None:
    """Bring a fresh state to a position.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    seats, sizes = state.seats, list_hand_sizes(state.options)
    check_row_lengths(seats, hands=position.hands, totals=position.totals)
    if position.deal_no > len(sizes):
        raise PositionError(f"deal_no is {position.deal_no}; the match has {len(sizes)} deals")
    state.deal_no = position.deal_no
    state.totals = position.totals[:] if position.totals is not None else [0] * seats
    state.begin_deal()
    is_full = seats * state.hand_size == PACK
    if is_full and position.turned_up:
        raise PositionError(f"{position.turned_up!r} is turned up; all cards are dealt")
    for number, tricks in enumerate(position.bids):
        if number >= seats or Bid(tricks) not in state.legal_bids():
            raise PositionError(
                f"bids are {position.bids!r}; bid {number + 1} is not one of {list(state.legal_bids())!r}"
            )
        state.auction = state.auction.add_call(tricks)
    if position.plays and len(position.bids) < seats:
        raise PositionError(f"cards are played, and {len(position.bids)} of {seats} have bid")
    beside: list[tuple[Zone, Sequence[str | None]]] = [] if is_full else [(state.turned_up, [position.turned_up])]
    if position.stock is not None:
        beside.append((state.stock, position.stock[::-1]))
    set_up_tricks(state, position.hands, position.plays, state.hand_size, _begin_play, beside=beside)
    if not position.plays:
        _begin_play(state)


def _begin_play(state: OhHellStateBase) -> None:
    """Find the trumps; then somebody bids, or the first bidder leads."""
    for face in state.faces(state.turned_up):
        state.set_trump(suit_of(face))
    if len(state.auction.calls) < state.seats:
        state.turn = Turn(state.auction.caller, "bid")
    else:
        state.lead_trick(state.auction.first)
