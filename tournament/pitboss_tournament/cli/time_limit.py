"""A time limit on a command: when the time is up, `TimeUp` is raised wherever the command is."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

REPEAT_SECONDS: Final = 1.0  # after which it is raised again, where a plugin has caught it


class TimeUp(BaseException):
    """The time is up; raised also within a call of a plugin that never returns."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Context manager: raise `TimeUp` in the block after so many seconds; 0: never. For the main thread only."""

    def raise_time_up(number: int, frame: FrameType | None) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGALRM, raise_time_up)
    signal.setitimer(signal.ITIMER_REAL, seconds, REPEAT_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
