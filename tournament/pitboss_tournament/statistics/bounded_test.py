"""Sequential test of a mean difference against two bounds.

It is used as a sequential probability ratio test is in computer chess (Wald 1945; fastchess `-sprt elo0 elo1 alpha
beta`), but has no model of the results. "better" is proven when the mean is above the lower bound, "not better" when it
is below the upper one. The two proofs are bets (`sequential_test`), valid for any distribution, and however often one
looks: if the mean is at most the lower bound, "better" is ever said with probability `alpha` at most; if it is at least
the upper one, "not better" with probability `beta` at most. In between either may be said, and both are true. As the
bounds differ, one of the two is proven in the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from typing import Literal, TypeAlias

from msgspec import Struct

from pitboss_tournament.statistics.sequential_test import compute_confidence_sequence, log_capital

BoundedVerdict: TypeAlias = Literal["better", "not better", "undecided"]


class Bounds(Struct, frozen=True, kw_only=True):
    """What is to be told apart: a mean difference of at most `low` from one of at least `high`, between -1 and 1."""

    low: float
    high: float
    alpha: float
    beta: float


class BoundedTestResult(Struct, frozen=True, kw_only=True):
    """What a test has found so far."""

    verdict: BoundedVerdict
    blocks: int
    proof_better: float  # share of the proof that there is, from 0 to 1, on the scale of its logarithm
    proof_not_better: float


def run_bounded_test(differences: Mapping[float, int], bounds: Bounds) -> BoundedTestResult:
    """Return the result for block differences between -1 and 1, given with their counts."""
    turned = {-value: count for value, count in differences.items()}
    proof_better = log_capital(differences, bounds.low) / -log(bounds.alpha)
    proof_not_better = log_capital(turned, -bounds.high) / -log(bounds.beta)
    return BoundedTestResult(
        verdict="better" if proof_better >= 1 else "not better" if proof_not_better >= 1 else "undecided",
        blocks=sum(differences.values()),
        proof_better=min(1.0, max(0.0, proof_better)),
        proof_not_better=min(1.0, max(0.0, proof_not_better)),
    )


def compute_bounded_interval(differences: Mapping[float, int], bounds: Bounds) -> tuple[float, float]:
    """Return the confidence sequence of the mean that says the same as the test.

    The mean is ever below it with probability `alpha` at most, and ever above it with `beta` at most. It is above the
    lower bound where "better" is proven, and below the upper one where "not better" is, but for rounding.
    """
    low, _ = compute_confidence_sequence(differences, error=2 * bounds.alpha)
    _, high = compute_confidence_sequence(differences, error=2 * bounds.beta)
    return low, high
