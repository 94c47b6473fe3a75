"""A time limit on a command: when the time is up, `TimeUp` is raised wherever the command is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from pitboss_tournament.processes.interrupt import interrupt_block

REPEAT_SECONDS: Final = 1.0  # after which it is raised again, where a plugin has caught it


class TimeUp(BaseException):
    """The time is up; raised also within a call of a plugin that never returns."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Context manager: raise `TimeUp` in the block after so many seconds; 0: never. For the main thread only."""

    def raise_time_up() -> None:
        raise TimeUp

    with interrupt_block(raise_time_up, seconds, REPEAT_SECONDS):
        yield
