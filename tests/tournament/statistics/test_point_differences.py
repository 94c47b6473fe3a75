"""Differences of points between bots: the estimate, its variance, and the tests of all pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from math import sqrt
from random import Random
from statistics import fmean, stdev, variance

import pytest

from pitboss_tournament.statistics.pair_tests import prove_pairs
from pitboss_tournament.statistics.point_counts import PointCounts
from pitboss_tournament.statistics.point_differences import MAX_BORROWED_FREEDOM, PointDifferences, fit_points
from pitboss_tournament.statistics.student_t import student_t_quantile


def count_points(blocks: Iterable[Mapping[int, float]]) -> PointCounts:
    """Return the counts of some blocks."""
    counts = PointCounts()
    counts.add_all(blocks)
    return counts


def fit(blocks: Iterable[Mapping[int, float]], *, has_blocks: bool = True) -> PointDifferences:
    """Return the differences that some blocks show."""
    return PointDifferences(fit_points(count_points(blocks), has_blocks=has_blocks))


def deal_table(rng: Random, bots: Iterable[int], step: float = 0.0, noise: float = 1.0) -> dict[int, float]:
    """Return the points of bots in a block, each `step` ahead of the next number."""
    luck = rng.gauss(0, 50)
    return {bot: luck - step * bot + rng.gauss(0, noise) for bot in bots}


@pytest.mark.parametrize("bots", [2, 3, 6])
@pytest.mark.parametrize("anytime", [False, True])
def test_where_all_meet_it_is_the_paired_t_test(bots: int, anytime: bool) -> None:
    """The test of each pair is the paired t-test where all meet: it has the mean, the t and the interval of the pair's
    own differences.
    """
    rng = Random(bots)
    blocks = [deal_table(rng, range(bots), 0.4) for _ in range(12)]
    found = fit(blocks)

    for one, other in combinations(range(bots), 2):
        gaps = [block[one] - block[other] for block in blocks]
        error = stdev(gaps) / sqrt(len(gaps))
        compared = found.compare(one, other, anytime=anytime)
        assert compared is not None
        assert (compared.freedom, compared.blocks) == (11, 12)
        assert compared.t == pytest.approx(fmean(gaps) / error)
        assert compared.estimate.mean == pytest.approx(fmean(gaps))
        if not anytime:
            assert compared.estimate.half_width == pytest.approx(error * student_t_quantile(11))


def test_opponents_are_taken_into_account() -> None:
    """The weakest bot is the weakest though it has the most points, as it met nobody else than the next weaker one."""
    rng = Random("ladder")
    blocks = [deal_table(rng, pair, 5.0) for pair in ((0, 1), (1, 2), (2, 3)) for _ in range(20)]
    found = fit(blocks)

    leads = [found.lead(bot) or 0.0 for bot in range(4)]
    assert leads == pytest.approx([7.5, 2.5, -2.5, -7.5], abs=0.8)
    compared = found.compare(0, 3)
    assert compared is not None
    assert compared.blocks == 0
    assert compared.estimate.mean == pytest.approx(15, abs=1.5)
    assert compared.error < 1e-9


def test_bots_that_no_chain_connects_are_not_compared() -> None:
    """Two groups that never met have no test between them, and a bot without a block has none at all."""
    rng = Random("islands")
    found = fit([deal_table(rng, pair) for pair in ((0, 1), (2, 3)) for _ in range(9)])

    assert not found.is_connected
    assert found.compare(0, 2) is None
    assert found.compare(0, 7) is None
    assert found.lead(7) is None
    assert [(0, 1), (2, 3)] == [*zip(*(own.tolist() for own in found.pair_tests(range(5))[:2]), strict=True)]


def test_few_blocks_borrow() -> None:
    """Two bots with ten blocks each have 16 degrees of freedom of their own; other blocks lend the rest, but not to a
    test at any time, and not to a pair that met in all blocks of both.
    """
    rng = Random("gauntlet")
    blocks = [deal_table(rng, (0, rival)) for rival in range(1, 9) for _ in range(10)]
    blocks += [deal_table(rng, (20, 21)) for _ in range(10)]
    found = fit(blocks)

    freedoms = [found.compare(1, 2), found.compare(1, 2, anytime=True), found.compare(20, 21)]
    assert [MAX_BORROWED_FREEDOM, 16, 9] == [own and own.freedom for own in freedoms]


def test_who_scatters_otherwise_lends_little() -> None:
    """Bots that scatter ten times as much as others lend little: the common variance is worth little then."""
    rng = Random("wild")
    blocks = [deal_table(rng, (0, rival), noise=10.0 if rival > 4 else 1.0) for rival in range(1, 9) for _ in range(10)]
    found = fit(blocks)

    wild = found.compare(7, 8)
    assert found.fit.freedom < 10
    assert wild is not None
    assert (wild.estimate.half_width or 0) > 8


def test_without_common_blocks_it_is_welchs_test() -> None:
    """Points that stand for themselves are compared by their means."""
    rng = Random("alone")
    own = [[rng.gauss(bot, 1) for _ in range(30)] for bot in range(2)]
    compared = fit([{bot: value} for bot, values in enumerate(own) for value in values], has_blocks=False).compare(0, 1)

    assert compared is not None
    error = sqrt(sum(variance(values) / 30 for values in own))
    assert compared.t == pytest.approx((fmean(own[0]) - fmean(own[1])) / error)


@pytest.mark.parametrize("anytime", [False, True])
def test_equal_differences_prove_nothing(anytime: bool) -> None:
    """Equal differences have no variance to judge by, and prove nothing: a bot that always lost may seldom win a lot
    back.
    """
    found = fit([{0: 1.0, 1: -1.0}] * 20)

    compared = found.compare(0, 1, anytime=anytime)
    assert compared is not None
    assert compared.t == 0.0
    assert compared.estimate.mean == pytest.approx(2.0)
    assert compared.estimate.half_width is None
    assert [] == prove_pairs(found.pair_tests([0, 1], anytime=anytime), 1, anytime).pairs


def test_a_single_block_proves_nothing() -> None:
    """A single block proves nothing without a variance, and a bot with one block borrows one only where others have
    blocks to spare.
    """
    assert fit([{0: 1.0, 1: -1.0}]).compare(0, 1) is None
    assert fit([]).compare(0, 1) is None
    assert fit([{0: 1.0}, {1: 2.0}]).compare(0, 1) is None


def test_kept_points_are_the_same() -> None:
    """Counts restored from their totals, and the same blocks in another order, are fitted alike."""
    rng = Random("kept")
    blocks = [deal_table(rng, rng.sample(range(7), seats)) for seats in (2, 3, 4) for _ in range(30)]
    counts = count_points(blocks)
    restored = PointCounts()
    restored.restore(counts.totals())

    assert fit_points(counts) == fit_points(restored)
    assert counts.totals().fits(7)
    assert not counts.totals().fits(6)
    means = fit(reversed(blocks)).fit.means
    assert fit(blocks).fit.means == pytest.approx(means, abs=1e-9)
