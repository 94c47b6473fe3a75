"""The intervals of differences of ratings: Student's t of their standard errors, for one pair or for all at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from pitboss_tournament.statistics.arrays import Floats, np
from pitboss_tournament.statistics.student_t import student_t_quantile

Number = TypeVar("Number", float, Floats)  # one, or one for each bot


def add_variances(one: Number, other: Number, covariance: Number) -> Number:
    """Return the variance of a difference."""
    return one + other - 2 * covariance


def count_clusters(one: Number, two: Number, both: Number) -> Number:
    """Return the most degrees of freedom of a difference: one less than the blocks that either was in."""
    return one + two - both - 1


def compute_welch_freedom(one: Number, two: Number) -> Number:
    """Return the degrees of freedom of a difference, by the blocks of either, two or more (Welch 1947)."""
    return (1 / one + 1 / two) ** 2 / (1 / one**2 / (one - 1) + 1 / two**2 / (two - 1)) + 1e-9


def estimate_freedom(one: Number, one_blocks: Number, two: Floats, two_blocks: Floats) -> Floats:
    """Return the degrees of freedom of differences, by variances and blocks of both (Satterthwaite 1946).

    0 of a bot with a single block.
    """
    parts = one**2 / np.maximum(one_blocks - 1, 1) + two**2 / np.maximum(two_blocks - 1, 1)
    known = np.minimum(one_blocks, two_blocks) >= 2
    freedom: Floats = np.where(known, (one + two) ** 2 / np.maximum(parts, 1e-300) + 1e-9, 0.0)
    return freedom


def measure_errors(covariance: Floats, together: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Yield for each bot the standard errors of its differences from all, and their whole degrees of freedom.

    `together`: in how many blocks two of them met; with itself, all of its blocks, two or more.
    """
    variances, blocks = covariance.diagonal(), together.diagonal()
    for at in range(len(blocks)):
        own = slice(at, at + 1)
        variance = add_variances(variances[own], variances, covariance[at])
        clusters = count_clusters(blocks[own], blocks, together[at])
        freedom = np.minimum(clusters, compute_welch_freedom(blocks[own], blocks))
        yield np.sqrt(np.maximum(variance, 0.0)), np.floor(freedom)


def measure_widths(covariance: Floats, together: Floats, pooled_freedom: int) -> list[Floats]:
    """Return for each bot the half-widths of its differences from all, as a row; 0 from itself.

    `together`: as of `measure_errors`. `pooled_freedom`: degrees of freedom that a variance owes to other bots.
    """
    rows = []
    for errors, freedom in measure_errors(covariance, together):
        distinct, places = np.unique(freedom, return_inverse=True)
        quantiles = np.array([student_t_quantile(int(value) + pooled_freedom) for value in distinct.tolist()])
        rows.append(errors * quantiles[places])
    return rows
