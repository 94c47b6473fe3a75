"""Plays games of Rummy for the tests: from seeds, from positions, at random and with some sense."""

from __future__ import annotations

from pitboss import PositionError, Random
from pitboss.options import checked, resolved
from pitboss_rummy.game import Rummy, RummyState
from pitboss_rummy.messages import Action, Layoff, Meld, Position
from pitboss_rummy.options import RummyOptions

GAME = Rummy()


def options_for(seats: int, **given: object) -> RummyOptions:
    """Return options, resolved."""
    options: RummyOptions = resolved(GAME, seats, None, given)
    return options


def dealt(seed: str, seats: int, **given: object) -> RummyState:
    """Return a game as it is dealt."""
    return GAME.deal(seats, options_for(seats, **given), Random(seed))


def set_up(seats: int, position: Position, **given: object) -> RummyState:
    """Return a game at a position."""
    return GAME.setup(seats, options_for(seats, **given), position, Random("set up"))


def at(written: dict[str, object], seats: int = 2, **given: object) -> RummyState:
    """Return a game at a position as a person writes it."""
    return set_up(seats, checked(written, Position, "position", PositionError), **given)


def sensible(state: RummyState, rng: Random) -> Action:
    """Return what somebody does who lays down what there is to lay down, mostly: deals end soon."""
    legal = state.legal()
    laying = [action for action in legal if isinstance(action, Meld | Layoff)]
    return rng.choice(laying if laying and rng.below(8) else legal)
