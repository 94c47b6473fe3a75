"""A timer that interrupts what the main thread is doing, wherever it is."""

from __future__ import annotations

import _thread
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread


@contextmanager
def interrupt_block(act: Callable[[], None], first_seconds: float, repeat_seconds: float) -> Iterator[None]:
    """Context manager: call `act` in the middle of the block, after a while and then again and again.

    What it raises is raised there. With 0 for `first_seconds` it is never called. For the main thread only; it uses
    SIGALRM, or where the system has no such timer (Windows) a thread and SIGABRT.
    """
    if not hasattr(signal, "setitimer"):
        with _interrupt_by_thread(act, first_seconds, repeat_seconds):
            yield
        return
    before = signal.signal(signal.SIGALRM, lambda number, frame: act())
    signal.setitimer(signal.ITIMER_REAL, first_seconds, repeat_seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _interrupt_by_thread(act: Callable[[], None], first_seconds: float, repeat_seconds: float) -> Iterator[None]:
    """Context manager: do what `interrupt_block` does, on any system."""
    is_over = Event()

    def ring() -> None:
        seconds = first_seconds
        while not is_over.wait(seconds):
            _thread.interrupt_main(signal.SIGABRT)
            seconds = repeat_seconds

    def answer(*_: object) -> None:
        if not is_over.is_set():  # the last ring may be on its way
            act()

    before = signal.signal(signal.SIGABRT, answer)
    try:
        if first_seconds:
            Thread(target=ring, name="timer", daemon=True).start()
        yield
    finally:
        is_over.set()
        signal.signal(signal.SIGABRT, before)
