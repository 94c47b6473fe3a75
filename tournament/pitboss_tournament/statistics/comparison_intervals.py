"""Comparison intervals: a half-width for each bot, so that two bots whose intervals do not overlap differ at 95 %.

Intervals of ratings around a common zero overlap although bots differ, because they contain the error of the zero, and
because the errors of two bots are not added in a difference (Schenker and Gentleman 2001, *On judging the significance
of differences by examining the overlap between confidence intervals*). Here the half-widths of two bots add up to no
less than the half-width of their difference, and to little more (Gabriel 1978, *A simple method of multiple comparisons
of means*; least squares as for the quasi-variances of Firth and de Menezes 2004).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from pitboss_tournament.statistics.linear_algebra import Algebra, Numbers


def split_half_widths(members: Sequence[int], between: Sequence[Numbers], algebra: Algebra) -> dict[int, float]:
    """Return a half-width for each of two members or more; none of none.

    `between`: by member a row with the half-widths of its differences from all; 0 from itself. The sum of two
    half-widths is never less than that of their difference; for two members it is the same, and each has half of it.
    """
    if not members:
        return {}
    own = _fit_least_squares(between, algebra)
    short = max(_compare_sums(row, own, at, algebra) for at, row in enumerate(between))
    own = algebra.apply(lambda width: max(1.0, short) * width, own)
    widths = algebra.to_list(own)
    for at in sorted(range(len(members)), key=lambda at: (-widths[at], members[at])):
        own[at] = max(0.0, algebra.largest(algebra.apply(lambda width, other: width - other, between[at], own)))
    return dict(zip(members, algebra.to_list(own), strict=True))


def _compare_sums(row: Numbers, own: Numbers, at: int, algebra: Algebra) -> float:
    """Return by how much the half-widths of differences from one member exceed the sums of two, at most."""
    mine = float(own[at])
    sums = algebra.clip(algebra.apply(lambda other: mine + other, own), 1e-9, inf)
    return algebra.largest(algebra.apply(lambda width, sum_: width / sum_, row, sums))


def _fit_least_squares(between: Sequence[Numbers], algebra: Algebra) -> Numbers:
    """Return the half-widths, none below 0, whose sums are closest to those of the differences."""
    count = len(between)
    sums = algebra.vector([algebra.total(row) for row in between])
    if count == 2:
        return algebra.apply(lambda value: value / 2, sums)
    whole = algebra.total(sums) / 2 / (count - 1)
    return algebra.clip(algebra.apply(lambda value: (value - whole) / (count - 2), sums), 0.0, inf)
