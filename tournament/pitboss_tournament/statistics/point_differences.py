"""Point differences: how many points a game bots are apart, estimated from all tables, with tests of all pairs.

The points of a bot in a block are its own strength, plus what the block gives to all at its table, plus chance. Least
squares of both effects take the luck of the deal out, compare each two bots that a chain of tables connects, and
correct for whom a bot has met. The variance of the estimate is the sandwich over blocks: whatever the points of one
block have to do with each other, and however much they scatter in another. A block pulls the fit towards itself: what
is left of it is corrected for this leverage (Bell and McCaffrey 2002, *Bias reduction in standard errors for linear
regression with multi-stage samples*). Where all bots meet in every block this is the paired t test, exactly.

A sandwich of few blocks is a poor estimate. If a pair has few degrees of freedom of its own, and did not meet in all
blocks of both, it borrows the variance that all blocks have in common: as many degrees of freedom as bring it to
MAX_BORROWED_FREEDOM, at most two for each of its own, as many as there are blocks less bots, and as the scatter of the
bots' own variances allows (moderated t, Smyth 2004, *Linear models and empirical Bayes methods*). A test that holds at
any time borrows nothing. The variance of a pair that did not meet in all blocks of both is at least the common one.

Where results have paired the bots, as in a Swiss tournament, winners of a round meet winners, and nothing takes back
what luck gave to all of them. All errors are then larger, as those of ratings are (`rating_covariance`).

Where all differences of two bots are equal there is no variance, and nothing is proven: what has always been lost may
be what is seldom won back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import inf, sqrt
from typing import Final, NamedTuple

from msgspec import Struct

from pitboss_tournament.statistics.arrays import (
    Floats,
    Whole,
    add_up,
    invert,
    join_arrays,
    np,
    pack_matrix,
    unpack_matrix,
)
from pitboss_tournament.statistics.difference_widths import add_variances, count_clusters, estimate_freedom
from pitboss_tournament.statistics.packed_matrix import PackedMatrix
from pitboss_tournament.statistics.pair_tests import PairTests, compute_tail_errors
from pitboss_tournament.statistics.point_counts import CountedTables, PointCounts
from pitboss_tournament.statistics.rating_covariance import widen_for_selection
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.student_t import anytime_t_quantile, student_t_quantile

MAX_BORROWED_FREEDOM: Final = 40  # degrees of freedom, own ones and borrowed ones
_ROUNDING: Final = 1e-9  # of the points, a share that may be rounding errors
_CHUNK: Final = 65_536  # tables whose leverages are computed at once


class PointFit(Struct, frozen=True):
    """What the points of all blocks tell of the bots that have one, as plain data. Matrices are by their positions."""

    bots: list[int]
    groups: list[int]  # by bot: those of one group can be compared
    means: list[float]  # by bot: points a game above the mean of its group
    covariance: PackedMatrix  # of the means
    unit_covariance: PackedMatrix  # of the means, if each bot's points in a block had a variance of 1
    shared_blocks: PackedMatrix  # in how many both were; of a bot with itself, all of its blocks
    variance: float  # that all blocks have in common, of a bot's points in a block
    freedom: float  # degrees of freedom that a pair may borrow

    def fits(self, bots: int) -> bool:
        """Whether these can be differences of `bots` bots."""
        size = len(self.bots)
        return len(self.groups) == len(self.means) == len({*self.bots} & {*range(bots)}) == size and all(
            one.is_whole and one.size == size for one in (self.covariance, self.unit_covariance, self.shared_blocks)
        )


class ComparedPoints(NamedTuple):
    """How many points a game the first of two bots is ahead of the second."""

    estimate: Estimate
    t: float  # in standard errors; 0 where no variance is known
    freedom: int
    error: float  # two-sided: how probable so large a difference is between equal bots
    blocks: int  # in which both were; 0: they are compared by way of others


class PointDifferences:
    """The differences of points between bots, by their numbers."""

    def __init__(self, fit: PointFit) -> None:
        self.fit = fit
        self._places = {bot: place for place, bot in enumerate(fit.bots)}

    @property
    def is_connected(self) -> bool:
        """Whether all bots that have a block can be compared."""
        return len({*self.fit.groups}) <= 1

    def lead(self, bot: int) -> float | None:
        """Return the points a game by which a bot is above the mean of those it can be compared with; None: no block.

        The same cards and the same opposition are assumed for all.
        """
        place = self._places.get(bot)
        return None if place is None else self.fit.means[place]

    def compare(self, one: int, other: int, *, anytime: bool = False) -> ComparedPoints | None:
        """Return the difference of two bots; None if they cannot be compared.

        `anytime`: with an interval that holds however often one looks.
        """
        tests = self.pair_tests([one, other], anytime=anytime)
        if not len(tests.t):
            return None
        t, freedom = float(tests.t[0]), int(tests.freedom[0])
        mean = self.fit.means[self._places[one]] - self.fit.means[self._places[other]]
        error = float(compute_tail_errors(tests.t, tests.freedom)[0])
        blocks = int(self._matrices.shared[self._places[one], self._places[other]])
        width = self._measure_width(one, other, freedom, anytime=anytime)
        return ComparedPoints(Estimate(mean, width), t, freedom, error, blocks)

    def pair_tests(self, order: Sequence[int], *, anytime: bool = False) -> PairTests:
        """Return the tests of all pairs of the bots in `order` that can be compared, by their positions in it.

        `anytime`: without borrowed degrees of freedom.
        """
        groups: dict[int, list[int]] = {}
        for position, bot in enumerate(order):
            if bot in self._places:
                groups.setdefault(self.fit.groups[self._places[bot]], []).append(position)
        rows = [row for members in groups.values() for row in self._iter_rows(order, members, anytime)]
        nothing = [np.zeros(0, dtype=kind) for kind in (np.int64, np.int64, np.float64, np.float64)]
        return PairTests(*map(join_arrays, zip(nothing, *rows, strict=True)))

    @cached_property
    def _matrices(self) -> _Matrices:
        fit = self.fit
        return _Matrices(*map(unpack_matrix, (fit.covariance, fit.unit_covariance, fit.shared_blocks)))

    def _iter_rows(self, order: Sequence[int], members: Sequence[int], anytime: bool) -> Iterator[PairTests]:
        """Yield for each member of a group its tests against those that come later."""
        positions = np.array(members)
        places = np.array([self._places[order[position]] for position in members])
        means = np.array(self.fit.means)[places]
        for at, (variances, freedom) in enumerate(self._iter_variances(places, anytime)):
            later = np.flatnonzero((np.arange(len(members)) > at) & (freedom >= 1))
            leads, own = means[at] - means[later], variances[later]
            t = leads / np.sqrt(np.where(own > self._rounding, own, inf))
            yield PairTests(np.full(len(later), members[at]), positions[later], t, freedom[later])

    def _iter_variances(self, places: Whole, anytime: bool) -> Iterator[tuple[Floats, Floats]]:
        """Yield for each bot the variances of its differences from all, and their whole degrees of freedom."""
        fit = self.fit
        covariance, unit, shared = (matrix[np.ix_(places, places)] for matrix in self._matrices)
        by_bot, total = covariance.diagonal(), shared.diagonal()
        for at in range(len(places)):
            own_variance = np.maximum(add_variances(by_bot[at], by_bot, covariance[at]), 0.0)
            own = np.minimum(
                count_clusters(total[at], total, shared[at]),
                estimate_freedom(by_bot[at], total[at], by_bot, total),
            )
            met_always = (shared[at] == total[at]) & (shared[at] == total)
            most = 0.0 if anytime else fit.freedom
            borrowed = np.where(met_always, 0.0, np.clip(MAX_BORROWED_FREEDOM - own, 0.0, np.minimum(most, 2 * own)))
            common = fit.variance * add_variances(unit[at, at], unit.diagonal(), unit[at])
            freedom = own + borrowed
            variances = (own * own_variance + borrowed * common) / np.maximum(freedom, 1.0)
            # of a single block between two groups nothing is left to see its variance by
            yield np.where(met_always, variances, np.maximum(variances, common)), np.floor(freedom)

    @property
    def _rounding(self) -> float:
        """A variance of a difference that is no more than rounding errors."""
        greatest = max(map(abs, self.fit.means), default=0.0)
        return _ROUNDING**2 * (self.fit.variance + greatest**2) + 1e-300

    def _measure_width(self, one: int, other: int, freedom: int, *, anytime: bool) -> float | None:
        """Return the half-width of the 95 % interval of a difference; None where no variance is known."""
        places = np.array([self._places[one], self._places[other]])
        variance = float(next(self._iter_variances(places, anytime))[0][1])
        quantile = anytime_t_quantile(freedom) if anytime else student_t_quantile(freedom)
        return quantile * sqrt(variance) if variance > self._rounding and quantile < inf else None


class _Matrices(NamedTuple):
    """The matrices of a `PointFit`."""

    covariance: Floats
    unit: Floats
    shared: Floats


def fit_points(counts: PointCounts, *, has_blocks: bool = True, is_paired_by_results: bool = False) -> PointFit:
    """Fit bot and block effects to the points of all blocks by least squares.

    Without `has_blocks` the bots of a block have nothing in common: each point stands for itself. If the format has
    paired bots by their results, all errors are larger, as those of ratings are (`widen_for_selection`).
    """
    tables = [table for table in counts.list_tables() if table.bots.shape[1] > 1 or not has_blocks]
    bots = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *(table.bots.ravel() for table in tables)]))
    tables = [table._replace(bots=np.searchsorted(bots, table.bots)) for table in tables]
    size = len(bots)
    weights, shared, sums = np.zeros((size, size)), np.zeros((size, size)), np.zeros(size)
    for table in tables:
        seats = table.bots.shape[1]
        centre = _make_centre(seats, has_blocks)
        sums += add_up(table.bots.ravel(), (table.blocks[:, None] * table.means @ centre).ravel(), size)
        for matrix, of_block in ((weights, centre), (shared, np.ones((seats, seats)))):
            _add_tables(matrix, table.bots, table.blocks[:, None, None] * of_block)
    groups = _find_groups(shared) if has_blocks else np.zeros(size, dtype=np.int64)
    members = add_up(groups, np.ones(size), size)
    if has_blocks:  # of a group only differences are known: its mean is set to 0
        weights += np.where(groups[:, None] == groups, 1 / members[groups], 0.0)
    unit = invert(weights)
    means = unit @ sums
    rest = _measure_rest(tables, unit, means, has_blocks)
    covariance = unit @ rest.scores @ unit
    if is_paired_by_results and size:
        factor = widen_for_selection(means, covariance, shared.diagonal())
        covariance, unit = covariance * factor, unit * factor
    blocks = float(sum(table.blocks.sum() for table in tables))
    free = blocks - size + (len(np.unique(groups)) if has_blocks else 0)
    terms = rest.expected.sum()
    variance = float(rest.squares.sum() / terms) if terms > 1e-9 else 0.0
    return PointFit(
        bots=bots.tolist(),
        groups=groups.tolist(),
        means=means.tolist(),
        covariance=pack_matrix((covariance + covariance.T) / 2, "d"),
        unit_covariance=pack_matrix(unit, "d"),
        shared_blocks=pack_matrix(shared, "I"),
        variance=variance,
        freedom=_count_common_freedom(rest, variance, free),
    )


class _Rest(NamedTuple):
    """What the fit leaves unexplained."""

    scores: Floats  # the sum over blocks of r rᵀ, r being what is left of a block, corrected for its leverage
    squares: Floats  # by bot: what is left of its points, squared, not corrected
    expected: Floats  # by bot: the squares that a variance of 1 makes one expect
    freedom: Floats  # by bot: degrees of freedom of its squares


def _measure_rest(tables: Sequence[CountedTables], unit: Floats, means: Floats, has_blocks: bool) -> _Rest:
    size = len(means)
    rest = _Rest(np.zeros((size, size)), *(np.zeros(size) for _ in range(3)))
    for table in tables:
        seats = table.bots.shape[1]
        centre = _make_centre(seats, has_blocks)
        for start in range(0, len(table.bots), _CHUNK):
            chunk = slice(start, start + _CHUNK)
            bots, blocks = table.bots[chunk], table.blocks[chunk]
            points, squares = table.means[chunk], table.squares[chunk]
            left = (points - means[bots]) @ centre
            products = centre @ squares @ centre + blocks[:, None, None] * left[:, :, None] * left[:, None, :]
            hat = centre @ unit[bots[:, :, None], bots[:, None, :]] @ centre
            corrected = _find_corrections(hat)
            scores = corrected @ products @ corrected
            expected = np.maximum(blocks[:, None] * (centre - hat).diagonal(axis1=1, axis2=2), 0.0)
            _add_tables(rest.scores, bots, scores)
            for sums, values in (
                (rest.squares, products.diagonal(axis1=1, axis2=2)),
                (rest.expected, expected),
                (rest.freedom, expected / centre[0, 0]),
            ):
                sums += add_up(bots.ravel(), values.ravel(), size)
    return rest


def _add_tables(matrix: Floats, bots: Whole, values: Floats) -> None:
    """Add for each table the values of each two of its bots to a matrix of all bots."""
    size = len(matrix)
    places = bots[:, :, None] * size + bots[:, None, :]
    matrix += add_up(places.ravel(), values.ravel(), size * size).reshape(size, size)


def _make_centre(seats: int, has_blocks: bool) -> Floats:
    """Return the matrix that takes the mean of a table out of its points."""
    return np.eye(seats) - (1 / seats if has_blocks else 0.0)


def _find_corrections(hat: Floats) -> Floats:
    """Return (1 - H)^(-1/2) of each matrix; nothing where a block alone decides what is fitted to it."""
    values, vectors = np.linalg.eigh(np.eye(hat.shape[1]) - hat)
    roots = np.where(values > 1e-9, 1 / np.sqrt(np.maximum(values, 1e-9)), 0.0)
    corrections: Floats = (vectors * roots[:, None, :]) @ vectors.transpose(0, 2, 1)
    return corrections


def _count_common_freedom(rest: _Rest, variance: float, free: float) -> float:
    """Return how many degrees of freedom a pair may borrow: at most `free`, and fewer the more variances scatter.

    If a bot's own variance scatters about the common one beyond what its blocks explain, with the variance v, the
    common one is worth 2 / v degrees of freedom.
    """
    known = (rest.freedom >= 1) & (rest.expected > 0)
    if free < 1 or variance <= 0 or not known.any():
        return 0.0
    freedom = rest.freedom[known]
    ratios = rest.squares[known] / rest.expected[known] / variance
    beyond = float(np.sum(freedom * (ratios - 1) ** 2 - 2) / freedom.sum())
    return min(free, 2 / beyond if beyond > 0 else inf)


def _find_groups(shared: Floats) -> Whole:
    """Return a number for each bot, the same for those that a chain of tables connects."""
    groups = np.full(len(shared), -1)
    for first in range(len(shared)):
        if groups[first] >= 0:
            continue
        number, edge = groups.max(initial=-1) + 1, np.array([first])
        while edge.size:
            groups[edge] = number
            edge = np.flatnonzero((shared[edge] > 0).any(axis=0) & (groups < 0))
    return groups
