"""Pairwise: differences of two bots over the blocks in which both were."""

from __future__ import annotations

from collections import Counter
from math import inf, sqrt
from statistics import fmean, pstdev, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss_tournament.statistics.blocks import complete_blocks, margins, place_scores, points, wins
from pitboss_tournament.statistics.pairwise import block_differences, compare_entrants, estimate_difference
from pitboss_tournament.statistics.running_moments import Interval
from pitboss_tournament.statistics.sequential_test import compute_confidence_sequence
from pitboss_tournament.statistics.student_t import anytime_t_quantile, student_t_cdf
from tests.synthetic_tournaments import game_result
from tests.tournament.statistics.sample_results import duel_results, league_results

TABLE = [(1, 12.706), (2, 4.303), (3, 3.182), (7, 2.365), (10, 2.228), (30, 2.042), (100, 1.984), (500, 1.9647)]


def test_the_measures_of_a_game() -> None:
    """The measures of a game are points, the same above the table's mean, the share of the win, and the share of the
    others left behind.
    """
    game = game_result(0, 0, 0, (4, 5, 6, 7), [10.0, 30.0, 10.0, -10.0])

    assert [10, 30, 10, -10] == points(game)
    assert [0, 20, 0, -20] == margins(game)
    assert [0, 1, 0, 0] == wins(game)
    assert [0.5, 1, 0.5, 0] == pytest.approx(place_scores(game))


def test_place_scores_of_sides() -> None:
    """Partners are not each other's rivals: who wins has left all others behind."""
    game = game_result(0, 0, 0, (4, 5, 6, 7), [10.0, 30.0, 10.0, 30.0])

    assert (0, 1, 0, 1) == place_scores(game, ((0, 2), (1, 3)))


def test_only_complete_blocks_in_their_own_order() -> None:
    """A block that lacks a game is left out; the order of the games does not matter."""
    games = duel_results((1, 2), (3, 4), (5, 6))
    blocks = complete_blocks([*reversed(games)][1:])

    assert [games[0:2], games[2:4]] == blocks


def test_a_block_difference_at_different_tables() -> None:
    """The difference of a block is what one bot got less what the other got at the same tables; a block with only one
    of them does not count.
    """
    games = [game_result(0, 0, turn, (0, 1, 2), [10.0 * turn, 4.0, 0.0]) for turn in range(3)]
    games += [game_result(1, 0, turn, (0, 1, 3), [7.0, 6.0, 0.0]) for turn in range(3)]
    games += [game_result(2, 0, turn, (0, 2, 3), [99.0, 6.0, 0.0]) for turn in range(3)]
    found = block_differences(complete_blocks(games), points)

    assert [6, 1] == found[0, 1]
    assert [10, 93] == found[0, 2]
    assert [6] == found[1, 3]


def test_a_known_sample() -> None:
    """The differences 1, 2, 3, 4, 5 have mean 3, error √2 / 2 and t = 4.2426 with 4 degrees of freedom (p = 0.0132)."""
    found = estimate_difference([1, 2, 3, 4, 5])

    assert found.estimate.mean == 3
    assert found.estimate.half_width == pytest.approx(2.776 / sqrt(2), rel=1e-3)
    assert found.chance == pytest.approx(1 - 0.01324 / 2, abs=1e-5)
    assert (found.anytime, found.is_sure) == (None, False)


@pytest.mark.parametrize(("freedom", "t"), TABLE)
def test_the_chance_by_the_printed_tables(freedom: int, t: float) -> None:
    """Beyond the tables' points lie 2.5 % on either side, and exactly half above nothing."""
    assert student_t_cdf(t, freedom) == pytest.approx(0.975, abs=2e-5)
    assert student_t_cdf(-t, freedom) == pytest.approx(0.025, abs=2e-5)
    assert student_t_cdf(0, freedom) == 0.5


def test_the_chance_where_its_two_formulas_meet() -> None:
    """Exact below and nearly so above: from 200 to 201 degrees of freedom there is no step.

    Without any there is an error.
    """
    for t in (0.1, 1.0, 3.0, 6.0):
        assert student_t_cdf(t, 201) == pytest.approx(student_t_cdf(t, 200), abs=1e-5)
        assert student_t_cdf(t, 201) >= student_t_cdf(t, 200) - 1e-6
    with pytest.raises(ValueError, match="at least one degree of freedom"):
        student_t_cdf(1.0, 0)


@given(
    st.lists(st.integers(-9, 9), min_size=2, max_size=12).filter(
        lambda values: len(set(values)) > 1 and sum(values) != 0
    )
)
def test_how_many_more_blocks(sample: list[int]) -> None:
    """The interval at any time with as many more blocks as planned excludes zero in 80 of 100 cases, with one fewer it
    does not. Mean, deviation and skewness are kept. None are needed where it excludes zero already.
    """
    found = estimate_difference([float(value) for value in sample])
    count, mean = len(sample), abs(fmean(sample))
    skewness = sum((value - fmean(sample)) ** 3 for value in sample) / count / pstdev(sample) ** 3

    def half_width(blocks: int) -> float:
        return (anytime_t_quantile(blocks - 1) + 4 * skewness**2 / blocks) * stdev(sample) / sqrt(blocks)

    def margin(blocks: int) -> float:
        return half_width(blocks) + 0.8416212 * stdev(sample) / sqrt(blocks)

    if found.more_blocks is None:
        assert mean < 0.1 * stdev(sample) / sqrt(count)
        return
    assert found.is_sure == (found.more_blocks == 0) == (half_width(count) < mean)
    assert found.is_sure or margin(count + found.more_blocks) < mean * (1 + 1e-6)
    assert found.more_blocks <= 1 or margin(count + found.more_blocks - 1) >= mean * (1 - 1e-6)


