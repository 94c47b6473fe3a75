"""How well ratings fit: how often the side rated higher was placed ahead, and how often the ratings predict that.

Ratings give each bot one number. Where bots beat each other in a circle, or one does well against the strong and badly
against the weak, no numbers fit. Two sides *misfit* if the share that was played differs from the predicted one by more
than MIN_MISFIT and by more than chance explains, in all pairs of sides together at 95 % (Bonferroni). Games of a
block may be as good as copies of each other, so each block counts as one game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from statistics import NormalDist
from typing import Final

from msgspec import Struct

from pitboss_tournament.statistics.bradley_terry import PairModel
from pitboss_tournament.statistics.linear_algebra import Numbers, SquareMatrix
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


def measure_fit(model: PairModel, x: Numbers, blocks: SquareMatrix) -> RatingFit | None:
    """Return how well the unknowns `x` of a model fit; None where they must: with two entrants, or without a game.

    `blocks`: in how many blocks two entrants met, by their positions in the model.
    """
    algebra, sides = model.algebra, _SideFits(model, x, blocks)
    pairs = round(algebra.total(sides.pairs))
    if len(model.entrants) < 3 or not pairs:
        return None
    return RatingFit(
        pairs=pairs,
        played=algebra.total(sides.played) / pairs,
        predicted=algebra.total(sides.predicted) / pairs,
        misfits=tuple(sorted(sides.iter_misfits(), key=lambda fit: -abs(fit.played - fit.predicted))),
    )


class _SideFits:
    """Each two sides of which one was placed ahead, over all seats that they had, as columns.

    `pairs`: games in which they did not tie; `played`: those that the side rated higher won, `predicted`: was to win.
    """

    def __init__(self, model: PairModel, x: Numbers, blocks: SquareMatrix) -> None:
        self._algebra = algebra = model.algebra
        one, two, won, lost = model.likelihood.pairs
        self._sides = sorted(set(model.sides))
        numbers = {side: number for number, side in enumerate(self._sides)}
        side_of = algebra.whole([numbers[side] for side in model.sides])
        strengths = algebra.vector([_mean_strength(side, x, model.numbers) for side in self._sides])
        ones, twos, chance = algebra.take(side_of, one), algebra.take(side_of, two), model.likelihood.find_leads(x)
        chance = algebra.logistic(chance)
        is_turned = algebra.apply(lambda a, b: a < b, algebra.take(strengths, ones), algebra.take(strengths, twos))
        count = len(self._sides)
        keys = algebra.select(
            is_turned,
            algebra.apply(lambda a, b: b * count + a, ones, twos),
            algebra.apply(lambda a, b: a * count + b, ones, twos),
        )
        self._keys, places = algebra.number_keys(keys)
        games = algebra.apply(lambda ahead, behind: ahead + behind, won, lost)
        columns = (
            games,
            algebra.select(is_turned, lost, won),
            algebra.apply(
                lambda n, p: n * p, games, algebra.select(is_turned, algebra.apply(lambda p: 1 - p, chance), chance)
            ),
        )
        self.pairs, self.played, self.predicted = (algebra.add_up(places, own, len(self._keys)) for own in columns)
        first = algebra.whole([model.numbers[side[0]] for side in self._sides])
        self._blocks = algebra.take_entries(
            blocks,
            algebra.take(first, algebra.apply(lambda key: key // count, self._keys)),
            algebra.take(first, algebra.apply(lambda key: key % count, self._keys)),
        )

    def iter_misfits(self) -> Iterator[SideFit]:
        """Yield those that misfit."""
        algebra, count = self._algebra, len(self._sides)
        certainty = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / 2 / len(self.pairs))
        predicted = algebra.apply(lambda expected, n: expected / n, self.predicted, self.pairs)
        variance = algebra.apply(lambda p, n: p * (1 - p) / n, predicted, algebra.clip(self._blocks, 1, inf))
        allowed = algebra.apply(lambda error: certainty * error, algebra.root(variance))
        is_misfit = algebra.apply(
            lambda seen, n, p, most: abs(seen / n - p) > most,
            self.played,
            self.pairs,
            predicted,
            algebra.clip(allowed, MIN_MISFIT, inf),
        )
        columns = [
            algebra.to_list(algebra.keep(own, is_misfit)) for own in (self._keys, self.pairs, self.played, predicted)
        ]
        for key, pairs, seen, expected in zip(*columns, strict=True):
            yield SideFit(self._sides[key // count], self._sides[key % count], round(pairs), seen / pairs, expected)


def _mean_strength(side: Side, x: Numbers, numbers: Mapping[int, int]) -> float:
    return round(sum(float(x[numbers[entrant]]) for entrant in side) / len(side), 9)
