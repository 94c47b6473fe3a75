"""The beginning of a game: section 1 of the rule book, and the kick-off in section 2.3."""

from __future__ import annotations

from pitboss import IllegalAction
from pitboss_ragamaru.deck import COLOURS, KICK_OFF
from pitboss_ragamaru.field import top_of
from pitboss_ragamaru.messages import Colour
from pitboss_ragamaru.state import RagamaruStateBase
from pitboss_ragamaru.turn_order import land


def start_game(state: RagamaruStateBase) -> None:
    """Section 1: shuffle and deal (D37).

    D1, D2: one lot decides who starts, another who names the colour, or the colour itself.
    """
    table, board, seats = state.table, state.board, state.board.seats
    table.shuffle(board.stock)
    table.deal(board.stock, board.hands, state.options.hand_size)
    state.count_hands()
    state.starter = table.draw_lot(seats)
    table.tell("starter", seat=state.starter)
    if state.options.first_colour == "random":
        kick_off(state, COLOURS[table.draw_lot(len(COLOURS))])
    else:
        others = state.opponents_of(state.starter)
        state.turn = board.turns["first_colour"][others[table.draw_lot(len(others)) if len(others) > 1 else 0]]


def kick_off(state: RagamaruStateBase, colour: Colour) -> None:
    """2.3: the field is the kick-off card with its colour, and the starter has the first turn."""
    starter = state.starter
    if starter is None:
        raise IllegalAction("the game has begun")
    state.starter = None
    state.top = top_of(KICK_OFF, state.book.wild_advantage, colour)
    land(state, starter)
