"""The likelihood of who was ahead of whom, of the Bradley–Terry model with any terms, and its maximum.

Each contender is as strong as the sum of its terms. The unknowns have a normal prior around 0: the penalised likelihood
is strictly concave, so that Newton's method with halved steps finds its one maximum.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log1p
from typing import NamedTuple, TypeAlias

from pitboss_tournament.statistics.linear_algebra import Matrix, Vector, cholesky, solve_cholesky

LARGEST_STEP = 2.0
SMALLEST_STEP = 5e-4  # what is left to go after it is less than its square


SparseVector: TypeAlias = list[tuple[int, float]]  # an unknown's number and a value


class LikelihoodPoint(NamedTuple):
    """The logarithm of the penalised likelihood at one point, with slope and curvature."""

    value: float
    slope: Vector
    curvature: Matrix  # of its negative: positive definite


class ModelFit(NamedTuple):
    """The most likely unknowns, the curvature there, and the curvature with equal strengths."""

    x: Vector
    curvature: Matrix
    curvature_if_equal: Matrix


class PairLikelihood(NamedTuple):
    """Contenders of which one was ahead of another, and what they have in common."""

    terms: list[SparseVector]  # by contender: the unknowns that add up to its log strength, with their weights
    pairs: Sequence[tuple[int, int, int, int]]  # two contenders, how often the first was ahead and how often behind
    precision: Vector  # by unknown: 1 / variance of its prior

    def fit(self) -> ModelFit:
        """Return the maximum of the penalised likelihood."""
        x = [0.0] * len(self.precision)
        first = point = self.evaluate(x)
        while True:
            step = solve_cholesky(cholesky(point.curvature), point.slope)
            largest = max(map(abs, step), default=0.0)
            if largest < SMALLEST_STEP:  # too short a step to change the curvature
                return ModelFit(_add_vectors(x, step), point.curvature, first.curvature)
            x, point = self._step_uphill(x, point, [LARGEST_STEP / max(largest, LARGEST_STEP) * part for part in step])

    def evaluate(self, x: Vector) -> LikelihoodPoint:
        """Return the penalised likelihood at `x`."""
        value = -sum(p * v * v / 2 for v, p in zip(x, self.precision, strict=True))
        slope = [-p * v for p, v in zip(self.precision, x, strict=True)]
        curvature = [[0.0] * len(x) for _ in x]
        for number, own in enumerate(self.precision):
            curvature[number][number] = own
        strengths = self.log_strengths(x)
        for one, two, won, lost in self.pairs:
            lead = strengths[one] - strengths[two]
            chance = compute_chance(lead)
            value -= won * _log_one_plus_exp(-lead) + lost * _log_one_plus_exp(lead)
            pull = won - (won + lost) * chance
            spread = (won + lost) * chance * (1 - chance)
            terms = self._difference_terms(one, two)
            for unknown, weight in terms:
                slope[unknown] += weight * pull
                row, weighted = curvature[unknown], weight * spread
                for other, factor in terms:
                    row[other] += weighted * factor
        return LikelihoodPoint(value, slope, curvature)

    def _difference_terms(self, one: int, two: int) -> SparseVector:
        """Return the unknowns, with their weights, that add up to the lead of one contender over another."""
        return [*self.terms[one], *[(unknown, -weight) for unknown, weight in self.terms[two]]]

    def log_strengths(self, x: Vector) -> Vector:
        """Return the log strengths of the contenders."""
        return [sum([weight * x[unknown] for unknown, weight in terms]) for terms in self.terms]

    def _step_uphill(self, x: Vector, point: LikelihoodPoint, step: Vector) -> tuple[Vector, LikelihoodPoint]:
        """Take the step, halved until the likelihood does not decrease (it terminates: the likelihood is concave)."""
        while True:
            new = _add_vectors(x, step)
            there = self.evaluate(new)
            if there.value >= point.value - 1e-12 * abs(point.value):
                return new, there
            step = [part / 2 for part in step]


def compute_chance(lead: float) -> float:
    """Return the chance of being placed ahead, with a lead in log strength."""
    return 1 / (1 + exp(-lead)) if lead > 0 else exp(lead) / (1 + exp(lead))


def _log_one_plus_exp(value: float) -> float:
    return max(value, 0.0) + log1p(exp(-abs(value)))


def _add_vectors(one: Vector, other: Vector) -> Vector:
    return [a + b for a, b in zip(one, other, strict=True)]
