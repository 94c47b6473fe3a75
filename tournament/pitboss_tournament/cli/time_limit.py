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
WAITING_FACTOR: Final = 4.0  # a program that waits instead of computing has this many times the seconds


class TimeUp(BaseException):
    """The time is up; raised also within a call of a plugin that never returns."""


@contextmanager
def time_limit(seconds: float, waiting_factor: float = WAITING_FACTOR) -> Iterator[None]:
    """Context manager: raise `TimeUp` in the block after `seconds` of processor time; 0: never.

    On a busy machine as much is done in it as on a calm one. Waiting is counted in looks. For the main thread only.
    """
    began, looks = process_time(), 0

    def look() -> None:
        nonlocal looks
        looks += 1
        if process_time() - began >= seconds or looks * LIMIT_LOOK_SECONDS >= seconds * waiting_factor:
            raise TimeUp

    with interrupt_block(look, LIMIT_LOOK_SECONDS if seconds else 0, LIMIT_LOOK_SECONDS):
        yield
