"""A timer that interrupts what the main thread is doing, wherever it is."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def interrupt_block(act: Callable[[], None], first_seconds: float, repeat_seconds: float) -> Iterator[None]:
    """Context manager: call `act` in the middle of the block, after a while and then again and again.

    What it raises is raised there. With 0 for `first_seconds` it is never called. For the main thread only; it uses
    SIGALRM.
    """
    before = signal.signal(signal.SIGALRM, lambda number, frame: act())
    signal.setitimer(signal.ITIMER_REAL, first_seconds, repeat_seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
