"""Sequential: the test that may be looked at at any time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import exp, log, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.formats import PlayedBlock
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.sequential_test import judge_differences, log_capital


@pytest.mark.parametrize("mean", [-0.3, 0.0, 0.4])
@pytest.mark.parametrize("worth", [(-1.0, 1.0), (-1.0, 0.5), (-0.4, 1.0)])
def test_the_bet_is_fair(worth: tuple[float, float], mean: float) -> None:
    """Over all courses of eight blocks whose mean is the claim's limit, the capital stays one coin on average."""
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
    """A great loss not yet seen may be as rare as one in so many blocks.

    Small differences without exception prove nothing for long.
    """
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
    assert "undecided" == HeadToHead(2).judge_pair(0, 1, delta=0.5)
    assert log_capital({}, 0.0) == pytest.approx(0)


def test_a_bot_that_always_wins() -> None:
    """It is soon proven better, and the other one worse."""
    meetings = add_duels([1.0] * 12)

    assert ("better", "worse") == (meetings.judge_pair(0, 1), meetings.judge_pair(1, 0))
    assert [0, 1] == meetings.rank_bots([0, 1])


@pytest.mark.parametrize("delta", [-0.1, 0.0, 1.0, 7.0])
def test_a_delta_that_is_no_question(delta: float) -> None:
    """Closer than nothing, or than the greatest difference there can be, cannot be asked."""
    with pytest.raises(ValueError, match="must be above 0 and below 1"):
        judge_differences({0.0: 5}, delta=delta)


def test_blocks_in_any_order() -> None:
    """The verdicts are the same."""
    scores = [number % 3 / 2 for number in range(30)]

    for delta in (None, 0.3):
        forward, backward = add_duels(scores), add_duels(scores[::-1])
        assert forward.judge_pair(0, 1, delta=delta) == backward.judge_pair(0, 1, delta=delta)


def test_a_settled_ranking() -> None:
    """Every neighbour is proven better than the next, each at a twentieth divided by the number of pairs.

    In another order it is not.
    """
    meetings = HeadToHead(3)
    meetings.add_all(PlayedBlock(place_scores={0: 1.0, 1: 0.5, 2: 0.0}, points={}) for _ in range(30))

    assert [] == meetings.undecided_pairs([0, 1, 2])
    assert [(2, 1)] == meetings.undecided_pairs([0, 2, 1])


def test_a_ranking_of_bots_that_have_not_met() -> None:
    """It is not settled while two neighbours have not met."""
    meetings = add_duels([1.0] * 50, bots=3)

    assert [] == meetings.undecided_pairs([0, 1])
    assert [(1, 2)] == meetings.undecided_pairs([0, 1, 2])


def add_duels(scores: Sequence[float], bots: int = 2) -> HeadToHead:
    """Return the meetings of bots 0 and 1, whose place scores are these and what they leave."""
    meetings = HeadToHead(bots)
    meetings.add_all(PlayedBlock(place_scores={0: score, 1: 1 - score}, points={}) for score in scores)
    return meetings
