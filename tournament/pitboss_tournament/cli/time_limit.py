"""A time limit on a command: when the time is up, `TimeUp` is raised wherever the command is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time
from typing import Final

from pitboss_tournament.processes.interrupt import interrupt_block

LIMIT_LOOK_SECONDS: Final = (
    0.1  # after which the time is looked at again, and `TimeUp` raised again if a plugin has caught it
)
MAX_IDLE_SECONDS: Final = 60.0  # after which a program that waits instead of computing is broken off
IDLE_PROCESSOR_SHARE: Final = 0.01  # of a processor: who has less of it waits, however busy the machine is


class TimeUp(BaseException):
    """The time is up; raised also within a call of a plugin that never returns."""


@contextmanager
def time_limit(seconds: float, idle_seconds: float = MAX_IDLE_SECONDS) -> Iterator[None]:
    """Context manager: raise `TimeUp` in the block after `seconds` of processor time; 0: never.

    On a busy machine as much is done in it as on a calm one. A block that computes next to nothing for `idle_seconds`
    is broken off, too: it waits for something that does not come. For the main thread only.
    """
    began = last = process_time()
    idle_looks = 0

    def look() -> None:
        nonlocal last, idle_looks
        now = process_time()
        idle_looks = idle_looks + 1 if now - last < IDLE_PROCESSOR_SHARE * LIMIT_LOOK_SECONDS else 0
        last = now
        if now - began >= seconds or idle_looks * LIMIT_LOOK_SECONDS >= idle_seconds:
            raise TimeUp

    with interrupt_block(look, LIMIT_LOOK_SECONDS if seconds else 0, LIMIT_LOOK_SECONDS):
        yield
