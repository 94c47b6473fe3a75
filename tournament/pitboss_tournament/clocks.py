"""The clock of the room: the moment by which all bots' time is measured, less what the runner itself held everybody up for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

import trio

TURN_SECONDS = 0.001  # how long a match may go on before it lets the others have the loop


class RoomClock:
    """A clock in seconds that stands still while the runner draws its screen, starts a bot or ends one, so that no other bot is billed for it."""

    __slots__ = ("_lost", "_turned")

    def __init__(self) -> None:
        self._lost = 0.0
        self._turned = 0.0

    def now(self) -> float:
        """Return the present moment."""
        return perf_counter() - self._lost

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop the clock for the length of a block that holds up the loop."""
        began = perf_counter()
        try:
            yield
        finally:
            self._lost += perf_counter() - began

    def turned(self) -> None:
        """Note that the loop has just turned: a task has waited for something."""
        self._turned = perf_counter()

    async def take_turns(self) -> None:
        """Let other matches go on, if this one has had the loop for a while."""
        if perf_counter() - self._turned > TURN_SECONDS:
            await trio.lowlevel.checkpoint()
            self.turned()
