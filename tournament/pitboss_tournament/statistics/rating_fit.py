"""How well ratings fit: how often the side rated higher was placed ahead, and how often the ratings predict that.

Ratings give each bot one number. Where bots beat each other in a circle, or one does well against the strong and badly
against the weak, no numbers fit. Two sides *misfit* if the share that was played differs from the predicted one by more
than MIN_MISFIT and by more than chance explains, in all pairs of sides together at 95 % (Bonferroni). Games of a
block may be as good as copies of each other, so each block counts as one game, and one in which half of its games tied
as half a game. The error is the exact tail of the binomial distribution, what was played itself counted half (the mid-P
value of Lancaster 1961, *Significance tests in discrete distributions*). In the normal approximation a single loss at a
chance of 95 % is as good as impossible, and in a large field there is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import exp, lgamma, log, log1p
from typing import Final

from msgspec import Struct

from pitboss_tournament.statistics.arrays import Floats, add_up, logistic, np
from pitboss_tournament.statistics.bradley_terry import PairModel
from pitboss_tournament.statistics.rankings import Side
from pitboss_tournament.statistics.student_t import CONFIDENCE

MIN_MISFIT: Final = 0.05  # of the share of being placed ahead
TAIL_PRECISION: Final = 1e-10
SMALLEST: Final = 1e-300  # in place of 0 in a continued fraction


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


def measure_fit(model: PairModel, x: Floats, blocks: Floats) -> RatingFit | None:
    """Return how well the unknowns `x` of a model fit; None where they must: with two entrants, or without a game.

    `blocks`: in how many blocks two entrants met, by their positions in the model.
    """
    sides = _SideFits(model, x, blocks)
    pairs = round(float(sides.pairs.sum()))
    if len(model.entrants) < 3 or not pairs:
        return None
    return RatingFit(
        pairs=pairs,
        played=float(sides.played.sum()) / pairs,
        predicted=float(sides.predicted.sum()) / pairs,
        misfits=tuple(sorted(sides.iter_misfits(), key=lambda fit: -abs(fit.played - fit.predicted))),
    )


class _SideFits:
    """Each two sides of which one was placed ahead, over all seats that they had, as columns.

    `pairs`: games in which they did not tie; `played`: those that the side rated higher won, `predicted`: was to win.
    """

    def __init__(self, model: PairModel, x: Floats, blocks: Floats) -> None:
        one, two, won, lost = model.likelihood.pairs
        self._sides = sorted(set(model.sides))
        numbers = {side: number for number, side in enumerate(self._sides)}
        side_of = np.array([numbers[side] for side in model.sides], dtype=np.int64)
        strengths = np.array([_mean_strength(side, x, model.numbers) for side in self._sides])
        ones, twos, chance = side_of[one], side_of[two], logistic(model.likelihood.find_leads(x))
        is_turned, count = strengths[ones] < strengths[twos], len(self._sides)
        keys = np.where(is_turned, twos * count + ones, ones * count + twos)
        self._keys, places = np.unique(keys, return_inverse=True)
        games = won + lost
        columns = (games, np.where(is_turned, lost, won), games * np.where(is_turned, 1 - chance, chance))
        self.pairs, self.played, self.predicted = (add_up(places, own, len(self._keys)) for own in columns)
        first = np.array([model.numbers[side[0]] for side in self._sides], dtype=np.int64)
        better, worse = np.divmod(self._keys, count)
        untied = np.maximum(self.pairs / model.rankings.most_meetings, 1)
        self._blocks = np.minimum(untied, blocks[first[better], first[worse]])

    def iter_misfits(self) -> Iterator[SideFit]:
        """Yield those that misfit."""
        count = len(self._sides)
        error = (1 - CONFIDENCE) / 2 / len(self.pairs)
        least = log(1 / (2 * error))  # squared standard errors: the tail beyond z of them is larger than exp(-z²) / 2
        predicted, seen = self.predicted / self.pairs, self.played / self.pairs
        excess = np.abs(seen - predicted)
        is_unlikely = self._blocks * excess**2 > least * predicted * (1 - predicted)
        may_misfit = (excess > MIN_MISFIT) & is_unlikely
        columns = [own[may_misfit].tolist() for own in (self._keys, self.pairs, seen, predicted, self._blocks)]
        for key, pairs, played, expected, blocks in zip(*columns, strict=True):
            if compute_tail(played, expected, blocks) < error:
                yield SideFit(self._sides[key // count], self._sides[key % count], round(pairs), played, expected)


def _mean_strength(side: Side, x: Floats, numbers: Mapping[int, int]) -> float:
    return round(sum(float(x[numbers[entrant]]) for entrant in side) / len(side), 9)


def compute_tail(share: float, chance: float, games: float) -> float:
    """Return the mid-P value of a share of games, each won with a chance, on the side of the chance where it is.

    It is the probability of a share farther off, and half of that of the same share. The number of games, and of those
    that are won, need not be whole: the tail of the binomial distribution is the incomplete beta function (Abramowitz
    and Stegun 1964, 26.5.24), which has values in between.
    """
    if share < chance:
        share, chance = 1 - share, 1 - chance
    won = share * games
    lost = games - won
    farther = _beta_share(won + 1, lost, chance) if lost > 0 else 0.0
    return (farther + (_beta_share(won, lost + 1, chance) if won > 0 else 1.0)) / 2


def _beta_share(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function, by its continued fraction (26.5.8 there)."""
    if not 0 < x < 1:
        return min(1.0, max(0.0, x))
    if x > (a + 1) / (a + b + 2):  # where the fraction of the other end converges quickly
        return 1 - _beta_share(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    above, below = 1.0, 1 / (1 - (a + b) * x / (a + 1) or SMALLEST)  # by the modified method of Lentz
    value, term = below, 0
    while True:
        before, term = value, term + 1
        even = term * (b - term) * x / ((a + 2 * term - 1) * (a + 2 * term))
        odd = -(a + term) * (a + b + term) * x / ((a + 2 * term) * (a + 2 * term + 1))
        for factor in (even, odd):
            below = 1 / (1 + factor * below or SMALLEST)
            above = 1 + factor / above or SMALLEST
            value *= above * below
        if abs(value - before) <= TAIL_PRECISION * abs(value):
            return front * value
