"""Plays games of any kind for the tests, and shows what a seat is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import msgspec

from pitboss import AnyState, Random

S = TypeVar("S", bound=AnyState)


def played(state: S, seed: str, decisions: int = 10_000) -> Iterator[S]:
    """Yield the state before each of so many random decisions, and at the end."""
    rng = Random(seed)
    for _ in range(decisions):
        yield state
        if state.turn is None:
            return
        state.play(rng.choice(state.legal()))
    yield state


def shown(state: AnyState, seat: int) -> bytes:
    """Return all that a seat is shown, as bytes: its view, its events, and what it is asked."""
    asked = state.legal() if state.turn and state.turn.seat == seat else ()
    return msgspec.json.encode((state.view(seat), state.table.events(seat), asked))
