"""A search budget in steps instead of seconds, so that a search gives the same result on every machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

STEPS_PER_SECOND: Final = 10_000  # actions that an ordinary machine tries, roughly


class StepBudget:
    """The steps that a search may still take."""

    def __init__(self, steps: int) -> None:
        self.steps_left = steps

    @property
    def is_spent(self) -> bool:
        """Whether no step is left."""
        return self.steps_left <= 0

    def spend(self, steps: int = 1) -> None:
        """Use up `steps` steps."""
        self.steps_left -= steps

    @contextmanager
    def half(self) -> Iterator[StepBudget]:
        """Context manager: a budget with half of the steps for the block; unused steps come back."""
        part = StepBudget(self.steps_left // 2)
        self.steps_left -= part.steps_left
        yield part
        self.steps_left += part.steps_left
