"""Tests of all pairs at once: the numbers of each pair by itself."""

from __future__ import annotations

from itertools import combinations
from math import inf
from random import Random

import pytest

from pitboss_tournament.statistics.arrays import np
from pitboss_tournament.statistics.pair_tests import HolmLimit, compute_tail_errors, find_holm_limit, list_pair_tests
from pitboss_tournament.statistics.ratings import rate_rankings
from pitboss_tournament.statistics.student_t import MAX_EXACT_FREEDOM, find_bayes_t, log_bayes_factor, student_t_cdf
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.statistics.sample_results import count_rankings

WORLDS = {
    "unequal bots": (SyntheticTournament(strengths=(1.0, 0.5, 0.0, -0.2, -0.5, 4.0), seats=2), 60),
    "bots that always won, and blocks of one": (SyntheticTournament(strengths=(9.0, 0.0, -9.0, 0.5), seats=2), 9),
    "seats that differ": (SyntheticTournament(strengths=(1.0, 0.0, -1.0), seats=3, advantage=(2.0, 0.0, -2.0)), 40),
}


@pytest.mark.parametrize("world", WORLDS)
def test_all_pairs_at_once(world: str) -> None:
    """Each pair that can be compared has the t and the degrees of freedom that it has by itself; the others are not
    there.
    """
    played, blocks = WORLDS[world]
    rated = rate_rankings(count_rankings(list(played.games(blocks, Random(3)))), played.names)
    order = [line.entrant for line in rated.lines]
    expected = {
        (one, other): compared
        for one, other in combinations(range(len(order)), 2)
        if (compared := rated.compare(order[one], order[other])) is not None
    }

    columns = [column.tolist() for column in list_pair_tests(rated, order)]

    assert expected.keys() == {*zip(columns[0], columns[1], strict=True)}
    for one, other, t, freedom in zip(*columns, strict=True):
        assert list(expected[one, other]) == pytest.approx([t, freedom], rel=1e-9)


def test_errors_of_many() -> None:
    """The errors of many are those of Student's distribution function, of many and of few degrees of freedom."""
    rng = Random(1)
    freedom = [1, 2, 3, 4, 17, 48, MAX_EXACT_FREEDOM, MAX_EXACT_FREEDOM + 1, 5000] * 9
    t = [rng.gauss(0, 3) for _ in freedom]

    errors = compute_tail_errors(np.array(t), np.array(freedom, dtype=np.float64)).tolist()

    assert errors == pytest.approx([2 * student_t_cdf(-abs(own), df) for own, df in zip(t, freedom, strict=True)])


def test_errors_of_none() -> None:
    """A tournament of which no two bots can be compared has no errors."""
    assert [] == compute_tail_errors(np.zeros(0), np.zeros(0)).tolist()


def test_holm() -> None:
    """Each error is multiplied by how many pairs are left; what follows the first that is too large is not told."""
    assert HolmLimit(0.01, 0.04) == find_holm_limit([0.9, 0.03, 0.01], 4, 0.05, 0.0)
    assert HolmLimit(0.016, 0.048) == find_holm_limit([0.016, 0.01], 4, 0.05, 0.0)
    assert HolmLimit(0.012, 0.048) == find_holm_limit([0.04, 0.012, 0.012], 4, 0.05, 0.0)
    assert HolmLimit(0.001, 0.02) == find_holm_limit([0.001], 3, 0.05, 0.02)
    assert find_holm_limit([0.02], 3, 0.05, 0.0) is None


@pytest.mark.parametrize("freedom", [9, 48, 10_000])
def test_enough_for_a_proof(freedom: int) -> None:
    """The least t is the one whose Bayes factor is the proof."""
    assert log_bayes_factor(find_bayes_t(3.0, freedom), freedom) == pytest.approx(3.0)


def test_no_t_is_enough_for_a_proof() -> None:
    """With a single degree of freedom the Bayes factor stays small."""
    assert inf == find_bayes_t(9.0, 1)
