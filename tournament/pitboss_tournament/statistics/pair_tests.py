"""Pair tests: Student's t of the differences of the ratings of each two bots, as columns, and Holm's test of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import inf
from typing import Final, NamedTuple

from pitboss_tournament.statistics.difference_widths import measure_errors
from pitboss_tournament.statistics.linear_algebra import Algebra, Numbers
from pitboss_tournament.statistics.ratings import Ratings

MIN_ERROR_POINTS: Final = 1e-150  # of a difference, in points: nobody divides by zero


class PairTests(NamedTuple):
    """Pairs of bots whose ratings can be compared: each two once. Bots are positions in an order."""

    ones: Numbers
    others: Numbers
    t: Numbers  # how many standard errors the first one is rated above the second
    freedom: Numbers  # whole degrees of freedom


class HolmLimit(NamedTuple):
    """What Holm's test rejects: each pair with an error of at most `error`."""

    error: float
    adjusted: float  # the greatest error of one of them, all pairs together


def list_pair_tests(ratings: Ratings, order: Sequence[int], algebra: Algebra) -> PairTests:
    """Return the tests of all pairs of the bots in `order`, as `Ratings.compare` makes them one by one."""
    groups: dict[int, list[int]] = {}
    for position, bot in enumerate(order):
        line = ratings.rating_of(bot)
        if line.group is not None and line.points.mean is not None and line.blocks > 1:
            groups.setdefault(line.group, []).append(position)
    rows = [row for members in groups.values() for row in _iter_rows(ratings, order, members, algebra)]
    nothing = (algebra.whole([]), algebra.whole([]), algebra.vector([]), algebra.vector([]))
    return PairTests(*[algebra.join(column) for column in zip(nothing, *rows, strict=True)])


def _iter_rows(ratings: Ratings, order: Sequence[int], members: Sequence[int], algebra: Algebra) -> Iterator[PairTests]:
    """Yield for each member of a group its tests against those that come later."""
    numbers = {entrant: number for number, entrant in enumerate(ratings.entrants)}
    places = [numbers[order[position]] for position in members]
    covariance, together = (
        algebra.pick(algebra.unpack(matrix), places) for matrix in (ratings.covariance, ratings.shared_blocks)
    )
    means = algebra.vector([ratings.rating_of(order[position]).points.mean or 0.0 for position in members])
    positions = algebra.whole(members)
    is_bounded = [order[position] in ratings.bounds for position in members]
    errors = measure_errors(covariance, together, algebra)
    for at, (error, freedom) in enumerate(errors):
        mean, later = float(means[at]), slice(at + 1, None)
        error = algebra.clip(error[later], MIN_ERROR_POINTS, inf)
        t = algebra.apply(partial(_divide_difference, mean), means[later], error)
        row = PairTests(algebra.whole([members[at]] * len(t)), positions[later], t, freedom[later])
        for other in range(at + 1, len(members)):
            if is_bounded[at] or is_bounded[other]:
                compared = ratings.compare(order[members[at]], order[members[other]])
                row.t[other - at - 1] = compared[0] if compared else 0.0
        yield row


def _divide_difference(mean: float, other: float, error: float) -> float:
    return (mean - other) / error


def find_holm_limit(errors: Iterable[float], pairs: int, most: float, least: float) -> HolmLimit | None:
    """Return what Holm's test of so many pairs rejects at the error `most`, all together; None if nothing.

    `errors`: two-sided ones, of the pairs that can be tested. Adjusted ones are never below `least`.
    """
    found, adjusted = None, least
    for number, error in enumerate(sorted(own for own in errors if own <= most)):
        adjusted = max(adjusted, error * (pairs - number))
        if adjusted > most:
            break
        found = HolmLimit(error, adjusted)
    return found
