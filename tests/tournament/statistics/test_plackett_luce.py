"""Plackett–Luce with ties: the likelihood against what theory says of it."""

from __future__ import annotations

from math import exp, log, sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss_tournament.plan.seating import Sides
from pitboss_tournament.statistics.plackett_luce import PRIOR_SD, SEATS_SD, TIES_SD, RankingModel
from pitboss_tournament.statistics.scoring import GameResult
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.statistics.sample_results import count_rankings, ranked_results


def fit_model(games: list[GameResult], sides: Sides | None = None) -> RankingModel:
    """Return the model of some games."""
    return RankingModel(count_rankings(games, sides))


@pytest.mark.parametrize(("won", "lost"), [(1, 0), (3, 1), (500, 500), (20000, 10000)])
def test_two_bots_without_ties(won: int, lost: int) -> None:
    """The log odds are those of wins to losses, but for the prior.

    What was won less what was expected is the prior's pull.
    """
    [a, b] = fit_model(ranked_results([(1, 2)] * won + [(2, 1)] * lost, (0, 1))).fit().x

    assert a == pytest.approx(-b)
    assert won - (won + lost) / (1 + exp(b - a)) == pytest.approx(a / PRIOR_SD**2, abs=1e-4)
    if lost > 1000:
        assert a - b == pytest.approx(log(won / lost), abs=1e-3)


def test_two_bots_with_ties_are_davidsons_model() -> None:
    """With strengths p and q, wins, ties and losses are as p : v √(pq) : q (Davidson 1970).

    Three shares, which a fit to many games meets.
    """
    games = ranked_results([(1, 2)] * 5000 + [(1, 1)] * 3000 + [(2, 1)] * 2000, (0, 1))
    a, b, tie = fit_model(games).fit().x

    won, tied, lost = exp(a), exp(tie) * sqrt(exp(a + b)), exp(b)
    total = won + tied + lost
    assert [won / total, tied / total, lost / total] == pytest.approx([0.5, 0.3, 0.2], abs=1e-3)


def test_the_likelihood_of_a_ranking_is_the_product_of_its_choices() -> None:
    """First 2, then 0 and 3 together, then 1.

    Worked out by the formula of Turner et al., all sizes of tie that occur in a menu included.
    """
    x = [0.3, -0.1, 0.5, 0.2, -0.7]
    p = [exp(value) for value in x[:4]]

    def weight(menu: tuple[int, ...]) -> float:
        pairs = [(one, other) for one in menu for other in menu if one < other]
        return sum(p[one] for one in menu) + exp(x[4]) * sum(sqrt(p[one] * p[other]) for one, other in pairs)

    expected = log(p[2] / weight((0, 1, 2, 3))) + log(exp(x[4]) * sqrt(p[0] * p[3]) / weight((0, 1, 3)))
    prior = sum(value**2 / 2 / PRIOR_SD**2 for value in x[:4]) + x[4] ** 2 / 2 / TIES_SD**2
    assert fit_model(ranked_results([(2, 4, 1, 2)], (0, 1, 2, 3))).evaluate(x).value == pytest.approx(expected - prior)


@given(
    st.lists(st.lists(st.integers(1, 4), min_size=4, max_size=4), min_size=1, max_size=6),
    st.integers(0, 99),
    st.booleans(),
)
@settings(max_examples=40)
def test_slope_and_curvature(rankings: list[list[int]], seed: int, in_sides: bool) -> None:
    """They are the derivatives of the likelihood, whatever ties there are, alone and in sides."""
    games = ranked_results([[row[0], row[1], row[0], row[1]] if in_sides else row for row in rankings], (0, 1, 2, 3))
    model = fit_model(games, ((0, 2), (1, 3)) if in_sides else None)
    rng, step = Random(seed), 1e-5
    x = [rng.gauss(0, 1) for _ in range(model.unknowns)]
    point = model.evaluate(x)

    for number in range(model.unknowns):
        above, below = (model.evaluate([v + sign * step * (k == number) for k, v in enumerate(x)]) for sign in (1, -1))
        assert point.slope[number] == pytest.approx((above.value - below.value) / 2 / step, abs=1e-4)
        column = [(a - b) / 2 / step for a, b in zip(below.slope, above.slope, strict=True)]
        assert [row[number] for row in point.curvature] == pytest.approx(column, abs=1e-4)


@pytest.mark.parametrize("step", [0, 6])
@pytest.mark.parametrize("in_sides", [False, True])
def test_slope_and_curvature_with_seats(step: float, in_sides: bool) -> None:
    """They are the derivatives of the likelihood by the strengths of seats, too."""
    world = SyntheticTournament(strengths=(0.5, 0.0, -0.2, -0.5), seats=4, advantage=(1.5, 0, -0.5, -1), step=step)
    model = RankingModel(count_rankings(world.games(12, Random(1)), ((0, 2), (1, 3)) if in_sides else None))
    rng, step = Random(2), 1e-5
    x = [rng.gauss(0, 1) for _ in range(model.unknowns)]
    point = model.evaluate(x)

    assert model.seats == ([0, 1] if in_sides else [0, 1, 2, 3])
    for number in range(model.unknowns):
        above, below = (model.evaluate([v + sign * step * (k == number) for k, v in enumerate(x)]) for sign in (1, -1))
        assert point.slope[number] == pytest.approx((above.value - below.value) / 2 / step, abs=1e-4)
        column = [(a - b) / 2 / step for a, b in zip(below.slope, above.slope, strict=True)]
        assert [row[number] for row in point.curvature] == pytest.approx(column, abs=1e-4)


@pytest.mark.parametrize("advantage", [(), (1.0, 0.0, -1.0)])
@pytest.mark.parametrize("step", [0, 6])
def test_the_scores_of_all_blocks(step: float, advantage: tuple[float, ...]) -> None:
    """They add up to the slope without the prior: at the most likely point, to the prior's pull."""
    world = SyntheticTournament(strengths=(0.6, 0.1, -0.2, -0.5), seats=3, step=step, advantage=advantage)
    rankings = count_rankings(world.games(40, Random(1)))
    model = RankingModel(rankings)
    x = model.fit().x
    scores = model.block_scores(x)

    total = [0.0] * model.unknowns
    for block in rankings.blocks():
        for unknown, value in scores.score_block(block):
            total[unknown] += value
    deviations = [PRIOR_SD] * 4 + [TIES_SD] * len(model.sizes) + [SEATS_SD] * len(model.seats)
    pull = [v / deviation**2 for v, deviation in zip(x, deviations, strict=True)]
    assert len(model.seats) == len(advantage)
    assert total == pytest.approx(pull, abs=1e-5)
