"""Positions of RAGAMARU: checked, written down, and set up again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pitboss import PositionError, Seating, Zone
from pitboss.table.position_setup import check_row_lengths, check_seats, set_up_zones
from pitboss_ragamaru.deck import ATTACKS, BOX, COLOURS, KICK_OFF, kind_of
from pitboss_ragamaru.field import Attack, SinBin, Top, threat_message, threat_of, top_of
from pitboss_ragamaru.messages import Field, Position
from pitboss_ragamaru.state import RagamaruStateBase

TOP_KINDS: Final = {  # by phase: the kinds of card that can be on top (none: any that was played, or the kick-off card)
    "first_colour": (KICK_OFF,),
    "defend": (*ATTACKS, "CV"),
    "bin": ("SIN",),
    "colour": ("RES", "TMO", "SIN"),
    "number": ("RES",),
    "discard": ("ADV",),
}


def check_phase(state: RagamaruStateBase, position: Position) -> None:
    """Check the table, the seat on turn and the other fields of a position against its phase.

    Raises:
        PositionError: no game can reach the position.
    """
    phase, card, turn = position.phase, state.top.field.card, position.turn
    if phase in TOP_KINDS and kind_of(card) not in TOP_KINDS[phase]:
        raise PositionError(f"in phase {phase!r} the top card is {' or '.join(TOP_KINDS[phase])}; the field has {card}")
    _check_kick_off(state, position)
    _check_threat(state, phase)
    if not all(state.hand_masks):
        raise PositionError(f"the hand of seat {state.hand_masks.index(0)} is empty; then the game is over")
    if state.rests_left[turn]:
        raise PositionError(f"seat {turn} is on turn, but has {state.rests_left[turn]} turns to rest")
    if state.turn_no > state.options.max_turns:
        raise PositionError(
            f"turn_no is {state.turn_no}; with max_turns {state.options.max_turns} the game is then over"
        )
    if len(position.passed) == state.board.seats:
        raise PositionError("all have passed; then the game is over")
    _check_drawn(state, position)
    _check_discards_left(state, position)


def _check_kick_off(state: RagamaruStateBase, position: Position) -> None:
    """Check that nothing was played or discarded before the first play."""
    if state.top.field.card == KICK_OFF and (position.pile or position.discards):
        raise PositionError("the field has the kick-off card; then nothing was played or discarded")


def _check_threat(state: RagamaruStateBase, phase: str) -> None:
    """Check the threat against the phase and the top card.

    An attack is pending in phase `defend` only, of the kind of the top card; rests are pending in `bin`, and in
    `colour` after a Sin Bin.
    """
    threat, card = state.threat, state.top.field.card
    kind = kind_of(card)
    if phase == "defend":
        expected = ("TRY", True) if kind == "CV" else (kind, False)
        if not isinstance(threat, Attack) or (threat.kind, threat.converted) != expected:
            raise PositionError(
                f"in phase 'defend' with {card} on top an attack with that card is pending; it is {threat!r}"
            )
    elif phase == "bin" or (phase == "colour" and kind == "SIN"):
        if not isinstance(threat, SinBin):
            raise PositionError(f"in phase {phase!r} with {card} on top rests are pending; it is {threat!r}")
    elif threat is not None:
        raise PositionError(f"in phase {phase!r} with {card} on top nothing is pending; it is {threat!r}")


def _check_drawn(state: RagamaruStateBase, position: Position) -> None:
    """Check that the drawn card is the last of the hand, and that nobody has passed for want of cards since."""
    if position.phase != "drawn":
        if position.drawn is not None:
            raise PositionError(f"drawn is {position.drawn!r}; in phase {position.phase!r} no card was just drawn")
        return
    if position.drawn not in (None, state.drawn_face):
        raise PositionError(
            f"drawn is {position.drawn!r}; it is the last card of the hand, and that is {state.drawn_face!r}"
        )
    if position.passed:
        raise PositionError(f"passed is {position.passed!r}; a card was just drawn, so nobody has passed since")


def _check_discards_left(state: RagamaruStateBase, position: Position) -> None:
    """D28: in phase `discard` one card or more may go, but one stays."""
    most = 0
    if position.phase == "discard":
        most = min(state.options.max_same, state.hand_masks[position.turn].bit_count() - 1)
    if not min(most, 1) <= position.discards_left <= most or (position.phase == "discard" and not most):
        raise PositionError(
            f"discards_left is {position.discards_left}; in phase {position.phase!r} it is "
            f"{f'1 to {most}' if most else 0}"
        )


def check_result(state: RagamaruStateBase, position: Position) -> None:
    """Check the position of a game that is over against its result.

    Raises:
        PositionError: no game can end in the position.
    """
    empty, result = state.hand_masks.count(0), position.result
    if empty != (result == "out"):
        raise PositionError(
            f"the game is over with result {result!r}, and {empty} hands are empty; one is if it is 'out', else none"
        )
    if (
        position.phase != "play"
        or position.turn
        or position.drawn
        or position.starter is not None
        or position.pending
        or position.discards_left
    ):
        raise PositionError(
            "the game is over; nobody is on turn in any phase, and nothing is drawn, pending or left to discard"
        )
    _check_kick_off(state, position)
    if position.turn_no > state.options.max_turns + 1:
        raise PositionError(f"turn_no is {position.turn_no}; the game is over after turn {state.options.max_turns}")


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
