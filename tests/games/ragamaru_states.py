"""Ways to come to a RAGAMARU table: for the tests."""

from __future__ import annotations

from pitboss import PositionError, Random
from pitboss.game import resolve_options
from pitboss.options import convert_value
from pitboss_ragamaru.game import Ragamaru
from pitboss_ragamaru.messages import Position, RagamaruOptions
from pitboss_ragamaru.state import RagamaruState

GAME = Ragamaru()


def make_options(seats: int, **given: object) -> RagamaruOptions:
    """Return options, resolved."""
    options: RagamaruOptions = resolve_options(GAME, seats, None, given)
    return options


def deal_game(seed: str, seats: int, **given: object) -> RagamaruState:
    """Return a game as it is dealt."""
    return GAME.deal(seats, make_options(seats, **given), Random(seed))


def set_up_game(written: dict[str, object], seats: int = 2, seed: str = "set up", **given: object) -> RagamaruState:
    """Return a game at a position as a person writes it."""
    position = convert_value(written, Position, "position", PositionError)
    return GAME.setup(seats, make_options(seats, **given), position, Random(seed))


def hand_cards(state: RagamaruState, seat: int) -> list[str]:
    """Return the cards that a seat holds, as they came."""
    return [str(face) for face in state.table.faces(state.board.hands[seat])]
