"""Positions of Spades: written down, and set up again (section 6 of the rule book)."""

from __future__ import annotations

from pitboss import PositionError
from pitboss.parts.trick_position import set_up_tricks
from pitboss.table.position_setup import check_row_lengths
from pitboss_spades.messages import Position
from pitboss_spades.state import HAND, SEATS, SIDES, SpadesStateBase


def write_position(state: SpadesStateBase) -> Position:
    """Write down a state: every card of this deal, and points and bags before it."""
    turn = state.turn
    return Position(
        **state.write_tricks(),
        bids=state.bids[:],
        blind=state.blind[:],
        has_looked=turn is not None and turn.phase == "bid" and state.may_bid_blind(turn.seat),
        bags=[*state.bags_before],
    )


def set_up_deal(state: SpadesStateBase, position: Position) -> None:
    """Make the bids that were made, and play the cards that were played.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    _set_bags(state, position)
    _make_bids(state, position)
    waiting = [seat for seat in state.list_bidders() if state.bids[seat] is None]
    unseen = [seat for seat in waiting[position.has_looked :] if state.may_bid_blind(seat)]
    instead = {seat: state.unseen_hands[seat] for seat in unseen}
    set_up_tricks(state, position.hands, position.plays, HAND, SpadesStateBase.ask_next_bid, instead)


def _set_bags(state: SpadesStateBase, position: Position) -> None:
    check_row_lengths(len(SIDES), bags=position.bags)
    limit = state.options.bag_limit
    if min(position.bags) < 0 or (limit and max(position.bags) >= limit):
        raise PositionError(f"bags are {position.bags!r}; a side has 0 to {limit - 1} of them")
    state.bags, state.bags_before = position.bags[:], tuple(position.bags)


def _make_bids(state: SpadesStateBase, position: Position) -> None:
    """Make the bids, each of which must be legal."""
    check_row_lengths(SEATS, bids=position.bids, blind=position.blind)
    bidders = state.list_bidders()
    made = [position.bids[seat] is not None for seat in bidders]
    if made != sorted(made, reverse=True):
        raise PositionError(f"bids are {position.bids!r}; seat {state.first_bidder} bids first")
    if position.plays and not all(made):
        raise PositionError(f"cards are played, and bids are {position.bids!r}")
    for seat in bidders[: sum(made)]:
        tricks, is_blind = position.bids[seat] or 0, position.blind[seat]
        if tricks not in [getattr(bid, "tricks", None) for bid in state.legal_bids(seat)]:
            raise PositionError(f"seat {seat} bids {tricks}; legal: {list(state.legal_bids(seat))!r}")
        if is_blind and (tricks or not state.may_bid_blind(seat)):
            raise PositionError(f"seat {seat} bids {tricks} blind, which it may not")
        state.record_bid(seat, tricks, is_blind)
    waiting = bidders[sum(made) :]
    if position.has_looked and not (waiting and state.may_bid_blind(waiting[0])):
        raise PositionError("has_looked is true; nobody on turn may bid blind")
