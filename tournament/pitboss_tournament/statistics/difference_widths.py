"""The intervals of differences of ratings: Student's t of their standard errors, for one pair or for all at once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pitboss_tournament.statistics.linear_algebra import Algebra, Numbers, SquareMatrix
from pitboss_tournament.statistics.student_t import student_t_quantile


def add_variances(one: float, other: float, covariance: float) -> float:
    """Return the variance of a difference."""
    return one + other - 2 * covariance


def count_clusters(one: float, two: float, both: float) -> float:
    """Return the most degrees of freedom of a difference: one less than the blocks that either was in."""
    return one + two - both - 1


def compute_welch_freedom(one: float, two: float) -> float:
    """Return the degrees of freedom of a difference, by the blocks of either, two or more (Welch 1947)."""
    return (1 / one + 1 / two) ** 2 / (1 / one**2 / (one - 1) + 1 / two**2 / (two - 1)) + 1e-9


def measure_errors(
    covariance: SquareMatrix, together: SquareMatrix, algebra: Algebra
) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield for each bot the standard errors of its differences from all, and their whole degrees of freedom.

    `together`: in how many blocks two of them met; with itself, all of its blocks, two or more.
    """
    variances, blocks = algebra.diagonal(covariance), algebra.diagonal(together)
    for at in range(len(blocks)):
        variance = algebra.apply(partial(add_variances, float(variances[at])), variances, covariance[at])
        clusters = algebra.apply(partial(count_clusters, float(blocks[at])), blocks, together[at])
        welch = algebra.apply(partial(compute_welch_freedom, float(blocks[at])), blocks)
        freedom = algebra.select(algebra.apply(lambda most, own: most < own, clusters, welch), clusters, welch)
        errors = algebra.root(algebra.clip(variance, 0.0, float("inf")))
        yield errors, algebra.apply(lambda value: value // 1, freedom)


def measure_widths(
    covariance: SquareMatrix, together: SquareMatrix, pooled_freedom: int, algebra: Algebra
) -> list[Numbers]:
    """Return for each bot the half-widths of its differences from all, as a row; 0 from itself.

    `together`: as of `measure_errors`. `pooled_freedom`: degrees of freedom that a variance owes to other bots.
    """
    rows = []
    for errors, freedom in measure_errors(covariance, together, algebra):
        distinct, places = algebra.number_keys(freedom)
        quantiles = algebra.vector(
            [student_t_quantile(int(value) + pooled_freedom) for value in algebra.to_list(distinct)]
        )
        rows.append(algebra.apply(lambda error, quantile: error * quantile, errors, algebra.take(quantiles, places)))
    return rows