@given(st.lists(st.integers(-9, 9), min_size=3, max_size=12).filter(lambda values: len(set(values)) > 1))
def test_the_chance_and_the_interval_agree(sample: list[int]) -> None:
    """The chance is beyond 97.5 % exactly if the interval is clear of zero, skewed samples included."""
    found = estimate_difference([float(value) for value in sample])
    assert found.estimate.mean is not None
    assert found.estimate.half_width is not None
    assert found.chance is not None

    ahead = found.estimate.mean - found.estimate.half_width
    if abs(ahead) > 1e-4 * found.estimate.half_width:
        assert (ahead > 0) == (found.chance > 0.975)


def test_equal_differences_only() -> None:
    """Equal differences have no spread to measure by: no interval without a scale, and no more certainty than that many
    equal outcomes allow.
    """
    found = estimate_difference([2.0] * 4)
    assert (2.0, None) == (found.estimate.mean, found.estimate.half_width)
    assert found.chance == 1 - 1 / 32
    assert found.more_blocks == 3

    tied = estimate_difference([0.0] * 1000, scale=2.0)
    assert (0.5, None) == (tied.chance, tied.more_blocks)
    assert tied.estimate.half_width == pytest.approx(2 * (1 - 0.05**0.001))


def test_one_block_and_none() -> None:
    """One block has no spread; without any nothing is known."""
    one, none = estimate_difference([3.0]), estimate_difference([])

    assert (3.0, None) == (one.estimate.mean, one.estimate.half_width)
    assert one.chance == 0.75
    assert (None, None, None, None) == (none.estimate.mean, none.estimate.half_width, none.chance, none.more_blocks)


def test_all_pairs_are_listed() -> None:
    """The list has all pairs, also those that never met, of which nothing is known."""
    found = compare_entrants(league_results(8), 5)

    assert 10 == len(found)
    assert [0] * 4 == [pair.blocks for pair in found if pair.other == 4]
    assert all(pair.blocks > 0 and pair.places.chance is not None for pair in found if pair.other < 4)


def test_two_bots_that_always_tie() -> None:
    """Points have no scale, so no interval.

    Place scores may differ by 1 either way, and the interval is what eight blocks allow.
    """
    [pair] = compare_entrants(duel_results(*[(0, 0)] * 8), 2)

    assert (0, None) == (pair.points.estimate.mean, pair.points.estimate.half_width)
    assert pair.places.estimate.half_width == pytest.approx(2 * (1 - 0.05**0.125))


def test_a_pair_in_the_other_order() -> None:
    """Turned round, differences change their sign and chances are what is left to 1.

    If the fewest points win, the chance turns alone.
    """
    games = league_results(20, seats=2)
    turned = [replace(g, seats=tuple(replace(seat, entrant=3 - seat.entrant) for seat in g.seats)) for g in games]
    one, other = compare_entrants(games, 4)[0], compare_entrants(turned, 4)[-1]
    sample = block_differences(complete_blocks(games), points)[0, 1]
    lowest = estimate_difference(sample, lowest_wins=True)

    for a, b in ((one.points, other.points), (one.places, other.places)):
        assert a.estimate.mean == pytest.approx(-(b.estimate.mean or 0))
        assert a.chance == pytest.approx(1 - (b.chance or 0))
        assert a.more_blocks == b.more_blocks
    assert (one.reverse().entrant, one.reverse().other) == (1, 0)
    assert one.reverse().reverse().points.estimate == one.points.estimate
    assert lowest.estimate == one.points.estimate
    assert lowest.chance == pytest.approx(1 - (one.points.chance or 0))


def test_intervals_at_any_time_are_wider() -> None:
    """The intervals at any time are wider: of points by Student's t at any time, of place scores by the sequential
    test; turned round with the bots. A pair is sure exactly if they are clear of zero.
    """
    sample = [0.5, 0.0, 1.0, -0.5, 0.5, 0.5, 0.0, 1.0, 0.5, -0.5] * 3

    for scale in (None, 2.0):
        found = estimate_difference(sample, scale=scale)
        assert found.anytime is not None
        assert found.estimate.mean is not None and found.estimate.half_width is not None
        assert found.anytime.low < found.estimate.mean - found.estimate.half_width
        assert found.anytime.high > found.estimate.mean + found.estimate.half_width
        assert found.is_sure == (found.anytime.low > 0)
        assert found.reverse().anytime == Interval(-found.anytime.high, -found.anytime.low)
    assert estimate_difference(sample, scale=2.0).anytime == Interval(*compute_confidence_sequence(Counter(sample)))


@pytest.mark.parametrize(("freedom", "quantile"), [(5, inf), (6, 30.0), (9, 4.83), (99, 3.16), (999, 3.41)])
def test_student_t_at_any_time(freedom: int, quantile: float) -> None:
    """The quantile of Student's t at any time is wider than for a fixed number of blocks, and needs seven of them."""
    assert anytime_t_quantile(freedom) == pytest.approx(quantile, rel=0.02)


@pytest.mark.parametrize(("freedom", "quantile"), [(1, inf), (2, 12.05), (9, 3.75), (999, 3.41)])
def test_student_t_at_any_time_of_a_variance_that_others_tell_of(freedom: int, quantile: float) -> None:
    """The quantile of Student's t at any time, with ten degrees of freedom more from others, is narrower, and needs
    three blocks.
    """
    assert anytime_t_quantile(freedom, 10) == pytest.approx(quantile, rel=0.02)
