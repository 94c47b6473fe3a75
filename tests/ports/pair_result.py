"""What a program wins in chips a hand: a mean, and its standard error."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from statistics import fmean, stdev
from typing import Final

from msgspec import Struct

Z_95: Final = 1.96


class ChipsPerHand(Struct, frozen=True):
    """Chips that were won a hand."""

    mean: float
    error: float  # the standard error

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ± {Z_95 * self.error:.3f}"


def summarize_hands(chips: Sequence[float]) -> ChipsPerHand:
    """Return the result of hands that are independent of each other."""
    return ChipsPerHand(fmean(chips), stdev(chips) / sqrt(len(chips)))


def compare_results(one: ChipsPerHand, other: ChipsPerHand) -> float:
    """Return z, the difference of two results in standard errors; it is 0 for equal results without an error."""
    difference, error = one.mean - other.mean, sqrt(one.error**2 + other.error**2)
    return difference / error if error else inf * difference if difference else 0.0
