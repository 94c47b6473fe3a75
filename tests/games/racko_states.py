"""Plays games of Rack-O for the tests: from seeds, from positions, at random."""

from __future__ import annotations

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_racko.game import Racko
from pitboss_racko.messages import Position, RackoOptions
from pitboss_racko.state import RackoState

GAME = Racko()


def make_options(seats: int, **given: object) -> RackoOptions:
    """Return options, resolved."""
    options: RackoOptions = resolve_options(GAME, seats, None, given)
    return options


def deal_game(seed: str, seats: int, **given: object) -> RackoState:
    """Return a game as it is dealt."""
    return GAME.deal(seats, make_options(seats, **given), Random(seed))


def set_up_game(seats: int, position: Position, **given: object) -> RackoState:
    """Return a game at a position."""
    return GAME.setup(seats, make_options(seats, **given), position, Random("set up"))
