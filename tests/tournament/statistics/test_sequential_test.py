"""Sequential: the test that may be looked at at any time."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import exp, log, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss_tournament.statistics.sequential_test import SequentialComparison, judge_differences, log_capital
from pitboss_tournament.statistics.synthetic_tournaments import game_result
from tests.tournament.statistics.sample_results import duel_results, league_results


@pytest.mark.parametrize("mean", [-0.3, 0.0, 0.4])
@pytest.mark.parametrize("worth", [(-1.0, 1.0), (-1.0, 0.5), (-0.4, 1.0)])
def test_the_bet_is_fair(worth: tuple[float, float], mean: float) -> None:
    """Over all courses of eight blocks whose mean is what the claim allows at most, the capital stays one coin on average."""
    less, more = worth
    chance = {less: (more - mean) / (more - less), more: (mean - less) / (more - less)}

    expected = sum(
        prod(chance[value] for value in course) * exp(log_capital(Counter(course), mean))
        for course in product(worth, repeat=8)
    )
    assert expected == pytest.approx(1)


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]), min_size=1, max_size=60))
def test_the_sign_of_all_differences_reversed(sample: list[float]) -> None:
    """Who is better one way is worse the other way; close stays close."""
    turned = {"better": "worse", "worse": "better", "close": "close", "undecided": "undecided"}

    one = judge_differences(Counter(sample), delta=0.2)
    assert turned[one] == judge_differences(Counter(-value for value in sample), delta=0.2)


def test_ties_only() -> None:
    """However many, they prove nobody better; given a delta, they prove in time that neither is by more."""
    assert "undecided" == judge_differences({0.0: 1_000_000})
    assert "undecided" == judge_differences({0.0: 20}, delta=0.1)
    assert "close" == judge_differences({0.0: 200}, delta=0.1)


def test_equal_differences_prove_only_what_their_size_allows() -> None:
    """A great loss not yet seen may be as rare as one in so many blocks: small differences without exception prove nothing for long."""
    assert "undecided" == judge_differences({0.05: 100})
    assert "better" == judge_differences({0.05: 150})
    assert "undecided" == judge_differences({1.0: 5})
    assert "better" == judge_differences({1.0: 12})


def test_the_error_is_shared_by_both_directions() -> None:
    """Twenty coins are a proof at 5 % against one claim; as both are open, it takes forty."""
    [blocks] = [number for number in range(20) if log(20) <= log_capital({1.0: number}, 0.0) < log(40)][:1]

    assert "undecided" == judge_differences({1.0: blocks})
    assert "better" == judge_differences({1.0: blocks}, error=0.1)


def test_small_wins_and_a_rare_great_loss() -> None:
    """One loss of 1 undoes what twenty wins of 0.05 seemed to prove, and more."""
    assert "undecided" == judge_differences({0.05: 100, -1.0: 5})
    assert "worse" == judge_differences({0.05: 900, -1.0: 100})


def test_nothing_played() -> None:
    """Nothing is proven, and the capital is the coin that it began with."""
    contest = SequentialComparison().test_pair(0, 1, delta=0.5)

    assert ("undecided", 0, 40.0) == (contest.verdict, contest.blocks, contest.needed)
    assert contest.evidence == pytest.approx(1)
    assert SequentialComparison().mean_difference(0, 1) is None


def test_a_bot_that_always_wins() -> None:
    """It is soon proven better, and the other one worse; the evidence is then what is needed."""
    evidence = SequentialComparison()
    evidence.add_all(duel_results(*[(1, 1)] * 12))

    one, other = evidence.test_pair(0, 1), evidence.test_pair(1, 0)
    assert ("better", "worse") == (one.verdict, other.verdict)
    assert one.evidence == other.evidence > one.needed
    assert (1.0, -1.0) == (evidence.mean_difference(0, 1), evidence.mean_difference(1, 0))


def test_points_are_capped_at_the_span() -> None:
    """One giant win counts as the span does, however great; and the fewest points win if that is said."""
    plain, giant = SequentialComparison(span=10), SequentialComparison(span=10)
    plain.add_all(duel_results((10, 10), (-1, -2), (-3, 1)))
    giant.add_all(duel_results((1e9, 1e9), (-1, -2), (-3, 1)))
    assert plain.test_pair(0, 1) == giant.test_pair(0, 1)
    assert plain.mean_difference(0, 1) == pytest.approx((10 - 1.5 - 1) / 3)

    golf = SequentialComparison(span=10, lowest_wins=True)
    golf.add_all(duel_results(*[(10, 10)] * 12))
    assert "worse" == golf.test_pair(0, 1).verdict


def test_delta_is_in_points() -> None:
    """With a span of 10, close by 4 points is close by 0.4 of the span."""
    evidence = SequentialComparison(span=10)
    evidence.add_all(duel_results(*[(1, -1)] * 40))

    assert "close" == evidence.test_pair(0, 1, delta=4).verdict
    assert "undecided" == evidence.test_pair(0, 1, delta=0.4).verdict


@pytest.mark.parametrize("delta", [-0.1, 0.0, 1.0, 7.0])
def test_a_delta_that_is_no_question(delta: float) -> None:
    """Closer than nothing, or than the greatest difference there can be, cannot be asked."""
    with pytest.raises(ValueError, match="must be above 0 and below 1"):
        judge_differences({0.0: 5}, delta=delta)


def test_blocks_added_while_it_runs() -> None:
    """Block by block or all at once, in any order: the evidence is the same."""
    games = league_results(30, step=6)
    once, by_block = SequentialComparison(), SequentialComparison()
    once.add_all(games)
    for begin in reversed(range(0, len(games), 3)):
        by_block.add(games[begin : begin + 3])

    for one, other in product(range(4), repeat=2):
        a, b = once.test_pair(one, other), by_block.test_pair(one, other)
        assert (a.verdict, a.blocks) == (b.verdict, b.blocks)
        assert log(a.evidence) == pytest.approx(log(b.evidence))


def test_a_settled_ranking() -> None:
    """Every neighbour is proven better than the next, each at a twentieth divided by the number of pairs; in another order it is not."""
    games = [game_result(0, deal, turn, (0, 1, 2), [3.0, 2.0, 1.0]) for deal in range(30) for turn in range(3)]
    evidence = SequentialComparison()
    evidence.add_all(games)

    settled = evidence.test_ranking([0, 1, 2])
    assert settled.is_settled
    assert [(0, 1), (1, 2)] == [(contest.entrant, contest.other) for contest in settled.contests]
    assert all(contest.needed == pytest.approx(2 / (0.05 / 3)) for contest in settled.contests)
    assert not evidence.test_ranking([0, 2, 1]).is_settled


def test_a_ranking_of_bots_that_have_not_met() -> None:
    """It is not settled while two neighbours have not met."""
    evidence = SequentialComparison()
    evidence.add_all(duel_results(*[(1, 1)] * 50))

    assert evidence.test_ranking([0, 1]).is_settled
    assert not evidence.test_ranking([0, 1, 2]).is_settled
