"""Plays games of Rack-O for the tests: from seeds, from positions, at random."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

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


def played(state: RackoState, seed: str, decisions: int = 10_000) -> Iterator[RackoState]:
    """Yield the state before each of so many random decisions, and at the end."""
    rng = Random(seed)
    for _ in range(decisions):
        yield state
        if state.turn is None:
            return
        state.play(rng.choice(state.legal()))
    yield state


def shown(state: RackoState, seat: int) -> bytes:
    """Return all that a seat is shown, as bytes: its view, its events, and what it is asked."""
    asked = state.legal() if state.turn and state.turn.seat == seat else ()
    return msgspec.json.encode((state.view(seat), state.table.events(seat), asked))
