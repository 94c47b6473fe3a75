"""Patience: how long to search, counted in steps and not by a clock, so that a search ends the same way on every machine."""

from __future__ import annotations

from typing import Final

STEPS_PER_SECOND: Final = 10_000  # an ordinary machine tries about so many actions


class StepBudget:
    """A number of steps that may be taken."""

    __slots__ = ("steps_left",)

    def __init__(self, steps: int) -> None:
        self.steps_left = steps

    @property
    def is_spent(self) -> bool:
        """Tell whether no step is left."""
        return self.steps_left <= 0

    def spend(self, steps: int = 1) -> None:
        """Take some steps."""
        self.steps_left -= steps

    def split_half(self) -> StepBudget:
        """Return half of what is left, to be spent apart: what is not spent comes back by `take_back`."""
        part = StepBudget(self.steps_left // 2)
        self.steps_left -= part.steps_left
        return part

    def return_rest(self, part: StepBudget) -> None:
        """Take back what is left of a part."""
        self.steps_left += part.steps_left
