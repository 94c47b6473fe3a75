"""A value that is made again when its source has changed, for all who ask for it."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Generic, TypeVar

import trio

from pitboss.errors import PitbossError

T = TypeVar("T")


class Renewed(Generic[T]):
    """A value with the state of its source when it was made.

    `look` returns the state of the source, and `make` the value; both run in a thread. `make` gets the name of the
    value: no other value has it, nor had one in an earlier process.

    Looks are `pause` seconds apart, however many ask. The value is made again if the state is another one. A making,
    failed or not, that took a second by the work clock is followed by `rest` seconds without a look. An error is raised
    to all who ask until the next look.
    """

    def __init__(
        self,
        look: Callable[[], object],
        make: Callable[[str], T],
        *,
        pause: float,
        rest: float,
        makers: trio.CapacityLimiter | None = None,
        clock: Callable[[], float] = monotonic,
        work_clock: Callable[[], float] = monotonic,
    ) -> None:
        """`makers` limits the threads, where something else is made from the same source. Clocks return seconds."""
        self._look = look
        self._make = make
        self._pause = pause
        self._rest = rest
        self._makers = makers or trio.CapacityLimiter(1)
        self._clock = clock
        self._work_clock = work_clock
        self._made: tuple[object, T] | None = None  # the latest value, with the state of its source
        self._error: PitbossError | None = None
        self._next_at = -inf
        self._run = token_hex(4)
        self._count = 0

    async def read(self) -> T:
        """Return the value.

        While it is made again, others get the latest one. It is made to the end, even if nobody waits for it.

        Raises:
            PitbossError: `look` or `make` has raised it.
        """
        if self._clock() >= self._next_at and not (self._made and self._makers.borrowed_tokens):
            await trio.to_thread.run_sync(self._renew, limiter=self._makers, abandon_on_cancel=True)
        if self._error is not None:
            raise self._error.with_traceback(None)
        assert self._made is not None
        return self._made[1]

    def _renew(self) -> None:
        """Look, and make the value if its source has changed; nothing if another one has looked meanwhile."""
        if self._clock() < self._next_at:
            return
        began = self._work_clock()
        try:
            state = self._look()
            if self._made is None or state != self._made[0]:
                self._count += 1
                self._made = state, self._make(f"{self._run}-{self._count}")
            self._error = None
        except PitbossError as error:
            self._error = error
        self._next_at = self._clock() + max(self._pause, self._rest * (self._work_clock() - began))


def stamp_file(path: Path) -> list[tuple[int, ...]]:
    """Return a value that changes when a store's file, or its write-ahead log, is written."""
    stamps: list[tuple[int, ...]] = []
    for ending in ("", "-wal"):
        try:
            found = path.with_name(path.name + ending).stat()
            stamps.append((found.st_size, found.st_mtime_ns, found.st_ctime_ns))
        except OSError:
            stamps.append((0, 0, 0))
    return stamps
