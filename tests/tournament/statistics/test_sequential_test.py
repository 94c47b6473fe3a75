"""Sequential: the test that may be looked at at any time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import exp, log, log1p, prod
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.plugins.formats import PlayedBlock
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.sequential_test import (
    compute_confidence_sequence,
    count_blocks_to_proof,
    judge_differences,
    log_aimed_capital,
    log_capital,
)


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
    """The verdict turns round with the sign of all differences: better becomes worse, and close stays close."""
    turned = {"better": "worse", "worse": "better", "close": "close", "undecided": "undecided"}

    one = judge_differences(Counter(sample), delta=0.2)
    assert turned[one] == judge_differences(Counter(-value for value in sample), delta=0.2)


def test_ties_only() -> None:
    """Ties, however many, prove no bot better; given a delta, they prove in time that neither is by more."""
    assert "undecided" == judge_differences({0.0: 1_000_000})
    assert "undecided" == judge_differences({0.0: 20}, delta=0.1)
    assert "close" == judge_differences({0.0: 200}, delta=0.1)


def test_equal_differences_prove_only_what_their_size_allows() -> None:
    """Equal differences prove only what their size allows: a great loss not yet seen may be as rare as one in so many
    blocks. Small differences without exception prove nothing for long.
    """
    assert "undecided" == judge_differences({0.05: 80})
    assert "better" == judge_differences({0.05: 120})
    assert "undecided" == judge_differences({1.0: 5})
    assert "better" == judge_differences({1.0: 8})


def test_the_error_is_shared_by_both_directions() -> None:
    """Twenty coins are a proof at 5 % against one claim; as both are open, it takes forty."""
    [blocks] = [number for number in range(20) if log(20) <= log_capital({1.0: number}, 0.0) < log(40)][:1]

    assert "undecided" == judge_differences({1.0: blocks})
    assert "better" == judge_differences({1.0: blocks}, error=0.1)


def test_small_wins_and_a_rare_great_loss() -> None:
    """One loss of 1 undoes what twenty wins of 0.05 seemed to prove, and more."""
    assert "undecided" == judge_differences({0.05: 100, -1.0: 5})
    assert "worse" == judge_differences({0.05: 900, -1.0: 100})


@settings(max_examples=25)
@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]), min_size=1, max_size=80))
def test_the_confidence_sequence_holds_what_is_not_refuted(sample: list[float]) -> None:
    """The bet just outside of the confidence sequence has won, just inside it has not; the mean of the sample is
    within. The sequence is clear of zero where the verdict says so.
    """
    differences = Counter(sample)
    low, high = compute_confidence_sequence(differences)
    verdict = judge_differences(differences)

    assert -1 <= low <= fmean(sample) <= high <= 1
    assert low == -1 or log_capital(differences, low) >= log(40) > log_capital(differences, low + 1e-4)
    assert (verdict == "better", verdict == "worse") == (low >= 0, high <= 0)
    turned = compute_confidence_sequence(Counter(-value for value in sample))
    assert (-high, -low) == turned


def test_nothing_is_known_before_the_first_block() -> None:
    """The interval before the first block is all that there can be, and no number of blocks is planned without a
    difference.
    """
    assert (-1.0, 1.0) == compute_confidence_sequence({})
    assert count_blocks_to_proof({}) is None
    assert count_blocks_to_proof({0.0: 50}) is None
    assert count_blocks_to_proof({1.0: 7, -1.0: 7}) is None


@pytest.mark.parametrize(
    ("seats", "mean", "deviation"),
    [(2, 0.12, 0.57), (2, 0.46, 0.5), (4, 0.16, 0.24), (6, 0.07, 0.16), (6, 0.15, 0.16)],
)
def test_large_tables_and_small_ones(seats: int, mean: float, deviation: float) -> None:
    """The coin is spread so that a proof needs little more than that of a gambler who knows the best stake.

    Mean and deviation are those of block differences at tables of so many seats.
    """
    differences = {mean - deviation: 1, mean + deviation: 1}
    growth = max(fmean(log1p(stake / 100 * value) for value in differences) for stake in range(1, 100))

    planned = count_blocks_to_proof({}, differences, power=0.5)
    assert planned is not None
    assert 1 < planned / (log(40) / growth) < (1.45 if seats == 2 else 1.3)


@pytest.mark.parametrize("future", [{-1.0: 1, 0.0: 1, 1.0: 3}, {-0.5: 3, 0.25: 2, 0.0: 2}])
def test_the_planned_blocks_prove_it_in_eight_of_ten_cases(future: dict[float, int]) -> None:
    """The planned blocks prove a difference in eight of ten cases like those planned with; half as many blocks prove it
    less often.
    """
    played, rng = {0.0: 3, 0.5: 2}, Random("planned")
    planned = count_blocks_to_proof(played, future)
    assert planned is not None

    proofs = Counter[int]()
    for _ in range(150):
        for blocks in (planned, planned // 2):
            drawn = rng.choices(list(future), list(future.values()), k=blocks)
            proofs[blocks] += judge_differences(Counter(played) + Counter(drawn)) != "undecided"
    assert proofs[planned] / 150 == pytest.approx(0.83, abs=0.1)
    assert proofs[planned // 2] / 150 < 0.6


def test_nothing_more_is_planned_after_a_proof() -> None:
    """Blocks that all go one way are counted off until there is none to go."""
    needed = [count_blocks_to_proof({-1.0: blocks}) for blocks in range(1, 13)]

    assert [max(0, (needed[0] or 0) - blocks) for blocks in range(12)] == needed
    assert needed[-1] == 0
    assert (needed[0] or 0) < 12


def test_nothing_played() -> None:
    """A test without a block proves nothing, and its capital is the coin that it began with."""
    assert "undecided" == HeadToHead(2).judge_pair(0, 1, delta=0.5)
    assert log_capital({}, 0.0) == pytest.approx(0)


def test_a_bot_that_always_wins() -> None:
    """A bot that always wins is soon proven better, and the other one worse."""
    meetings = add_duels([1.0] * 12)

    assert ("better", "worse") == (meetings.judge_pair(0, 1), meetings.judge_pair(1, 0))
    assert [0, 1] == meetings.rank_bots([0, 1])


@pytest.mark.parametrize("delta", [-0.1, 0.0, 1.0, 7.0])
def test_a_delta_that_is_no_question(delta: float) -> None:
    """A delta below nothing, or above the greatest difference there can be, cannot be asked."""
    with pytest.raises(ValueError, match="must be above 0 and below 1"):
        judge_differences({0.0: 5}, delta=delta)


def test_a_known_alternative() -> None:
    """Half of the coin is on the best stake for it, so that no other stake of one coin wins more than twice as much."""
    bets = Counter({1.0: 142, -1.0: 98, 0.0: 360})
    mean = (142 - 98) / 600
    best = max(142 * log1p(stake / 100) + 98 * log1p(-stake / 100) for stake in range(1, 99))

    assert best - log(2) - 0.1 < log_aimed_capital(bets, mean) < best
    assert log_capital(bets, 0.0) < best - 1.2
    assert log_aimed_capital(bets, -mean) == pytest.approx(log_capital(bets, 0.0) - log(2), abs=0.2)
    assert log_aimed_capital(Counter({0.0: 9}), mean) == pytest.approx(0)


def test_blocks_in_any_order() -> None:
    """Blocks in any order have the same verdicts."""
    scores = [number % 3 / 2 for number in range(30)]

    for delta in (None, 0.3):
        forward, backward = add_duels(scores), add_duels(scores[::-1])
        assert forward.judge_pair(0, 1, delta=delta) == backward.judge_pair(0, 1, delta=delta)


def test_a_settled_ranking() -> None:
    """A ranking is settled if every neighbour is proven better than the next, each at a twentieth divided by the number
    of pairs. In another order it is not.
    """
    meetings = HeadToHead(3)
    meetings.add_all(PlayedBlock(place_scores={0: 1.0, 1: 0.5, 2: 0.0}, points={}) for _ in range(30))

    assert [] == meetings.undecided_pairs([0, 1, 2])
    assert [(2, 1)] == meetings.undecided_pairs([0, 2, 1])


def test_a_ranking_of_bots_that_have_not_met() -> None:
    """A ranking is not settled while two neighbours have not met."""
    meetings = add_duels([1.0] * 50, bots=3)

    assert [] == meetings.undecided_pairs([0, 1])
    assert [(1, 2)] == meetings.undecided_pairs([0, 1, 2])


def add_duels(scores: Sequence[float], bots: int = 2) -> HeadToHead:
    """Return the meetings of bots 0 and 1, whose place scores are these and what they leave."""
    meetings = HeadToHead(bots)
    meetings.add_all(PlayedBlock(place_scores={0: score, 1: 1 - score}, points={}) for score in scores)
    return meetings
