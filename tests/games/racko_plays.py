"""Plays games of Rack-O for the tests: from seeds, from positions, at random."""

from __future__ import annotations

from pitboss import Random
from pitboss.options import resolved
from pitboss_racko.game import Racko, RackoState
from pitboss_racko.messages import Position
from pitboss_racko.options import RackoOptions

GAME = Racko()


def options_for(seats: int, **given: object) -> RackoOptions:
    """Return options, resolved."""
    options: RackoOptions = resolved(GAME, seats, None, given)
    return options


def dealt(seed: str, seats: int, **given: object) -> RackoState:
    """Return a game as it is dealt."""
    return GAME.deal(seats, options_for(seats, **given), Random(seed))


def set_up(seats: int, position: Position, **given: object) -> RackoState:
    """Return a game at a position."""
    return GAME.setup(seats, options_for(seats, **given), position, Random("set up"))
