"""Patience: how long to search, counted in steps and not by a clock, so that a search ends the same way on every machine."""

from __future__ import annotations

from typing import Final

STEPS_A_SECOND: Final = 10_000  # an ordinary machine tries about so many actions


class Patience:
    """A number of steps that may be taken."""

    __slots__ = ("left",)

    def __init__(self, steps: int) -> None:
        self.left = steps

    @property
    def is_over(self) -> bool:
        """Tell whether no step is left."""
        return self.left <= 0

    def spend(self, steps: int = 1) -> None:
        """Take some steps."""
        self.left -= steps

    def half(self) -> Patience:
        """Return half of what is left, to be spent apart: what is not spent comes back by `take_back`."""
        part = Patience(self.left // 2)
        self.left -= part.left
        return part

    def take_back(self, part: Patience) -> None:
        """Take back what is left of a part."""
        self.left += part.left
