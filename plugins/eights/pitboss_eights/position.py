"""Positions of Crazy Eights: written down, and set up again (section 6 of the rule book)."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss import PositionError
from pitboss.plugins.packs import suit_of
from pitboss.table.position_setup import check_row_lengths, check_seats, set_up_zones
from pitboss_eights.messages import Position
from pitboss_eights.state import TURNS, EightsStateBase


def write_position(state: EightsStateBase) -> Position:
    """Write down a state: every card, what is to follow, and the points."""
    return Position(
        deal_no=state.deal_no,
        turn=state.turn.seat if state.turn else None,
        hands=[[*state.faces(hand)] for hand in state.hands],
        played=[*state.faces(state.played)],
        stock=[*reversed(state.faces(state.stock))],
        suit=state.suit,  # type: ignore[arg-type]
        direction=state.direction,  # type: ignore[arg-type]
        draws=state.draws,
        due=state.due,
        passes=state.passes,
        turns=state.turns,
        totals=list(state.totals),
        over=state.turn is None,
    )


def set_up_position(state: EightsStateBase, position: Position) -> None:
    """Bring a fresh state to a position.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    options, table, seats = state.options, state.table, state.seats
    check_seats(seats, turn=position.turn)
    check_row_lengths(seats, hands=position.hands, totals=position.totals)
    if position.deal_no > options.deals:
        raise PositionError(f"deal_no is {position.deal_no}; the match has {options.deals} deals")
    state.deal_no, state.totals = position.deal_no, list(position.totals or [0] * seats)
    hands: Sequence[Sequence[str | None]] = position.hands or [[None] * (options.hand or 0) for _ in state.hands]
    played = [None] if position.played is None else position.played
    if not played:
        raise PositionError("no card was played; the first one is turned up")
    piles = [(state.played, played), (state.stock, [*(position.stock or ())][::-1])]
    set_up_zones(table, state.stock, [*zip(state.hands, hands, strict=True), *piles])
    state.suit = position.suit or suit_of(state.faces(state.played)[-1])
    state.direction, state.draws, state.due = position.direction, position.draws, position.due
    state.passes, state.turns = position.passes, position.turns
    if position.over:
        _set_up_end(state)
        return
    _check_turn(state, position)
    state.turn = TURNS["due" if state.due else "play"][
        (state.dealer + 1) % seats if position.turn is None else position.turn
    ]


def _set_up_end(state: EightsStateBase) -> None:
    """Show all hands of a match that is over."""
    if not state.is_match_over():
        raise PositionError(f"the match is not over after deal {state.deal_no} with totals {state.totals!r}")
    for hand in state.hands:
        for card in state.table.zones[hand]:
            state.table.known_by[card] = state.table.layout.everybody


def _check_turn(state: EightsStateBase, position: Position) -> None:
    """Check that the deal goes on, and what is to be drawn."""
    options, zones = state.options, state.table.zones
    if empty := [seat for seat, hand in enumerate(state.hands) if not zones[hand]]:
        raise PositionError(f"seat {empty[0]} holds no card: then the deal is over")
    if max(state.totals) >= (options.target or 0):
        raise PositionError(f"the match is over with totals {state.totals!r}; it goes to {options.target}")
    if position.due and not (options.stack and zones[state.stock]):
        raise PositionError(f"due is {position.due}; that needs the option stack, and cards in the stock")
    if position.due and position.draws:
        raise PositionError(f"draws is {position.draws}, and {position.due} cards are yet to be drawn")
    if options.draws and position.draws > options.draws:
        raise PositionError(f"draws is {position.draws}; a turn has {options.draws} at most")
    if position.passes >= state.seats or (position.passes and zones[state.stock]):
        raise PositionError(
            f"passes is {position.passes}; {state.seats} play, and the stock is empty if any have passed"
        )
    if position.turns >= options.max_turns:
        raise PositionError(f"turns is {position.turns}; a deal has {options.max_turns}")
