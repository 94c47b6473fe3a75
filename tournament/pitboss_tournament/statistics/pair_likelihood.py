"""The likelihood of who was ahead of whom, of the Bradley–Terry model with any terms, and its maximum.

Each contender is as strong as the sum of its terms. The unknowns have a normal prior around 0: the penalised likelihood
is strictly concave, so that Newton's method with halved steps finds its one maximum. Two unknowns may be linked: their
difference then has a prior around 0 too, Student's t with LINK_FREEDOM degrees of freedom (Lange, Little and Taylor
1989, *Robust statistical modeling using the t distribution*). It pulls as a normal one does where the difference is
small, and lets go where games say that it is large. There it is not concave, and counts as flat in Newton's method. Of
two maxima, which few games may leave, the one found is that on the side of no difference. Unknowns that are held have
no equations: they are constants.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import exp, inf, log1p
from typing import Final, NamedTuple, TypeAlias

from pitboss_tournament.statistics.block_chunks import pad_columns
from pitboss_tournament.statistics.linear_algebra import Algebra, Numbers, SquareMatrix
from pitboss_tournament.statistics.list_algebra import LISTS

LINK_FREEDOM: Final = 3  # degrees of freedom of the prior of linked unknowns
LARGEST_STEP = 2.0
SMALLEST_STEP = 5e-4  # what is left to go after it is less than its square, or a part of it where a link lets go


SparseVector: TypeAlias = list[tuple[int, float]]  # an unknown's number and a value


class LikelihoodPoint(NamedTuple):
    """The logarithm of the penalised likelihood at one point, with slope and curvature."""

    value: float
    slope: Numbers
    curvature: SquareMatrix  # of its negative: positive definite


class ModelFit(NamedTuple):
    """The most likely unknowns, the curvature there, and the curvature with equal strengths and no links."""

    x: Numbers
    curvature: SquareMatrix
    curvature_if_equal: SquareMatrix


class PairCounts(NamedTuple):
    """How often contenders were ahead of each other, column by column: each two of them once."""

    one: Numbers
    two: Numbers
    won: Numbers  # how often the first was ahead
    lost: Numbers  # and how often behind


class UnknownLink(NamedTuple):
    """A prior of the difference of two unknowns, around 0: Student's t."""

    one: int
    two: int
    precision: float  # 1 / variance of the normal distribution that is as curved in the middle


