"""The test between two bounds, and the scale of points that its bounds are given in."""

from __future__ import annotations

from math import exp, inf, log, sqrt
from random import Random

import pytest
from msgspec.structs import replace

from pitboss_tournament.statistics.blocks import score_block
from pitboss_tournament.statistics.bounded_test import BoundedVerdict, Bounds, PairBlock, PairedGames
from tests.synthetic_tournaments import SyntheticTournament

BOUNDS = Bounds(low=0.0, high=0.4, alpha=0.05, beta=0.05)
WON: PairBlock = ((0, 1, 1), (1, 0, 1))  # both games of a deal
LOST: PairBlock = ((0, 1, -1), (1, 0, -1))
TIED: PairBlock = ((0, 1, 0), (1, 0, 0))
SPLIT: PairBlock = ((0, 1, -1), (1, 0, 1))  # one game each


@pytest.mark.parametrize(
    ("blocks", "verdict"),
    [
        ({}, "undecided"),
        ({WON: 3}, "undecided"),
        ({TIED: 10_000}, "undecided"),
        ({WON: 60, LOST: 20, TIED: 40}, "better"),
        ({WON: 60, LOST: 20, TIED: 4_000}, "better"),
        ({WON: 20, LOST: 60, TIED: 40}, "not better"),
        ({WON: 300, LOST: 300}, "not better"),
        ({WON: 2_400, LOST: 2_000}, "better"),
    ],
)
def test_the_verdict(blocks: dict[PairBlock, int], verdict: BoundedVerdict) -> None:
    """A clear difference is proven either way; ties prove nothing."""
    assert PairedGames.of_blocks(blocks).run_test(BOUNDS).verdict == verdict


@pytest.mark.long
def test_better_and_the_interval_say_the_same() -> None:
    """Better is proven exactly when the interval is above the lower bound, not better when it is below the upper."""
    games, seen = PairedGames(), set()
    for number in range(120):
        games.blocks[(WON, TIED, WON, LOST)[number % 4]] += 1
        found, interval = games.run_test(BOUNDS), games.compute_interval(BOUNDS)
        assert (found.proof_better == 1) is (interval.low > BOUNDS.low)
        assert (found.proof_not_better == 1) is (interval.high < BOUNDS.high)
        assert interval.estimate is not None
        assert interval.low <= interval.estimate <= interval.high
        seen.add(found.verdict)

    assert seen == {"undecided", "better"}


def test_the_likeliest_difference() -> None:
    """The likeliest difference is the log odds of being ahead, ties aside, less the worth of the seats."""
    assert PairedGames().compute_interval(BOUNDS) == (None, -inf, inf)
    assert PairedGames.of_blocks({TIED: 9}).compute_interval(BOUNDS).estimate is None
    even = PairedGames.of_blocks({WON: 60_000, LOST: 30_000, TIED: 500_000})
    assert even.compute_interval(BOUNDS).estimate == pytest.approx(log(2), abs=1e-3)
    lead, seat = 0.5, 1.5
    games: dict[PairBlock, int] = {
        ((one, two, ahead),): round(1e6 / (1 + exp(-ahead * (lead + (seat if one == 0 else -seat)))))
        for one, two in ((0, 1), (1, 0))
        for ahead in (1, -1)
    }
    unequal = PairedGames.of_blocks(games)
    assert unequal.fit_seats().seats == pytest.approx({0: seat / 2, 1: -seat / 2}, abs=1e-3)
    assert unequal.compute_interval(BOUNDS).estimate == pytest.approx(lead, abs=1e-3)


def test_the_error_of_the_seats_counts() -> None:
    """A difference is as unsure as the seats are where one bot always sits just before the other: half a million games
    in three pairs of seats tell nothing of the two bots that a few in the fourth pair do not tell.
    """
    sure = [((one, one + 1, ahead),) for one in range(3) for ahead in (1, -1)]
    unsure: dict[PairBlock, int] = {((3, 0, 1),): 21, ((3, 0, -1),): 9}
    games = PairedGames.of_blocks(dict.fromkeys(sure, 90_000) | unsure)
    interval = games.compute_interval(BOUNDS)
    error = sqrt(1 / 9 + 1 / 21) / 4  # the difference is the mean of the four logits

    assert games.run_test(BOUNDS).verdict == "undecided"
    assert interval.estimate == pytest.approx(log(21 / 9) / 4, rel=0.05)
    assert interval.high - interval.low > 4 * error


def test_the_estimate_at_the_stop_is_corrected() -> None:
    """After a verdict the estimate is nearer to the middle of the bounds than the likeliest difference."""
    likeliest = log(60 / 30)
    stopped = PairedGames.of_blocks({WON: 60, LOST: 30}).compute_interval(BOUNDS).estimate
    running = PairedGames.of_blocks({WON: 6, LOST: 3}).compute_interval(BOUNDS).estimate

    assert running == pytest.approx(likeliest, abs=1e-3)
    assert stopped is not None
    assert 0.2 < stopped < likeliest - 0.05


def test_a_difference_as_large_as_the_other_bound_is_proven_sooner() -> None:
    """A difference as large as the other bound is proven sooner, as half of the proof is staked for it: 600 deals show
    25 points, where 750 do if all of it is spread.
    """
    bounds = Bounds(low=0.0, high=0.144, alpha=0.05, beta=0.05)
    deals = {WON: 142, LOST: 98, SPLIT: 360}  # as of bots 25 points apart, and of equal ones with the signs turned
    turned = {WON: 98, LOST: 142, SPLIT: 360}

    assert PairedGames.of_blocks(deals).run_test(bounds).verdict == "better"
    assert PairedGames.of_blocks(turned).run_test(replace(bounds, low=-0.144, high=0.0)).verdict == "not better"


@pytest.mark.long
@pytest.mark.once
@pytest.mark.parametrize(
    "world",
    [
        SyntheticTournament(strengths=(0.0, 0.0), seats=2, card_share=0.5, draw_share=0.8),
        pytest.param(
            SyntheticTournament(
                strengths=(0.0, 0.0, 2.0, 2.0), seats=4, advantage=(2.0, 0.5, 0.0, -2.0), told="winner"
            ),
            marks=pytest.mark.long,
        ),
    ],
)
def test_copies_are_rarely_called_better(world: SyntheticTournament) -> None:
    """The test calls one of two equal bots better in at most 5 % of the tests, looked at after every block, whatever
    ties.
    """
    wrong = 0
    for number in range(60):
        games = PairedGames()
        for block in world.blocks(120, Random(f"copies/{number}")):
            games.add(score_block(block), 0, 1)
            found = games.run_test(BOUNDS)
            if found.verdict != "undecided":
                wrong += found.verdict == "better"
                break

    assert wrong <= 3
