"""How much of the results is the bots and the seats: known worlds, and shares in closed form."""

from __future__ import annotations

from math import log
from random import Random

import pytest

from pitboss_tournament.statistics.blocks import complete_blocks
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.variance_shares import VarianceShares, estimate_variance_shares
from tests.synthetic_tournaments import SyntheticTournament

THREE_TO_ONE = (log(3), 0.0)  # the first wins 3 of 4 games: 1/4 of the variance is between the two


def estimate(made: SyntheticTournament, blocks: int = 400, seed: int = 1) -> VarianceShares:
    """Return the shares in a tournament."""
    return estimate_variance_shares(complete_blocks(made.games(blocks, Random(seed))))


def contains(estimate: Estimate, value: float) -> bool:
    """Tell whether an interval contains a value."""
    assert estimate.mean is not None
    assert estimate.half_width is not None
    return abs(estimate.mean - value) <= estimate.half_width < 0.2


def test_strong_bots_have_their_share() -> None:
    """A bot that wins three of four games has its share."""
    shares = estimate(SyntheticTournament(strengths=THREE_TO_ONE, seats=2))

    assert contains(shares.bots, 0.25)
    assert contains(shares.seats, 0.0)


def test_strong_seats_have_their_share() -> None:
    """A seat that wins three of four games, whoever sits there, has its share."""
    shares = estimate(SyntheticTournament(strengths=(0.0, 0.0), seats=2, advantage=THREE_TO_ONE))

    assert contains(shares.bots, 0.0)
    assert contains(shares.seats, 0.25)


def test_equal_bots_and_seats_have_no_share() -> None:
    """Equal bots and seats have no share: the chance differences of the means are taken off, for six bots
    in few games.
    """
    shares = [estimate(SyntheticTournament(strengths=(0.0,) * 6, seats=3), 60, seed) for seed in range(20)]

    assert sum(one.bots.mean or 0.0 for one in shares) / len(shares) < 0.02
    assert sum(one.seats.mean or 0.0 for one in shares) / len(shares) < 0.02


def test_one_who_always_wins_has_all() -> None:
    """A bot that always wins has the whole share, and leaves nothing to luck."""
    shares = estimate(SyntheticTournament(strengths=(50.0, 0.0), seats=2), 10)

    assert shares.bots.mean == pytest.approx(1.0)


@pytest.mark.parametrize("blocks", [0, 1])
def test_fewer_than_two_deals_tell_nothing(blocks: int) -> None:
    """Fewer than two deals have no spread to judge by, and tell nothing."""
    shares = estimate(SyntheticTournament(strengths=THREE_TO_ONE, seats=2), blocks)

    assert shares == VarianceShares(Estimate(None, None), Estimate(None, None))


@pytest.mark.once
def test_intervals_contain_the_truth_about_as_often_as_they_say() -> None:
    """The 95 % intervals contain the truth 95 % of the time: of 60 tournaments of 60 deals at least 52."""
    made = SyntheticTournament(strengths=THREE_TO_ONE, seats=2)
    found = [estimate(made, 60, seed).bots for seed in range(60)]

    assert sum(abs((one.mean or 0.0) - 0.25) <= (one.half_width or 0.0) for one in found) >= 52
