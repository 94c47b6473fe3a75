"""The test between two bounds, and the scale of points that its bounds are given in."""

from __future__ import annotations

from collections import Counter
from math import inf
from random import Random

import pytest

from pitboss_tournament.statistics.bounded_test import (
    BoundedVerdict,
    Bounds,
    compute_bounded_interval,
    run_bounded_test,
)
from pitboss_tournament.statistics.point_scale import PointScale

BOUNDS = Bounds(low=0.0, high=0.2, alpha=0.05, beta=0.05)


@pytest.mark.parametrize(
    ("differences", "verdict"),
    [
        (Counter(), "undecided"),
        (Counter({1.0: 3}), "undecided"),
        (Counter({1.0: 60, -1.0: 20, 0.0: 40}), "better"),
        (Counter({1.0: 20, -1.0: 60, 0.0: 40}), "not better"),
        (Counter({0.0: 300}), "not better"),
        (Counter({1.0: 2_400, -1.0: 2_000}), "better"),
    ],
)
def test_the_verdict(differences: Counter[float], verdict: BoundedVerdict) -> None:
    """A clear difference is proven either way; many equal results prove that there is none of the upper bound."""
    assert run_bounded_test(differences, BOUNDS).verdict == verdict


def test_better_and_the_interval_say_the_same() -> None:
    """Better is proven exactly when the interval is above the lower bound, not better when it is below the upper."""
    differences, seen = Counter[float](), set()
    for number in range(60):
        differences[(1.0, 0.5, 1.0, -1.0)[number % 4]] += 1
        found = run_bounded_test(differences, BOUNDS)
        low, high = compute_bounded_interval(differences, BOUNDS)
        assert (found.proof_better == 1) is (low > BOUNDS.low)
        assert (found.proof_not_better == 1) is (high < BOUNDS.high)
        assert low <= high
        seen.add(found.verdict)

    assert seen == {"undecided", "better"}


def test_copies_are_rarely_called_better() -> None:
    """Looked at after every block, at most 5 % of the tests of two equal bots end with "better"."""
    wrong = 0
    for number in range(60):
        rng, differences = Random(f"copies/{number}"), Counter[float]()
        for _ in range(120):
            differences[rng.choice([-1.0, 0.0, 0.0, 1.0])] += 1
            found = run_bounded_test(differences, Bounds(low=0.0, high=0.5, alpha=0.05, beta=0.05))
            if found.verdict != "undecided":
                wrong += found.verdict == "better"
                break

    assert wrong <= 3


@pytest.mark.parametrize("scale", [PointScale(2), PointScale(4), PointScale(2, 2.0), PointScale(10)])
def test_points_and_scores(scale: PointScale) -> None:
    """They lead to each other; equal bots have the same score, and the ends of the scores are infinitely far."""
    for points in (-400.0, -25.0, 0.0, 3.0, 100.0, 800.0):
        assert scale.to_points(scale.to_score(points)) == pytest.approx(points, abs=1e-6)
    assert (scale.to_points(1.0), scale.to_points(-1.0)) == (inf, -inf)


def test_the_score_of_100_points() -> None:
    """Alone at a table of two, 100 points are 64 % of the games; partners who are no better halve them."""
    assert (1 + PointScale(2).to_score(100)) / 2 == pytest.approx(0.640, abs=0.0005)
    assert PointScale(2, 2.0).to_score(200) == pytest.approx(PointScale(2).to_score(100))
    assert PointScale.of_table(4, ((0, 2), (1, 3))) == PointScale(2, 2.0)
    assert PointScale.of_table(3, None) == PointScale(3)


def test_the_score_at_a_larger_table() -> None:
    """With two others midway between the two, a third of the difference is that to each other, and a third each that to
    one of them.
    """
    two = PointScale(2)

    assert PointScale(4).to_score(100) == pytest.approx((two.to_score(100) + 2 * two.to_score(50)) / 3)
