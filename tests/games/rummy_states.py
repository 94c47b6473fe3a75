"""Plays games of Rummy for the tests: from seeds, from positions, at random and with some sense."""

from __future__ import annotations

from pitboss import PositionError, Random
from pitboss.game import resolve_options
from pitboss.options import convert_value
from pitboss_rummy.game import Rummy
from pitboss_rummy.messages import Position, RummyOptions
from pitboss_rummy.state import RummyState

GAME = Rummy()


def make_options(seats: int, **given: object) -> RummyOptions:
    """Return options, resolved."""
    options: RummyOptions = resolve_options(GAME, seats, None, given)
    return options


def deal_game(seed: str, seats: int, **given: object) -> RummyState:
    """Return a game as it is dealt."""
    return GAME.deal(seats, make_options(seats, **given), Random(seed))


def set_up_game(seats: int, position: Position, **given: object) -> RummyState:
    """Return a game at a position."""
    return GAME.setup(seats, make_options(seats, **given), position, Random("set up"))


def set_up_written(written: dict[str, object], seats: int = 2, **given: object) -> RummyState:
    """Return a game at a position as a person writes it."""
    return set_up_game(seats, convert_value(written, Position, "position", PositionError), **given)