class PairLikelihood:
    """Contenders of which one was ahead of another, and what they have in common.

    `terms`: by contender, the unknowns that add up to its log strength, with their weights. `precision`: by unknown,
    1 / variance of its prior. `held`: unknowns that are constants, with their values.
    """

    def __init__(
        self,
        terms: list[SparseVector],
        pairs: PairCounts,
        precision: Iterable[float],
        *,
        links: Sequence[UnknownLink] = (),
        held: Mapping[int, float] | None = None,
        algebra: Algebra = LISTS,
    ) -> None:
        self.terms, self.pairs, self.held, self.algebra = terms, pairs, held or {}, algebra
        ends = ([link.one for link in links], [link.two for link in links])
        self._link_ends = [algebra.whole(own) for own in ends if own]  # the first ones and the second ones, if any
        self._link_precision = algebra.vector([link.precision for link in links])
        self.precision = algebra.vector(precision)
        self.free: Final = [unknown for unknown in range(len(self.precision)) if unknown not in self.held]
        self.term_columns = pad_columns(terms, algebra)
        self._played = algebra.apply(lambda won, lost: won + lost, pairs.won, pairs.lost)
        self._difference_terms = self._list_difference_terms()

    def fit(self) -> ModelFit:
        """Return the maximum of the penalised likelihood."""
        algebra, size = self.algebra, len(self.precision)
        equal = self._evaluate_pairs(algebra.vector([0.0] * size))
        x = algebra.vector([self.held.get(unknown, 0.0) for unknown in range(size)])
        point = self.evaluate(x)
        while True:
            step = self._find_step(point)
            largest = algebra.largest(algebra.apply(abs, step))
            if largest < SMALLEST_STEP:  # too short a step to change the curvature
                return ModelFit(_add_vectors(x, step, algebra), point.curvature, equal.curvature)
            x, point = self._step_uphill(x, point, _shorten(step, LARGEST_STEP / max(largest, LARGEST_STEP), algebra))

    def evaluate(self, x: Numbers) -> LikelihoodPoint:
        """Return the penalised likelihood at `x`."""
        value, slope, curvature = self._evaluate_pairs(x)
        if not self._link_ends:
            return LikelihoodPoint(value, slope, curvature)
        algebra, size, (one, two) = self.algebra, len(x), self._link_ends
        difference, excess = self._measure_links(x)
        value -= (LINK_FREEDOM + 1) / 2 * sum(map(log1p, algebra.to_list(excess)))
        pull = algebra.apply(lambda p, d, u: p * d / (1 + u), self._link_precision, difference, excess)
        slope = _add_vectors(slope, algebra.add_up(two, pull, size), algebra)
        slope = _add_vectors(slope, algebra.add_up(one, _shorten(pull, -1.0, algebra), size), algebra)
        bent = algebra.apply(lambda p, u: p * (1 - u) / (1 + u) ** 2, self._link_precision, excess)
        self._add_to_links(curvature, algebra.clip(bent, 0.0, inf))
        return LikelihoodPoint(value, slope, curvature)

    def add_link_scores(self, matrix: SquareMatrix, x: Numbers) -> None:
        """Add the covariance of the scores of the links to a matrix: what is expected of it, and what was observed."""
        if self._link_ends:
            difference, excess = self._measure_links(x)
            weight = self.algebra.apply(lambda p, u: p / (1 + u), self._link_precision, excess)
            self._add_to_links(matrix, self.algebra.apply(lambda w, d: w + (w * d) ** 2, weight, difference))

    def _measure_links(self, x: Numbers) -> tuple[Numbers, Numbers]:
        """Return the differences of linked unknowns, and by how much each of them weakens its link.

        A link whose difference has the excess u pulls as a normal prior with 1 / (1 + u) of the precision.
        """
        algebra, (one, two) = self.algebra, self._link_ends
        difference = algebra.apply(lambda a, b: a - b, algebra.take(x, one), algebra.take(x, two))
        excess = algebra.apply(lambda p, d: p * d * d / (LINK_FREEDOM + 1), self._link_precision, difference)
        return difference, excess

    def _add_to_links(self, matrix: SquareMatrix, values: Numbers) -> None:
        """Add to a matrix what belongs to the differences of linked unknowns."""
        for end in self._link_ends:
            for other in self._link_ends:
                signed = _shorten(values, 1.0 if other is end else -1.0, self.algebra)
                self.algebra.add_to(matrix, end, other, signed)

    def log_strengths(self, x: Numbers) -> Numbers:
        """Return the log strengths of the contenders."""
        algebra = self.algebra
        strengths = algebra.vector([0.0] * len(self.terms))
        for unknowns, weights in self.term_columns:
            own = algebra.take(x, unknowns)
            strengths = algebra.apply(lambda sum_, weight, value: sum_ + weight * value, strengths, weights, own)
        return strengths

    def sum_information(self, x: Numbers) -> Numbers:
        """Return by unknown the curvature that the games give it, if its term comes once in a lead: priors aside."""
        algebra, size = self.algebra, len(x)
        chance = algebra.logistic(self.find_leads(x))
        spread = algebra.apply(lambda n, c: n * c * (1 - c), self._played, chance)
        found = algebra.vector([0.0] * size)
        for unknowns, weights in self._difference_terms:
            own = algebra.apply(lambda value, weight: value * weight * weight, spread, weights)
            found = _add_vectors(found, algebra.add_up(unknowns, own, size), algebra)
        return found

    def find_leads(self, x: Numbers) -> Numbers:
        """Return by pair how much stronger the first contender is, in log strength."""
        algebra, strengths = self.algebra, self.log_strengths(x)
        return algebra.apply(
            lambda one, two: one - two, algebra.take(strengths, self.pairs.one), algebra.take(strengths, self.pairs.two)
        )

    def _evaluate_pairs(self, x: Numbers) -> LikelihoodPoint:
        """Return the likelihood with the priors of single unknowns, without links."""
        algebra, size = self.algebra, len(x)
        _, _, won, lost = self.pairs
        lead = self.find_leads(x)
        chance = algebra.logistic(lead)
        if_behind = algebra.log_one_plus_exp(algebra.apply(lambda v: -v, lead))
        losses = algebra.apply(
            lambda ahead, one, behind, two: ahead * one + behind * two,
            won,
            if_behind,
            lost,
            algebra.log_one_plus_exp(lead),
        )
        value = -algebra.total(algebra.apply(lambda p, v: p * v * v / 2, self.precision, x)) - algebra.total(losses)
        slope = algebra.apply(lambda p, v: -p * v, self.precision, x)
        curvature, every = algebra.zeros(size), algebra.whole(range(size))
        algebra.add_to(curvature, every, every, self.precision)
        pull = algebra.apply(lambda w, n, c: w - n * c, won, self._played, chance)
        spread = algebra.apply(lambda n, c: n * c * (1 - c), self._played, chance)
        for unknowns, weights in self._difference_terms:
            weighted = algebra.apply(_multiply, weights, pull)
            slope = _add_vectors(slope, algebra.add_up(unknowns, weighted, size), algebra)
            weighted = algebra.apply(_multiply, weights, spread)
            for others, factors in self._difference_terms:
                algebra.add_to(curvature, unknowns, others, algebra.apply(_multiply, weighted, factors))
        return LikelihoodPoint(value, slope, curvature)

    def _list_difference_terms(self) -> list[tuple[Numbers, Numbers]]:
        """Return by pair the unknowns, with their weights, that add up to the lead of one contender over another."""
        algebra = self.algebra
        found = []
        for contenders, sign in ((self.pairs.one, 1.0), (self.pairs.two, -1.0)):
            for unknowns, weights in self.term_columns:
                signed = _shorten(algebra.take(weights, contenders), sign, algebra)
                found.append((algebra.take(unknowns, contenders), signed))
        return found

    def _find_step(self, point: LikelihoodPoint) -> Numbers:
        """Return Newton's step: none for unknowns that are held."""
        algebra, size = self.algebra, len(self.precision)
        if not self.held:
            return algebra.solve(point.curvature, point.slope)
        free = algebra.whole(self.free)
        step = algebra.solve(algebra.pick(point.curvature, self.free), algebra.take(point.slope, free))
        return algebra.add_up(free, step, size)

    def _step_uphill(self, x: Numbers, point: LikelihoodPoint, step: Numbers) -> tuple[Numbers, LikelihoodPoint]:
        """Take the step, halved until the likelihood does not decrease (it terminates: the likelihood is concave)."""
        while True:
            new = _add_vectors(x, step, self.algebra)
            there = self.evaluate(new)
            if there.value >= point.value - 1e-12 * abs(point.value):
                return new, there
            step = _shorten(step, 0.5, self.algebra)


def compute_chance(lead: float) -> float:
    """Return the chance of being placed ahead, with a lead in log strength."""
    return 1 / (1 + exp(-lead)) if lead > 0 else exp(lead) / (1 + exp(lead))


def _add_vectors(one: Numbers, other: Numbers, algebra: Algebra) -> Numbers:
    return algebra.apply(lambda a, b: a + b, one, other)


def _shorten(vector: Numbers, factor: float, algebra: Algebra) -> Numbers:
    return algebra.apply(lambda value: factor * value, vector)


def _multiply(one: float, other: float) -> float:
    return one * other
