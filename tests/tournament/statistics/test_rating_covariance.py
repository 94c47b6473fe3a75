"""What ratings do not know where results have paired the bots."""

from __future__ import annotations

from random import Random

import pytest

from pitboss_tournament.statistics.ratings import rate_rankings
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.statistics.sample_results import count_rankings


@pytest.mark.parametrize(("apart", "least", "most"), [(0.0, 1.6, 1.6), (0.3, 1.01, 1.4), (1.0, 1.001, 1.05)])
def test_bots_paired_by_results(apart: float, least: float, most: float) -> None:
    """Their intervals are wider, as winners met winners: for four equal bots the variance is 1.6 times as large, and
    less so the more they differ.
    """
    world = SyntheticTournament(strengths=tuple(apart * number for number in range(4)), seats=2)
    rankings = count_rankings(world.games(300, Random(1)))
    free, paired = (rate_rankings(rankings, world.names, is_paired_by_results=is_paired) for is_paired in (False, True))

    ratio = (paired.difference(0, 1).half_width or 0) / (free.difference(0, 1).half_width or 1)
    assert least - 1e-6 <= ratio**2 <= most + 1e-6
