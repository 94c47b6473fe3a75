"""Positions of RAGAMARU: written down, and set up again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pitboss import PositionError, Seating, Zone
from pitboss.table.position_setup import check_row_lengths, check_seats, set_up_zones
from pitboss_ragamaru.deck import BOX, COLOURS, KICK_OFF
from pitboss_ragamaru.field import Top, top_of
from pitboss_ragamaru.messages import Field, Position
from pitboss_ragamaru.position_checks import check_phase, check_result
from pitboss_ragamaru.state import RagamaruStateBase
from pitboss_ragamaru.threats import threat_message, threat_of

OPEN_COLOUR: Final = ("first_colour", "colour")  # phases in which the top card's colour is still to be named
OPEN_NUMBER: Final = ("colour", "number")


def write_position(state: RagamaruStateBase) -> Position:
    """Return the position of a state: every card, and what no card shows."""
    board, zones, turn, faces = state.board, state.table.zones, state.turn, state.book.faces

    def named(cards: list[int]) -> list[Any]:
        return [faces[card] for card in cards]

    return Position(
        phase=turn.phase if turn else "play",  # type: ignore[arg-type]
        turn=turn.seat if turn else 0,
        turn_no=state.turn_no,
        hands=[named(zones[hand]) for hand in board.hands],
        stock=named(zones[board.stock][::-1]),
        pile=named(zones[board.pile][:-1]),
        discards=named(zones[board.discards]),
        field=state.top.field,
        pending=threat_message(state.threat),
        sin=[*state.rests_left],
        seating=[*state.seating.order],
        direction=state.seating.direction,  # type: ignore[arg-type]
        drawn=state.drawn_face if turn and turn.phase == "drawn" else None,
        discards_left=state.discards_left,
        starter=state.starter,
        passed=[seat for seat in range(board.seats) if state.passed_seats >> seat & 1],
        result=state.result,
    )


def set_up_position(state: RagamaruStateBase, position: Position) -> None:
    """Bring a fresh state to a position.

    Raises:
        PositionError: the position does not describe a table of this game.
    """
    _check_seats(position, state.board.seats)
    state.set_seating(Seating(tuple(position.seating or range(state.board.seats)), position.direction))
    state.turn_no, state.result = position.turn_no, position.result
    state.rests_left = tuple(position.sin or state.rests_left)
    state.passed_seats = sum(1 << seat for seat in position.passed)
    state.discards_left = position.discards_left
    try:
        state.threat = threat_of(position.pending)
    except ValueError as error:
        raise PositionError(f"pending is {position.pending!r}; {error}") from None
    state.top = _find_top(state, position)
    _place_cards(state, position)
    if position.result is not None:
        check_result(state, position)
        return
    state.turn = state.board.turns[position.phase][position.turn]
    _set_starter(state, position)
    check_phase(state, position)


def _check_seats(position: Position, seats: int) -> None:
    check_row_lengths(seats, hands=position.hands, sin=position.sin, seating=position.seating)
    check_seats(seats, turn=position.turn, starter=position.starter)
    for seat in position.passed:
        check_seats(seats, passed=seat)
    if len(set(position.passed)) < len(position.passed):
        raise PositionError(f"passed names a seat twice: {position.passed!r}")
    if position.seating is not None and sorted(position.seating) != list(range(seats)):
        raise PositionError(
            f"seating is {position.seating!r}; it is the seats 0 to {seats - 1} in their order clockwise"
        )


def _place_cards(state: RagamaruStateBase, position: Position) -> None:
    """Put the cards that are written where they lie, then deal the rest to the places left open."""
    table, board, top = state.table, state.board, state.top.field.card
    rows: list[tuple[Zone, Sequence[str | None]]] = [
        *zip(board.hands, _hand_rows(state, position), strict=True),
        (board.pile, position.pile if top == KICK_OFF else [*position.pile, top]),
        (board.discards, position.discards),
        (board.stock, (position.stock or [])[::-1]),
    ]
    left = set_up_zones(table, board.stock, rows)
    if position.stock is not None:
        table.place(left, board.stock, board.box, 0)
    state.count_hands()


def _hand_rows(state: RagamaruStateBase, position: Position) -> Sequence[Sequence[str | None]]:
    """Return the hands of a position.

    Hands left open have the size that is dealt; in phase `drawn` that of the seat on turn has one card more.
    """
    if position.hands is not None:
        return position.hands
    rows: list[list[str | None]] = [[None] * state.options.hand_size for _ in state.board.hands]
    if position.phase == "drawn":
        rows[position.turn].append(position.drawn)
    return rows


def _find_top(state: RagamaruStateBase, position: Position) -> Top:
    """2.1: return the field: its card, and what was named.

    A field left open is the kick-off card, with a colour drawn by lot (none in phase `first_colour`).
    """
    wild, field, phase = state.book.wild_advantage, position.field, position.phase
    if field is None:
        colour = None if phase == "first_colour" else state.table.rng.choice(COLOURS)
        return top_of(KICK_OFF, wild, colour)
    if field.card not in (*BOX, KICK_OFF):
        raise PositionError(f"the field's card is {field.card!r}; there is no such card")
    own = top_of(field.card, wild).field
    has_colour, is_reserve = own.colour is not None or own.free, field.card == "RES"
    wants_colour = not has_colour and phase not in OPEN_COLOUR
    wants_number = is_reserve and phase not in OPEN_NUMBER
    if position.result is None and ((wants_colour and field.colour is None) or (wants_number and field.number is None)):
        raise PositionError(
            f"the field is {field!r}; in phase {phase!r} the colour{' and the number' * is_reserve} must be given"
        )
    top = top_of(field.card, wild, field.colour if wants_colour else None, field.number if wants_number else None)
    _check_field(field, top.field)
    return top


def _check_field(field: Field, found: Field) -> None:
    """Check the values that a position gives for its field against `found`, the field that follows from its card."""
    for what in ("colour", "number", "kind"):
        given, own = getattr(field, what), getattr(found, what)
        if given not in (None, own):
            raise PositionError(f"the field's {what} is {given!r}; with {field.card} on top it is {own!r}")
    if field.free and not found.free:
        raise PositionError(f"the field is free, but its card is {field.card}; it is free after RAG")


def _set_starter(state: RagamaruStateBase, position: Position) -> None:
    """D2: who names the first colour is an opponent of the starter; if the starter is not given, he is drawn by lot."""
    if position.phase != "first_colour":
        if position.starter is not None:
            raise PositionError(f"starter is {position.starter}; there is one in phase 'first_colour' only")
        return
    others = state.opponents_of(position.turn)
    if position.starter is None:
        state.starter = state.table.rng.choice(others)
    elif position.starter in others:
        state.starter = position.starter
    else:
        raise PositionError(
            f"seat {position.turn} names the colour; the starter is one of {others!r}, not {position.starter}"
        )
