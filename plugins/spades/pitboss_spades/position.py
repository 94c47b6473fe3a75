"""Positions of Spades: written down, and set up again (section 6 of the rule book)."""

from __future__ import annotations

from typing import Any

from pitboss import PositionError
from pitboss.outcome import spread_over_sides
from pitboss.parts.trick_position import list_plays, set_up_tricks
from pitboss.table.position_setup import check_row_lengths
from pitboss_spades.messages import Position
from pitboss_spades.state import HAND, SEATS, SIDES, SpadesStateBase


def write_position(state: SpadesStateBase) -> Position:
    """Write down a state: every card of this deal, and points and bags before it."""
    faces: list[list[Any]] = [
        state.faces(state.unseen_hands[seat]) or state.faces(state.hands[seat]) for seat in range(SEATS)
    ]
    turn = state.turn
    return Position(
        hands=faces,
        bids=state.bids[:],
        blind=state.blind[:],
        has_looked=turn is not None and turn.phase == "bid" and state.may_bid_blind(turn.seat),
        plays=list_plays(state),
        totals=[state.totals_before[side[0]] for side in SIDES],
        bags=[*state.bags_before],
        deal_no=state.deal_no,
    )


def set_up_position(state: SpadesStateBase, position: Position) -> None:
    """Bring a fresh state to a position.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    _check_position(state, position)
    state.deal_no = position.deal_no
    state.totals = [*spread_over_sides(position.totals, SIDES)]
    state.bags = position.bags[:]
    state.begin_deal()
    _check_bids(state, position)
    bidders = [(state.first_bidder + step) % SEATS for step in range(SEATS)]
    waiting = [seat for seat in bidders if position.bids[seat] is None]
    unseen = [seat for seat in waiting[position.has_looked :] if state.may_bid_blind(seat)]
    set_up_tricks(
        state,
        position.hands,
        position.plays,
        HAND,
        lambda one: one.lead_trick(one.first_bidder),
        {seat: state.unseen_hands[seat] for seat in unseen},
    )
    if waiting:
        state.ask_bid(waiting[0])
    elif not position.plays:
        state.lead_trick(state.first_bidder)


def _check_position(state: SpadesStateBase, position: Position) -> None:
    check_row_lengths(SEATS, bids=position.bids, blind=position.blind)
    check_row_lengths(len(SIDES), totals=position.totals, bags=position.bags)
    if position.deal_no > state.options.deals:
        raise PositionError(f"deal_no is {position.deal_no}; the match has {state.options.deals} deals")
    limit = state.options.bag_limit
    if min(position.bags) < 0 or (limit and max(position.bags) >= limit):
        raise PositionError(f"bags are {position.bags!r}; a side has 0 to {limit - 1} of them")


def _check_bids(state: SpadesStateBase, position: Position) -> None:
    """Make the bids, each of which must be legal."""
    bidders = [(state.first_bidder + step) % SEATS for step in range(SEATS)]
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
