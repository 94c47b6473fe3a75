"""Pair tests: Student's t of the differences of the ratings of each two bots, as columns, and Holm's test of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import log
from typing import Final, NamedTuple

from pitboss_tournament.statistics.arrays import Flags, Floats, Whole, join_arrays, np, unpack_matrix
from pitboss_tournament.statistics.difference_widths import measure_errors
from pitboss_tournament.statistics.ratings import Ratings
from pitboss_tournament.statistics.sequential_test import TEST_ERROR
from pitboss_tournament.statistics.student_t import MAX_EXACT_FREEDOM, find_bayes_t, log_bayes_factor, student_t_cdf

MIN_ERROR: Final = 1e-12  # of a test, beyond which its probability is not computed exactly
MIN_ERROR_POINTS: Final = 1e-150  # of a difference, in points: nobody divides by zero


class PairTests(NamedTuple):
    """Pairs of bots whose ratings can be compared: each two once. Bots are positions in an order."""

    ones: Whole
    others: Whole
    t: Floats  # how many standard errors the first one is rated above the second
    freedom: Floats  # whole degrees of freedom


class Proofs(NamedTuple):
    """Pairs with a proven difference, the better one first, and how sure the proofs are."""

    pairs: list[tuple[int, int]]  # positions
    least: float | None  # minus the logarithm of the error of the weakest proof; None if there is none


class HolmLimit(NamedTuple):
    """What Holm's test rejects: each pair with an error of at most `error`."""

    error: float
    adjusted: float  # the greatest error of one of them, all pairs together


def list_pair_tests(ratings: Ratings, order: Sequence[int]) -> PairTests:
    """Return the tests of all pairs of the bots in `order`, as `Ratings.compare` makes them one by one."""
    groups: dict[int, list[int]] = {}
    for position, bot in enumerate(order):
        line = ratings.rating_of(bot)
        if line.group is not None and line.points.mean is not None and line.blocks > 1:
            groups.setdefault(line.group, []).append(position)
    rows = [row for members in groups.values() for row in _iter_rows(ratings, order, members)]
    nothing = [np.zeros(0, dtype=kind) for kind in (np.int64, np.int64, np.float64, np.float64)]
    return PairTests(*map(join_arrays, zip(nothing, *rows, strict=True)))


def _iter_rows(ratings: Ratings, order: Sequence[int], members: Sequence[int]) -> Iterator[PairTests]:
    """Yield for each member of a group its tests against those that come later."""
    numbers = {entrant: number for number, entrant in enumerate(ratings.entrants)}
    places = [numbers[order[position]] for position in members]
    covariance, together = (
        unpack_matrix(matrix)[np.ix_(places, places)] for matrix in (ratings.covariance, ratings.shared_blocks)
    )
    means = np.array([ratings.rating_of(order[position]).points.mean or 0.0 for position in members])
    positions = np.array(members)
    is_bounded = [order[position] in ratings.bounds for position in members]
    for at, (error, freedom) in enumerate(measure_errors(covariance, together)):
        later = slice(at + 1, None)
        t = (means[at] - means[later]) / np.maximum(error[later], MIN_ERROR_POINTS)
        row = PairTests(np.full(len(t), members[at]), positions[later], t, freedom[later])
        for other in range(at + 1, len(members)):
            if is_bounded[at] or is_bounded[other]:
                compared = ratings.compare(order[members[at]], order[members[other]])
                row.t[other - at - 1] = compared[0] if compared else 0.0
        yield row


def compute_tail_errors(t: Floats, freedom: Floats) -> Floats:
    """Return the two-sided errors of Student's t, with whole degrees of freedom, 1 or more."""
    errors = np.empty(len(t))
    order = np.argsort(freedom, kind="stable")
    distinct, starts = np.unique(freedom[order], return_index=True)
    for degrees, own in zip(distinct.tolist(), np.split(order, starts)[1:], strict=True):
        errors[own] = _sum_tails(np.abs(t[own]), int(degrees))
    return errors


def _sum_tails(t: Floats, freedom: int) -> Floats:
    """Return the two-sided errors of t, 0 or more, with these degrees of freedom: by the sums of `student_t_cdf`."""
    if freedom > MAX_EXACT_FREEDOM:
        return np.array([2 * student_t_cdf(-value, freedom) for value in t.tolist()])
    angle = np.arctan2(t, np.sqrt(freedom))
    square, odd = np.cos(angle) ** 2, freedom % 2
    term = np.cos(angle) if odd else np.ones(len(t))
    total = term.copy() if freedom > 1 else np.zeros(len(t))
    for number in range(2 + odd, freedom - 1, 2):
        term *= (number - 1) / number * square
        total += term
    within = 2 / np.pi * (angle + np.sin(angle) * total) if odd else np.sin(angle) * total
    errors: Floats = np.clip(1 - within, 0.0, 2.0)
    return errors


def find_holm_limit(errors: Iterable[float], pairs: int, most: float, least: float) -> HolmLimit | None:
    """Return the limit at which Holm's test of `pairs` pairs rejects with the total error `most`; None if no pair.

    `errors`: two-sided ones, of the pairs that can be tested. Adjusted ones are never below `least`.
    """
    found, adjusted = None, least
    for number, error in enumerate(sorted(own for own in errors if own <= most)):
        adjusted = max(adjusted, error * (pairs - number))
        if adjusted > most:
            break
        found = HolmLimit(error, adjusted)
    return found


def prove_pairs(tests: PairTests, pairs: int, anytime: bool) -> Proofs:
    """Return the pairs that differ, with an error of TEST_ERROR over all `pairs` pairs together; more is better.

    `anytime`: by Bayes factors, which hold however often one looks, with Bonferroni's correction; else by Holm's test.
    """
    if anytime:
        proven = find_bayes_proofs(tests, log(pairs / TEST_ERROR))
        own = zip(np.abs(tests.t[proven]).tolist(), tests.freedom[proven].tolist(), strict=True)
        least = min((log_bayes_factor(t, freedom) - log(pairs) for t, freedom in own), default=None)
    else:
        errors = compute_tail_errors(tests.t, tests.freedom)
        limit = find_holm_limit(errors[errors <= TEST_ERROR].tolist(), pairs, TEST_ERROR, MIN_ERROR)
        if limit is None:
            return Proofs([], None)
        proven, least = errors <= limit.error, -log(limit.adjusted)
    better = np.where(tests.t > 0, tests.ones, tests.others)[proven]
    worse = np.where(tests.t > 0, tests.others, tests.ones)[proven]
    return Proofs([*zip(better.tolist(), worse.tolist(), strict=True)], least)


def find_bayes_proofs(tests: PairTests, proof: float) -> Flags:
    """Return of which pairs the log Bayes factor is `proof` or more."""
    distinct, places = np.unique(tests.freedom, return_inverse=True)
    enough = np.array([find_bayes_t(proof, freedom) for freedom in distinct.tolist()])
    proven: Flags = np.abs(tests.t) >= enough[places]
    return proven
