"""Positions of Magpie: written down, and set up again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pitboss import PositionError, Turn, Zone
from pitboss_magpie.messages import FACES, JOKER, NEST, Position

if TYPE_CHECKING:
    from pitboss_magpie.magpie import MagpieState


def card_number(face: object) -> int:
    """Return what a card counts; a joker counts nothing."""
    return 0 if face == JOKER else int(str(face)[1])


def has_pair(faces: Iterable[object]) -> bool:
    """M5: tell whether two cards are fives, or two are sixes."""
    numbers = [card_number(face) for face in faces if card_number(face) >= 5]
    return len(set(numbers)) < len(numbers)


def write_position(state: MagpieState) -> Position:
    """Write down a state: every card, and what everybody knows."""
    table, board, turn = state.table, state.board, state.turn
    return Position(
        turn=turn.seat if turn else 0,
        phase=turn.phase if turn else "draw",  # type: ignore[arg-type]
        first=state.first,
        turns_done=state.turns_done,
        over=turn is None,
        boaster=state.boaster,
        taken=None if state.taken is None else FACES[state.taken],
        hands=[list(map(str, table.faces(hand))) for hand in board.hands],
        open_hands=[_open_flags(state, hand) for hand in board.hands],
        nests=[list(map(str, table.faces(nest))) for nest in board.nests],
        open_nests=[_open_flags(state, nest) for nest in board.nests],
        discard=list(map(str, table.faces(board.discard))),
        stock=list(map(str, table.faces(board.stock))),
        grave=list(map(str, table.faces(board.grave))),
        buried_by=[table.known_by[card].bit_length() - 1 for card in table.zones[board.grave]],
    )


def _open_flags(state: MagpieState, zone: Zone) -> list[bool]:
    table = state.table
    return [table.known_by[card] == table.layout.everybody for card in table.zones[zone]]


def set_up_position(state: MagpieState, position: Position) -> None:
    """Bring a fresh state to a position.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    table, board, seats = state.table, state.board, state.seats
    size = state.options.hand or 0
    _check_numbers(state, position)
    given = [
        *(position.hands or ()),
        *(position.nests or ()),
        position.discard or [],
        position.stock or [],
        position.grave,
    ]
    cards = table.layout.deck.find_cards([face for faces in given for face in faces])
    rest = sorted(set(range(len(FACES))) - set(cards))
    table.rng.shuffle(rest)
    sizes = [size + (position.phase == "drop" and seat == position.turn) for seat in range(seats)]
    hands = _allot_cards(cards, rest, position.hands, sizes)
    nests = _allot_cards(cards, rest, position.nests, [len(NEST)] * seats)
    [discard] = _allot_cards(cards, rest, None if position.discard is None else [position.discard], None, 1)
    [stock] = _allot_cards(cards, rest, None if position.stock is None else [position.stock], None, len(rest))
    if rest:
        raise PositionError(f"{len(rest)} cards lie nowhere: {table.layout.deck.faces_of(rest)!r}")
    if not stock and position.phase == "draw" and not position.over:
        raise PositionError("the stock holds a card whenever a player is to draw (M6)")
    grave = cards
    for number, who in enumerate(position.buried_by):
        table.place([grave[number]], board.stock, board.grave, 1 << who)
    _place_cards(state, board.hands, hands, position.open_hands)
    _place_cards(state, board.nests, nests, position.open_nests)
    table.place(discard, board.stock, board.discard, 0)
    table.zones[board.stock] = list(stock)
    for card in stock:
        table.known_by[card] = 0
    state.turn, state.first, state.turns_done = Turn(position.turn, position.phase), position.first, position.turns_done
    if position.over:
        _check_end(state, position)
    else:
        _check_phase(state, position)


def _check_numbers(state: MagpieState, position: Position) -> None:
    seats = state.seats
    if position.turn >= seats or position.first >= seats:
        raise PositionError(f"turn {position.turn} or first {position.first} is no seat; {seats} play")
    if position.turns_done >= state.options.turns * seats + (position.phase == "boast" or position.over):
        raise PositionError(f"turns_done is {position.turns_done}; the game has {state.options.turns * seats}")
    if len(position.grave) != len(position.buried_by) or any(who > seats for who in position.buried_by):
        raise PositionError(f"the grave is {position.grave!r}, buried by {position.buried_by!r}")


def _allot_cards(
    cards: list[int],
    rest: list[int],
    given: Sequence[Sequence[str]] | None,
    sizes: Sequence[int] | None,
    least: int = 0,
) -> list[list[int]]:
    """Take the cards that are given, or else so many others."""
    if given is None:
        wanted = sizes if sizes is not None else [least]
        if sum(wanted) > len(rest):
            raise PositionError(f"{sum(wanted)} cards are to be dealt; {len(rest)} are left")
        return [[rest.pop() for _ in range(size)] for size in wanted]
    if sizes is not None and [len(faces) for faces in given] != list(sizes):
        raise PositionError(f"{given!r} does not hold {list(sizes)!r} cards")
    laid = []
    for faces in given:
        laid.append(cards[: len(faces)])
        del cards[: len(faces)]
    return laid


def _place_cards(
    state: MagpieState, zones: Sequence[Zone], laid: Sequence[Sequence[int]], shown: Sequence[Sequence[bool]] | None
) -> None:
    table = state.table
    shown = shown if shown is not None else [[False] * len(cards) for cards in laid]
    if [len(flags) for flags in shown] != [len(cards) for cards in laid]:
        raise PositionError(f"{shown!r} does not say of each card whether everybody knows it")
    for zone, cards, flags in zip(zones, laid, shown, strict=True):
        table.zones[zone] = list(cards)
        for card, is_open in zip(cards, flags, strict=True):
            table.zones[state.board.stock].remove(card)
            table.known_by[card] = table.layout.everybody if is_open else zone.viewers


def _check_end(state: MagpieState, position: Position) -> None:
    """See that the game can be over like this: after the last turn, or by a boast; the nests are shown."""
    state.turn, state.boaster = None, position.boaster
    table, board, seats = state.table, state.board, state.seats
    if position.turn or position.phase != "draw" or position.taken is not None:
        raise PositionError("the game is over; nobody is on turn, and nothing was just taken")
    if position.boaster is None:
        shown = list(board.nests)
        is_ended = position.turns_done == state.options.turns * seats
    else:
        if position.boaster >= seats:
            raise PositionError(f"boaster {position.boaster} is no seat; {seats} play")
        hand = board.hands[position.boaster]
        shown, is_ended = [*board.nests, hand], has_pair(table.faces(hand))
    if not is_ended or not all(table.is_known(zone, table.layout.spectator) for zone in shown):
        raise PositionError("a game ends after its last turn or by a boast with a pair, and what is shown is known")


def _check_phase(state: MagpieState, position: Position) -> None:
    """See that the player on turn can be asked what it is asked."""
    if position.boaster is not None:
        raise PositionError("after a boast the game is over")
    hand = state.board.hands[position.turn]
    if position.phase == "boast" and not has_pair(state.table.faces(hand)):
        raise PositionError(f"seat {position.turn} cannot boast with {state.table.faces(hand)!r}")
    if position.taken is not None:
        held = state.table.zones[hand]
        if (
            position.phase != "drop"
            or position.taken == JOKER
            or not _open_flags(state, hand)[-1]
            or FACES[held[-1]] != position.taken
        ):
            raise PositionError(f"{position.taken!r} is not the card that seat {position.turn} has just taken")
        state.taken = held[-1]
