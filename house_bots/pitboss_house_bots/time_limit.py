"""A limit on the processor time of a block of code, whatever code it runs."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

MIN_TIMER_SECONDS: Final = 0.001  # a timer of 0 seconds would never ring
RENEWED_SECONDS: Final = 0.05  # until the timer rings again: the code may have caught the exception


class OutOfTime(BaseException):
    """The time limit of a block is over. No `Exception`: no handler in a game's code takes it for an error."""


class ProcessorTimer:
    """The timer of the process (`ITIMER_PROF`), which counts the time that all its threads compute."""

    def __init__(self) -> None:
        self._is_on = False

    @contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        """Raise `OutOfTime` in the block once the process has computed for `seconds` in it; for the main thread only.

        The timer may ring while the block is left, and break off the first `finally`; it is stopped by the second one.
        """
        signal.signal(signal.SIGPROF, self._ring)
        self._is_on = True
        signal.setitimer(signal.ITIMER_PROF, max(seconds, MIN_TIMER_SECONDS), RENEWED_SECONDS)
        try:
            try:
                yield
            finally:
                self._stop()
        finally:
            self._stop()

    def _stop(self) -> None:
        self._is_on = False  # a signal may be on its way
        signal.setitimer(signal.ITIMER_PROF, 0)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if self._is_on:
            raise OutOfTime
