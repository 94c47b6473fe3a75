"""The likelihood of the order of places, of the Bradley–Terry model with any terms, and its maximum.

Each contender is as strong as the sum of its terms. The unknowns have a normal prior around 0: the penalised likelihood
is strictly concave, so that Newton's method with halved steps finds its one maximum. Two unknowns may be linked: their
difference then has a prior around 0 too, Student's t with LINK_FREEDOM degrees of freedom (Lange, Little and Taylor
1989, *Robust statistical modeling using the t distribution*). It pulls as a normal one does where the difference is
small, and lets go where games say that it is large. There it is not concave, and counts as flat in Newton's method. Of
two maxima, which few games may leave, the one found is that on the side of no difference. Unknowns that are held have
no equations: they are constants.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from typing import Final, NamedTuple, TypeAlias

from pitboss_tournament.statistics.arrays import Floats, Whole, add_to, add_up, logistic, np, solve
from pitboss_tournament.statistics.block_chunks import pad_columns

LINK_FREEDOM: Final = 3  # degrees of freedom of the prior of linked unknowns
LARGEST_STEP = 2.0
SMALLEST_STEP = 5e-4  # what is left to go after it is less than its square, or a part of it where a link lets go


SparseVector: TypeAlias = list[tuple[int, float]]  # an unknown's number and a value


class LikelihoodPoint(NamedTuple):
    """The logarithm of the penalised likelihood at one point, with slope and curvature."""

    value: float
    slope: Floats
    curvature: Floats  # of its negative: positive definite


class ModelFit(NamedTuple):
    """The most likely unknowns, the curvature there, and the curvature with equal strengths and no links."""

    x: Floats
    curvature: Floats
    curvature_if_equal: Floats


class PairCounts(NamedTuple):
    """How often contenders were ahead of each other, column by column: each two of them once."""

    one: Whole
    two: Whole
    won: Floats  # how often the first was ahead
    lost: Floats  # and how often behind


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
        precision: Sequence[float],
        *,
        links: Sequence[UnknownLink] = (),
        held: Mapping[int, float] | None = None,
    ) -> None:
        self.terms, self.pairs, self.held = terms, pairs, held or {}
        ends = ([link.one for link in links], [link.two for link in links])
        self._link_ends = [np.array(own) for own in ends if own]  # the first ones and the second ones, if any
        self._link_precision = np.array([link.precision for link in links])
        self.precision = np.array(precision, dtype=np.float64)
        self.free: Final = np.array([own for own in range(len(self.precision)) if own not in self.held], dtype=np.int64)
        self.term_columns = pad_columns(terms)
        self._played = pairs.won + pairs.lost
        self._difference_terms = self._list_difference_terms()

    def fit(self) -> ModelFit:
        """Return the maximum of the penalised likelihood."""
        size = len(self.precision)
        equal = self._evaluate_pairs(np.zeros(size))
        x = np.array([self.held.get(unknown, 0.0) for unknown in range(size)], dtype=np.float64)
        point = self.evaluate(x)
        while True:
            step = self._find_step(point)
            largest = float(np.abs(step).max(initial=0.0))
            if largest < SMALLEST_STEP:  # too short a step to change the curvature
                return ModelFit(x + step, point.curvature, equal.curvature)
            x, point = self._step_uphill(x, point, step * (LARGEST_STEP / max(largest, LARGEST_STEP)))

    def evaluate(self, x: Floats) -> LikelihoodPoint:
        """Return the penalised likelihood at `x`."""
        value, slope, curvature = self._evaluate_pairs(x)
        if not self._link_ends:
            return LikelihoodPoint(value, slope, curvature)
        size, (one, two) = len(x), self._link_ends
        difference, excess = self._measure_links(x)
        value -= (LINK_FREEDOM + 1) / 2 * float(np.log1p(excess).sum())
        pull = self._link_precision * difference / (1 + excess)
        slope = slope + add_up(two, pull, size) - add_up(one, pull, size)
        bent = self._link_precision * (1 - excess) / (1 + excess) ** 2
        self._add_to_links(curvature, np.maximum(bent, 0.0))
        return LikelihoodPoint(value, slope, curvature)

    def add_link_scores(self, matrix: Floats, x: Floats) -> None:
        """Add the covariance of the scores of the links to a matrix: the expected covariance, and the observed one."""
        if self._link_ends:
            difference, excess = self._measure_links(x)
            weight = self._link_precision / (1 + excess)
            self._add_to_links(matrix, weight + (weight * difference) ** 2)

    def _measure_links(self, x: Floats) -> tuple[Floats, Floats]:
        """Return the differences of linked unknowns, and by how much each of them weakens its link.

        A link whose difference has the excess u pulls as a normal prior with 1 / (1 + u) of the precision.
        """
        one, two = self._link_ends
        difference = x[one] - x[two]
        return difference, self._link_precision * difference * difference / (LINK_FREEDOM + 1)

    def _add_to_links(self, matrix: Floats, values: Floats) -> None:
        """Add to a matrix what belongs to the differences of linked unknowns."""
        for end in self._link_ends:
            for other in self._link_ends:
                add_to(matrix, end, other, values if other is end else -values)

    def log_strengths(self, x: Floats) -> Floats:
        """Return the log strengths of the contenders."""
        strengths = np.zeros(len(self.terms))
        for unknowns, weights in self.term_columns:
            strengths += weights * x[unknowns]
        return strengths

    def sum_information(self, x: Floats) -> Floats:
        """Return by unknown the curvature that the games give it, if its term comes once in a lead: priors aside."""
        chance = logistic(self.find_leads(x))
        spread = self._played * chance * (1 - chance)
        found = np.zeros(len(x))
        for unknowns, weights in self._difference_terms:
            found += add_up(unknowns, spread * weights * weights, len(x))
        return found

    def find_leads(self, x: Floats) -> Floats:
        """Return by pair how much stronger the first contender is, in log strength."""
        strengths = self.log_strengths(x)
        return strengths[self.pairs.one] - strengths[self.pairs.two]

    def _evaluate_pairs(self, x: Floats) -> LikelihoodPoint:
        """Return the likelihood with the priors of single unknowns, without links."""
        _, _, won, lost = self.pairs
        lead = self.find_leads(x)
        chance = logistic(lead)
        losses = won * np.logaddexp(0.0, -lead) + lost * np.logaddexp(0.0, lead)
        value = -float((self.precision * x * x / 2).sum()) - float(losses.sum())
        slope = -self.precision * x
        curvature = np.diag(self.precision)
        pull, spread = won - self._played * chance, self._played * chance * (1 - chance)
        for unknowns, weights in self._difference_terms:
            slope += add_up(unknowns, weights * pull, len(x))
            weighted = weights * spread
            for others, factors in self._difference_terms:
                add_to(curvature, unknowns, others, weighted * factors)
        return LikelihoodPoint(value, slope, curvature)

    def _list_difference_terms(self) -> list[tuple[Whole, Floats]]:
        """Return by pair the unknowns, with their weights, that add up to the lead of one contender over another."""
        return [
            (unknowns[contenders], sign * weights[contenders])
            for contenders, sign in ((self.pairs.one, 1.0), (self.pairs.two, -1.0))
            for unknowns, weights in self.term_columns
        ]

    def _find_step(self, point: LikelihoodPoint) -> Floats:
        """Return Newton's step: none for unknowns that are held."""
        if not self.held:
            return solve(point.curvature, point.slope)
        step = np.zeros(len(self.precision))
        step[self.free] = solve(point.curvature[np.ix_(self.free, self.free)], point.slope[self.free])
        return step

    def _step_uphill(self, x: Floats, point: LikelihoodPoint, step: Floats) -> tuple[Floats, LikelihoodPoint]:
        """Take the step, halved until the likelihood does not decrease (it terminates: the likelihood is concave)."""
        while True:
            new = x + step
            there = self.evaluate(new)
            if there.value >= point.value - 1e-12 * abs(point.value):
                return new, there
            step = step / 2


def compute_chance(lead: float) -> float:
    """Return the chance of being placed ahead, with a lead in log strength."""
    return 1 / (1 + exp(-lead)) if lead > 0 else exp(lead) / (1 + exp(lead))
