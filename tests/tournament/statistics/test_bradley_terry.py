"""Bradley–Terry on the pairs of each table: the likelihood against what theory says of it."""

from __future__ import annotations

from math import exp, log
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.outcome import Sides
from pitboss_tournament.statistics.arrays import np
from pitboss_tournament.statistics.bradley_terry import PRIOR_SD, SEATS_SD, PairModel
from pitboss_tournament.statistics.scoring import GameResult
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.statistics.sample_results import count_rankings, ranked_results


def fit_model(games: list[GameResult], sides: Sides | None = None) -> PairModel:
    """Return the model of some games."""
    return PairModel(count_rankings(games, sides))


@pytest.mark.parametrize(("won", "lost"), [(1, 0), (3, 1), (500, 500), (20000, 10000)])
@pytest.mark.parametrize("tied", [0, 7000])
def test_two_bots(won: int, lost: int, tied: int) -> None:
    """The log odds are those of wins to losses, whatever ties, but for the prior.

    What was won less what was expected is the prior's pull.
    """
    games = ranked_results([(1, 2)] * won + [(2, 1)] * lost + [(1, 1)] * tied, (0, 1))
    [a, b] = fit_model(games).likelihood.fit().x

    assert a == pytest.approx(-b)
    assert won - (won + lost) / (1 + exp(b - a)) == pytest.approx(a / PRIOR_SD**2, abs=1e-4)
    if lost > 1000:
        assert a - b == pytest.approx(log(won / lost), abs=1e-3)


def test_the_likelihood_of_a_ranking_is_the_product_of_its_pairs() -> None:
    """A ranking's likelihood is the product of its pairs: first 2, then 0 and 3 together, then 1 are five pairs, as 0
    and 3 tie.
    """
    x = np.array([0.3, -0.1, 0.5, 0.2])
    pairs = [(2, 0), (2, 3), (2, 1), (0, 1), (3, 1)]

    expected = sum(log(exp(x[one]) / (exp(x[one]) + exp(x[two]))) for one, two in pairs)
    prior = sum(value**2 / 2 / PRIOR_SD**2 for value in x)
    assert fit_model(ranked_results([(2, 4, 1, 2)], (0, 1, 2, 3))).likelihood.evaluate(x).value == pytest.approx(
        expected - prior
    )


@pytest.mark.parametrize(
    ("places", "expected"),
    [((1, 2), 1), ((1, 2, 3, 4), 5 / 3), ((1, 2, 2, 2), 2), ((1, 1, 1, 4), 2), ((1, 1, 3, 3), 2), ((1, 1, 1), 1)],
)
def test_how_far_the_pairs_of_a_game_depend_on_each_other(places: tuple[int, ...], expected: float) -> None:
    """The variance of a contender's wins less losses, in halves, over that of as many tosses of a coin.

    Of four in one order it is (9 + 1 + 1 + 9) / 4 / 4 instead of 3 / 4.
    """
    model = fit_model(ranked_results([places], tuple(range(len(places)))))

    assert model.redundancy == pytest.approx(expected)


@given(
    st.lists(st.lists(st.integers(1, 4), min_size=4, max_size=4), min_size=1, max_size=6),
    st.integers(0, 99),
    st.booleans(),
)
@settings(max_examples=40)
def test_slope_and_curvature(rankings: list[list[int]], seed: int, in_sides: bool) -> None:
    """The slope and the curvature are the derivatives of the likelihood, whatever ties there are, alone and
    in sides.
    """
    games = ranked_results([[row[0], row[1], row[0], row[1]] if in_sides else row for row in rankings], (0, 1, 2, 3))
    model = fit_model(games, ((0, 2), (1, 3)) if in_sides else None)
    check_derivatives(model, Random(seed))


@pytest.mark.parametrize("step", [0, 6])
@pytest.mark.parametrize("in_sides", [False, True])
def test_slope_and_curvature_with_seats(step: float, in_sides: bool) -> None:
    """The slope and the curvature are the derivatives of the likelihood by the strengths of seats, too."""
    world = SyntheticTournament(strengths=(0.5, 0.0, -0.2, -0.5), seats=4, advantage=(1.5, 0, -0.5, -1), step=step)
    model = PairModel(count_rankings(world.games(12, Random(1)), ((0, 2), (1, 3)) if in_sides else None))

    assert model.seats == ([0, 1] if in_sides else [0, 1, 2, 3])
    check_derivatives(model, Random(2))


def check_derivatives(model: PairModel, rng: Random) -> None:
    """Check slope and curvature at a random point by differences."""
    step = 1e-5
    x = np.array([rng.gauss(0, 1) for _ in range(model.unknowns)])
    evaluate = model.likelihood.evaluate
    point = evaluate(x)
    for number in range(model.unknowns):
        aside = step * np.eye(model.unknowns)[number]
        above, below = evaluate(x + aside), evaluate(x - aside)
        assert point.slope[number] == pytest.approx((above.value - below.value) / 2 / step, abs=1e-4)
        assert point.curvature[number] == pytest.approx((below.slope - above.slope) / 2 / step, abs=1e-4)


@pytest.mark.parametrize("advantage", [(), (1.0, 0.0, -1.0)])
@pytest.mark.parametrize("step", [0, 6])
def test_the_scores_of_all_blocks(step: float, advantage: tuple[float, ...]) -> None:
    """The scores of all blocks add up to the slope without the prior: at the most likely point, to the prior's pull."""
    world = SyntheticTournament(strengths=(0.6, 0.1, -0.2, -0.5), seats=3, step=step, advantage=advantage)
    rankings = count_rankings(world.games(40, Random(1)))
    model = PairModel(rankings)
    x = model.likelihood.fit().x

    total = [0.0] * model.unknowns
    for chunk in model.iter_chunks():
        _, unknowns, values = model.score_blocks(chunk, model.likelihood.log_strengths(x))
        for unknown, value in zip(unknowns, values, strict=True):
            total[unknown] += value
    deviations = [PRIOR_SD] * 4 + [SEATS_SD] * len(model.seats)
    pull = [v / deviation**2 for v, deviation in zip(x, deviations, strict=True)]
    assert len(model.seats) == len(advantage)
    assert total == pytest.approx(pull, abs=1e-5)
