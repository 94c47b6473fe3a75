"""Positions of Oh Hell: written down, and set up again (section 6 of the rule book)."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss import PositionError, Zone
from pitboss.parts.trick_position import set_up_tricks
from pitboss_oh_hell.messages import PACK, Bid, Position
from pitboss_oh_hell.state import OhHellStateBase


def write_position(state: OhHellStateBase) -> Position:
    """Write down a state: every card of this deal that is in play, and the points before it."""
    turned_up = state.faces(state.turned_up)
    return Position(
        **state.write_tricks(),
        turned_up=turned_up[0] if turned_up else None,
        stock=[*reversed(state.faces(state.stock))],
        bids=[bid or 0 for bid in state.auction.calls],
    )


def set_up_deal(state: OhHellStateBase, position: Position) -> None:
    """Make the bids that were made, and play the cards that were played.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    seats = state.seats
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
    set_up_tricks(state, position.hands, position.plays, state.hand_size, OhHellStateBase.begin_play, beside=beside)
