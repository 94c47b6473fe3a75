"""Reduction: what duplicate deals saved."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from pitboss_tournament.statistics.blocks import margins, points, wins
from pitboss_tournament.statistics.variance_reduction import estimate_reduction
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.statistics.sample_results import duel_results, league_results


def test_a_sample_by_hand() -> None:
    """Margins of bot 0: (2, 0), (4, -2), (0, 5); those of bot 1 are their opposites.

    Single games: variances 4 and 13, mean 8.5, over 6 games; block means 1, 1, 2.5: variance 0.75, over 3 blocks.
    """
    found = estimate_reduction(duel_results((4, 0), (8, -4), (0, 10)), margins)

    assert found.ratio == pytest.approx((8.5 / 6) / (0.75 / 3))
    assert (found.blocks, found.games) == (3, 6)


@pytest.mark.parametrize(
    ("deal", "suit", "least", "most"), [(0, 0, 0.93, 1.07), (0.6, 0, 2.1, 2.6), (0, 0.4, 0.68, 0.76)]
)
def test_worlds_whose_luck_lies_in_known_places(deal: float, suit: float, least: float, most: float) -> None:
    """Luck of the moment saves nothing; luck in the seats' cards, 60 %, saves about 1 / (1 - 0.6). Luck in how deals
    suit bots, 40 %, loses games: 1 / (1 + 0.4).
    """
    world = SyntheticTournament(strengths=(0.3, -0.3), seats=2, card_share=deal, affinity=suit)
    together = estimate_reduction(world.games(3000, Random(1)), margins)

    assert together.ratio is not None
    assert together.low is not None
    assert together.high is not None
    assert least < together.low < together.ratio < together.high < most


def test_company_does_not_count() -> None:
    """Pairings are compared with themselves: a constant added to all games of a pairing changes nothing."""
    games = league_results(40)
    lifted = [
        replace(game, seats=tuple(replace(seat, points=seat.points + 1000 * game.pairing) for seat in game.seats))
        for game in games
    ]

    assert estimate_reduction(lifted, points).ratio == pytest.approx(estimate_reduction(games, points).ratio)


def test_too_little_to_tell() -> None:
    """No blocks, one block, or blocks that do not differ have no ratio."""
    for games in ([], duel_results((1, 2)), duel_results((1, 1), (1, 1))):
        together = estimate_reduction(games, points)
        assert (None, None, None) == (together.ratio, together.low, together.high)


def test_by_wins() -> None:
    """Shares of the win can be asked as well, and the order of the games does not matter."""
    games = league_results(60)

    one, other = estimate_reduction(games, wins), estimate_reduction(reversed(games), wins)
    assert one.ratio == pytest.approx(other.ratio)
    assert one.low == pytest.approx(other.low)
    assert one.ratio != pytest.approx(estimate_reduction(games, points).ratio)


def test_the_interval_of_the_ratio() -> None:
    """The interval of the ratio holds the true ratio in about 95 of 100 tournaments, with pairings of several deals
    each.
    """
    world = SyntheticTournament(strengths=(0.3, 0.0, -0.3), seats=2, card_share=0.5)
    true = estimate_reduction(world.games(6000, Random(1)), margins).ratio or 0
    held = 0
    for seed in range(300):
        together = estimate_reduction(world.games(30, Random(seed)), margins)
        assert together.low is not None
        assert together.high is not None
        held += together.low <= true <= together.high

    assert 0.88 <= held / 300 <= 0.98
