"""How well ratings fit: how often the side rated higher was placed ahead, and how often the ratings predict that.

Ratings give each bot one number. Where bots beat each other in a circle, or one does well against the strong and badly
against the weak, no numbers fit. Two sides *misfit* if the share that was played differs from the predicted one by more
than MIN_MISFIT and by more than chance explains, in all pairs of sides together at 95 % (Bonferroni). Games of a
block may be as good as copies of each other, so each block counts as one game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import NormalDist
from typing import Final

from msgspec import Struct

from pitboss_tournament.statistics.bradley_terry import PairModel
from pitboss_tournament.statistics.linear_algebra import Vector
from pitboss_tournament.statistics.pair_likelihood import compute_chance
from pitboss_tournament.statistics.rankings import Side
from pitboss_tournament.statistics.student_t import CONFIDENCE

MIN_MISFIT: Final = 0.05  # of the share of being placed ahead


class SideFit(Struct, frozen=True):
    """Two sides, the one rated higher first: how often it was placed ahead, ties left out."""

    better: Side
    worse: Side
    pairs: int  # games in which they did not tie
    played: float  # the share of them in which the first one was ahead
    predicted: float  # the share that the ratings say


class RatingFit(Struct, frozen=True):
    """The same for all sides together."""

    pairs: int
    played: float
    predicted: float
    misfits: tuple[SideFit, ...]  # the farthest off first


def measure_fit(model: PairModel, x: Vector, blocks: Sequence[Sequence[int]]) -> RatingFit | None:
    """Return how well the unknowns `x` of a model fit; None where they must: with two entrants, or without a game.

    `blocks`: in how many blocks two entrants met, by their positions in the model.
    """
    fits = _sum_sides(model, x)
    pairs = sum(fit.pairs for fit in fits)
    if len(model.entrants) < 3 or not pairs:
        return None
    position = {entrant: number for number, entrant in enumerate(model.entrants)}
    certainty = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / 2 / len(fits))
    misfits = [
        fit for fit in fits if _is_misfit(fit, blocks[position[fit.better[0]]][position[fit.worse[0]]], certainty)
    ]
    return RatingFit(
        pairs=pairs,
        played=sum(fit.pairs * fit.played for fit in fits) / pairs,
        predicted=sum(fit.pairs * fit.predicted for fit in fits) / pairs,
        misfits=tuple(sorted(misfits, key=lambda fit: -abs(fit.played - fit.predicted))),
    )


def _sum_sides(model: PairModel, x: Vector) -> list[SideFit]:
    """Return each two sides of which one was placed ahead, over all seats that they had."""
    strengths: Mapping[int, float] = dict(zip(model.entrants, x, strict=False))
    sums: dict[tuple[Side, Side], tuple[int, int, float]] = {}  # pairs, won by the better side, predicted to be
    for (one, two), won, lost, lead in model.leads(x):
        if _mean_strength(one, strengths) < _mean_strength(two, strengths):
            one, two, won, lost, lead = two, one, lost, won, -lead
        pairs, seen, expected = sums.get((one, two), (0, 0, 0.0))
        sums[one, two] = pairs + won + lost, seen + won, expected + (won + lost) * compute_chance(lead)
    return [
        SideFit(better, worse, pairs, seen / pairs, expected / pairs)
        for (better, worse), (pairs, seen, expected) in sums.items()
    ]


def _mean_strength(side: Side, strengths: Mapping[int, float]) -> float:
    return round(sum(strengths[entrant] for entrant in side) / len(side), 9)


def _is_misfit(fit: SideFit, blocks: int, certainty: float) -> bool:
    error = sqrt(fit.predicted * (1 - fit.predicted) / max(1, blocks))
    return abs(fit.played - fit.predicted) > max(MIN_MISFIT, certainty * error)
