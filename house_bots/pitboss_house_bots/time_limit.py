"""A limit on the processor time of a block of code, whatever code it runs."""

from __future__ import annotations

import _thread
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from types import FrameType
from typing import Final

MIN_TIMER_SECONDS: Final = 0.001  # a timer of 0 seconds would never ring
TIMER_LOOK_SECONDS: Final = 0.002  # between looks at the time, where the system has no such timer
RENEWED_SECONDS: Final = 0.05  # until the timer rings again: the code may have caught the exception


class OutOfTime(BaseException):
    """The time limit of a block is over. No `Exception`: no handler in a game's code takes it for an error."""


class ProcessorTimer:
    """The timer of the process (`ITIMER_PROF`), which counts the time that all its threads compute.

    Where the system has no such timer (Windows), a thread looks at that time and rings.
    """

    def __init__(self) -> None:
        self._is_on = False

    @contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        """Raise `OutOfTime` in the block once the process has computed for `seconds` in it; for the main thread only.

        The timer may ring while the block is left, and break off the first `finally`; it is stopped by the second one.
        """
        if not hasattr(signal, "setitimer"):
            with self._limit_by_thread(seconds):
                yield
            return
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

    @contextmanager
    def _limit_by_thread(self, seconds: float) -> Iterator[None]:
        end = time.process_time() + seconds
        is_over = Event()

        def watch() -> None:
            while not is_over.wait(TIMER_LOOK_SECONDS):
                if time.process_time() >= end:
                    _thread.interrupt_main(signal.SIGABRT)
                    is_over.wait(RENEWED_SECONDS)

        signal.signal(signal.SIGABRT, self._ring)
        self._is_on = True
        Thread(target=watch, name="timer", daemon=True).start()
        try:
            try:
                yield
            finally:
                self._is_on = False
                is_over.set()
        finally:
            self._is_on = False
            is_over.set()

    def _stop(self) -> None:
        self._is_on = False  # a signal may be on its way
        signal.setitimer(signal.ITIMER_PROF, 0)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if self._is_on:
            raise OutOfTime
