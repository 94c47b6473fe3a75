"""What a difference in rating points is worth in place scores."""

from __future__ import annotations

from itertools import permutations
from math import exp
from random import Random
from statistics import fmean
from typing import Literal

import pytest

from pitboss.outcome import Sides
from pitboss_tournament.statistics.blocks import place_scores
from pitboss_tournament.statistics.pairwise import block_differences
from pitboss_tournament.statistics.point_scale import MAX_SEATINGS, PointScale, Seating, measure_scale
from pitboss_tournament.statistics.ratings import POINTS_PER_LOG_UNIT
from tests.synthetic_tournaments import SyntheticTournament

ALL_TOLD = {2: (0.5, -0.5), 3: (0.5, 0.0, -0.5), 4: (0.5, 1 / 6, -1 / 6, -0.5)}  # balances without ties
WINNER_TOLD = (0.5, -1 / 6, -1 / 6, -1 / 6)


def make_scale(
    points: tuple[float, ...],
    *,
    balances: tuple[float, ...] | None = None,
    seats: tuple[float, ...] = (),
    seatings: list[Seating] | None = None,
) -> PointScale:
    """Return the scale of bots 0 and 1, by the ratings of all bots of a table."""
    strengths = {bot: rating / POINTS_PER_LOG_UNIT for bot, rating in enumerate(points)}
    return PointScale(
        balances or ALL_TOLD[len(points)],
        (0.0,) * len(points),
        strengths,
        tuple(seat / POINTS_PER_LOG_UNIT for seat in seats),
        {(0, 1): seatings or [tuple((bot,) for bot in strengths)]},
    )


def to_share(lead: float) -> float:
    """Return the chance of being ahead less that of being behind, with a lead in points."""
    return 2 / (1 + 10 ** (-lead / 400)) - 1


@pytest.mark.parametrize(
    "scale",
    [
        make_scale((0, 0)),
        make_scale((50, -50, 300, 300)),
        make_scale((0, 0, 600, -600), balances=WINNER_TOLD),
        make_scale((0, 0, 0), seats=(200, 0, -200), seatings=[((0,), (1,), (2,)), ((1,), (0,), (2,))]),
    ],
)
def test_scores_of_points(scale: PointScale) -> None:
    """Equal bots have the same score, and exchanged ones the opposite; the ends of the points are those of the scores
    that the places leave.
    """
    most = scale.balances[0] - scale.balances[-1]

    assert scale.to_score(0, 0, 1) == pytest.approx(0, abs=1e-9)
    assert scale.to_score(25, 0, 1) == pytest.approx(-scale.to_score(-25, 0, 1))
    assert scale.to_score(25, 0, 1) == pytest.approx(scale.to_score(25, 1, 0))
    assert scale.to_score(1e4, 0, 1) == pytest.approx(most)


def test_the_score_of_100_points() -> None:
    """A score of 100 points is 64 % of the games alone at a table of two, wherever the two are; ties shrink that by
    their share; partners who are no better halve it.
    """
    one_side: list[Seating] = [((0, 2), (1, 3))]
    sides = make_scale((0, 0, 70, 70), balances=ALL_TOLD[2], seatings=one_side)

    assert (1 + make_scale((500, 300)).to_score(100, 0, 1)) / 2 == pytest.approx(0.640, abs=0.0005)
    assert make_scale((0, 0), balances=(0.1, -0.1)).to_score(100, 0, 1) == pytest.approx(to_share(100) / 5, abs=1e-4)
    assert sides.to_score(200, 0, 1) == pytest.approx(to_share(100), abs=1e-4)


def test_unequal_seats_shrink_a_score() -> None:
    """A score is the mean over the seats, so that unequal seats shrink it; seats so far apart that they decide
    everything leave nothing.
    """
    both: list[Seating] = [((0,), (1,)), ((1,), (0,))]
    few, many = (make_scale((0, 0), seats=(seat, -seat), seatings=both).to_score(100, 0, 1) for seat in (150, 2_000))

    assert few == pytest.approx((to_share(400) + to_share(-200)) / 2, abs=1e-4)
    assert many == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize("others", [(0, 0), (300, 300), (-600, 150)])
