"""Sequential test of a mean difference against two bounds, for differences by deal of which none exceeds 1.

The two proofs are bets (`sequential_test`), valid however often one looks: if the mean is at most the lower bound,
"better" is ever said with probability `alpha` at most; if it is at least the upper one, "not better" with `beta`. Half
of each is staked for the mean to be the other bound (`log_aimed_capital`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from math import log, sqrt
from typing import Final

from pitboss.plugins.formats import PlayedBlock
from pitboss_tournament.statistics.bounded_test import (
    BoundedTestResult,
    Bounds,
    DifferenceInterval,
    correct_interval,
)
from pitboss_tournament.statistics.sequential_test import log_aimed_capital

HALVINGS: Final = 20  # of an interval that is searched
_DIGITS: Final = 12


class BoundedMean:
    """Differences that are counted, and what they prove."""

    def __init__(self) -> None:
        self._differences = Counter[float]()

    def add(self, block: PlayedBlock, one: int, other: int) -> None:
        """Add a block of two bots: the difference of their scores, between -1 and 1."""
        self._differences[round(block.place_scores[one] - block.place_scores[other], _DIGITS)] += 1

    def run_test(self, bounds: Bounds) -> BoundedTestResult:
        """Return what the test has found."""
        turned = {-value: count for value, count in self._differences.items()}
        width = bounds.high - bounds.low
        better = _measure_proof(self._differences, bounds.low, width, bounds.alpha)
        not_better = _measure_proof(turned, -bounds.high, width, bounds.beta)
        return BoundedTestResult(
            verdict="better" if better >= 1 else "not better" if not_better >= 1 else "undecided",
            blocks=self._differences.total(),
            proof_better=min(1.0, max(0.0, better)),
            proof_not_better=min(1.0, max(0.0, not_better)),
        )

    def compute_interval(self, bounds: Bounds) -> DifferenceInterval:
        """Return the mean, and the confidence sequence that says the same as the test."""
        if not self._differences:
            return DifferenceInterval(None, -1.0, 1.0)
        turned = {-value: count for value, count in self._differences.items()}
        width = bounds.high - bounds.low
        low = _find_end(lambda mean: _measure_proof(self._differences, mean, width, bounds.alpha) >= 1)
        high = -_find_end(lambda mean: _measure_proof(turned, mean, width, bounds.beta) >= 1)
        blocks = self._differences.total()
        mean = sum(value * count for value, count in self._differences.items()) / blocks
        error = sqrt(sum((value - mean) ** 2 * count for value, count in self._differences.items())) / blocks
        return correct_interval(DifferenceInterval(mean, low, high), error, bounds)


def _measure_proof(differences: Mapping[float, int], mean: float, width: float, error: float) -> float:
    """Return the share of the proof that the mean is greater than `mean`, half for one greater by `width`."""
    if not differences or mean <= -1:
        return 0.0
    bets = {(value - mean) / (1 + mean): count for value, count in differences.items()}
    return log_aimed_capital(bets, width / (1 + mean)) / -log(error)


def _find_end(is_refuted: Callable[[float], bool]) -> float:
    """Return the greatest mean that is refuted, from -1 on."""
    low, high = -1.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_refuted(middle) else (low, middle)
    return low
