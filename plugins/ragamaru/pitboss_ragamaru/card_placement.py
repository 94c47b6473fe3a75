"""Card placement of a written position; cards that are not mentioned are dealt at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from pitboss import PositionError
from pitboss_ragamaru.deck import KICK_OFF
from pitboss_ragamaru.messages import Position
from pitboss_ragamaru.state import RagamaruStateBase

FaceRow: TypeAlias = Sequence[str | None]


def place_cards(state: RagamaruStateBase, position: Position) -> None:
    """Put the cards that are written where they lie, then deal the rest to the places left open.

    Raises:
        PositionError: the deck does not hold these cards, or too few for the places left open.
    """
    table, board = state.table, state.board
    top = state.top.field.card
    rows: list[FaceRow] = [
        *_hand_rows(state, position),
        position.pile if top == KICK_OFF else [*position.pile, top],
        position.discards,
    ]
    if position.stock is not None:
        rows.append(position.stock[::-1])
    found = iter(board.layout.deck.find_cards([face for row in rows for face in row if face is not None]))
    places = [[next(found) if face is not None else None for face in row] for row in rows]
    written = {card for row in places for card in row if card is not None}
    rest = [card for card in range(len(table.known_by)) if card not in written]
    table.rng.shuffle(rest)
    zones = (*board.hands, board.pile, board.discards, board.stock)
    for zone, row in zip(zones, places, strict=False):
        table.zones[zone] = [card if card is not None else _take_card(rest) for card in row]
    if position.stock is None:
        table.zones[board.stock] = rest
    else:
        table.zones[board.box] = sorted(rest)
    _set_knowledge(state)
    state.hand_masks = [sum(map(state.book.bits.__getitem__, table.zones[hand])) for hand in board.hands]


def _hand_rows(state: RagamaruStateBase, position: Position) -> list[FaceRow]:
    """Return the hands as they are written.

    An open hand has as many cards as are dealt, and one more once a card is drawn.
    """
    if position.hands is not None:
        return [*position.hands]
    size = [state.options.hand_size] * state.board.seats
    if position.phase == "drawn":
        size[position.turn] += 1
    rows: list[list[str | None]] = [[None] * count for count in size]
    if position.drawn is not None and position.phase == "drawn":
        rows[position.turn][-1] = position.drawn
    return [*rows]


def _take_card(rest: list[int]) -> int:
    if not rest:
        raise PositionError("there are not enough cards for the places left open")
    return rest.pop()


def _set_knowledge(state: RagamaruStateBase) -> None:
    """2.7: a hand is its owner's secret, the stock everybody's; all else is public."""
    table, board = state.table, state.board
    for hand in board.hands:
        for card in table.zones[hand]:
            table.known_by[card] = hand.viewers
    for card in table.zones[board.stock]:
        table.known_by[card] = 0