def test_the_others_at_a_larger_table(others: tuple[float, float]) -> None:
    """The score at a larger table without ties is the mean of those against each of the others, who are as far away as
    they are.
    """
    expected = (to_share(100) + sum((to_share(50 - own) - to_share(-50 - own)) / 2 for own in others)) / 3

    assert make_scale((20, -20, *others)).to_score(100, 0, 1) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("others", [(0, 0), (300, 300), (-600, 150)])
def test_a_table_where_only_the_winner_is_told(others: tuple[float, float]) -> None:
    """The score is the difference of the chances to win, two thirds of it at a table of four."""
    won = [exp(points / POINTS_PER_LOG_UNIT) for points in (50, -50, *others)]
    found = make_scale((0, 0, *others), balances=WINNER_TOLD).to_score(100, 0, 1)

    assert found == pytest.approx(2 / 3 * (won[0] - won[1]) / sum(won), abs=1e-4)


@pytest.mark.parametrize("told", ["all", "winner", "loser"])
@pytest.mark.parametrize("others", [300.0, -300.0])
def test_the_scale_of_a_pilot(told: Literal["all", "winner", "loser"], others: float) -> None:
    """The scale of a pilot predicts the difference of two bots that are rated as far apart as they are, with the third
    far away.
    """
    strengths = tuple(points / POINTS_PER_LOG_UNIT for points in (100.0, -100.0, others))
    world = SyntheticTournament(strengths=strengths, seats=3, told=told)
    blocks = list(world.blocks(500, Random("pilot")))
    scale = measure_scale(blocks, world.names, None)
    apart = POINTS_PER_LOG_UNIT * (scale.strengths[0] - scale.strengths[1])

    assert scale.to_score(apart, 0, 1) == pytest.approx(fmean(block_differences(blocks, place_scores)[0, 1]), abs=0.01)


def test_the_seats_of_a_pilot() -> None:
    """A scale measures the worth of the seats, and the orders of who sat there; where seats are equal, orders do not
    count.
    """
    world = SyntheticTournament(strengths=(0.3, -0.3), seats=2, draw_share=0.5, advantage=(0.5, -0.5))
    scale = measure_scale(list(world.blocks(1_000, Random("scale"))), world.names, None)
    even = SyntheticTournament(strengths=(0.0, 0.0, 0.0), seats=3)

    assert scale.balances == pytest.approx((0.25, -0.25), abs=0.02)
    assert [POINTS_PER_LOG_UNIT * seat for seat in scale.seats] == pytest.approx((86.9, -86.9), abs=15)
    assert sorted(scale.seatings[0, 1]) == [((0,), (1,)), ((1,), (0,))]
    found = measure_scale(list(even.blocks(30, Random("even"))), even.names, None).seatings
    assert found == {pair: [((0,), (1,), (2,))] for pair in ((0, 1), (0, 2), (1, 2))}


def test_partners() -> None:
    """Games in which two bots are partners show nothing of a difference."""
    sides: Sides = ((0, 1), (2, 3))
    seatings: list[Seating] = [((0, 1), (2, 3)), ((0, 2), (1, 3))]
    world = SyntheticTournament(strengths=(0.0,) * 5, seats=4)
    scale = make_scale((0, 0, 0, 0), balances=ALL_TOLD[2], seatings=seatings)

    assert scale.to_score(100, 0, 1) == pytest.approx(to_share(50) / 2, abs=1e-4)
    assert ((0, 1), (2, 3)) in measure_scale(list(world.blocks(10, Random("sides"))), world.names, sides).seatings[0, 1]


def test_many_tables() -> None:
    """A pair that met in more seatings than are needed has some taken, from the first to the last."""
    bots = 9
    world = SyntheticTournament(strengths=(0.0,) * bots, seats=4)
    scale = measure_scale(list(world.blocks(126, Random("many"))), world.names, None)
    others = [seating[-1][0] for seating in scale.seatings[0, 1]]

    assert len(scale.seatings[0, 1]) == len(set(scale.seatings[0, 1])) <= MAX_SEATINGS
    assert max(others) == bots - 1
    assert len(list(permutations(range(4)))) == MAX_SEATINGS
