"""Plays games of Rummy for the tests: from seeds, from positions, at random and with some sense."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

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


def played(state: RummyState, seed: str, decisions: int = 10_000) -> Iterator[RummyState]:
    """Yield the state before each of so many random decisions, and at the end."""
    rng = Random(seed)
    for _ in range(decisions):
        yield state
        if state.turn is None:
            return
        state.play(rng.choice(state.legal()))
    yield state


def sensible(state: RummyState, rng: Random) -> Action:
    """Return what somebody does who lays down what there is to lay down, mostly: deals end soon."""
    legal = state.legal()
    laying = [action for action in legal if isinstance(action, Meld | Layoff)]
    return rng.choice(laying if laying and rng.below(8) else legal)


def shown(state: RummyState, seat: int) -> bytes:
    """Return all that a seat is shown, as bytes: its view, its events, and what it is asked."""
    asked = state.legal() if state.turn and state.turn.seat == seat else ()
    return msgspec.json.encode((state.view(seat), state.table.events(seat), asked))
