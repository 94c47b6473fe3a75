"""Plays games of any kind for the tests, and shows what a seat is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import msgspec

from pitboss import AnyState, Random
from pitboss.action_range import draw_action

StateT = TypeVar("StateT", bound=AnyState)


def play_randomly(state: StateT, seed: str, max_decisions: int = 10_000) -> Iterator[StateT]:
    """Yield the state before each of so many random decisions, and at the end."""
    rng = Random(seed)
    for _ in range(max_decisions):
        yield state
        if state.turn is None:
            return
        state.play(draw_action(rng.choice(state.legal()), rng.randbelow))
    yield state


def observation_bytes(state: AnyState, seat: int) -> bytes:
    """Return all that a seat is shown, as bytes: its view, its events, and what it is asked."""
    asked = state.legal() if state.turn and state.turn.seat == seat else ()
    return msgspec.json.encode((state.view(seat), state.table.events(seat), asked))
