"""Comparison intervals: a half-width for each bot, so that two bots whose intervals do not overlap differ at 95 %.

Intervals of ratings around a common zero overlap although bots differ, because they contain the error of the zero, and
because the errors of two bots are not added in a difference (Schenker and Gentleman 2001, *On judging the significance
of differences by examining the overlap between confidence intervals*). Here the half-widths of two bots add up to no
less than the half-width of their difference, and to little more (Gabriel 1978, *A simple method of multiple comparisons
of means*; least squares as for the quasi-variances of Firth and de Menezes 2004).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def split_half_widths(members: Sequence[int], differences: Mapping[tuple[int, int], float]) -> dict[int, float]:
    """Return a half-width for each of two members or more; none of none.

    `differences`: the half-widths of the differences of each two, the lower number first. The sum of two half-widths is
    never less than that of their difference; for two members it is the same, and each has half of it.
    """
    if not members:
        return {}
    between = {**differences, **{(two, one): width for (one, two), width in differences.items()}}
    own = _fit_least_squares(members, between)
    others = {one: [two for two in members if two != one] for one in members}
    short = max(between[one, two] / max(own[one] + own[two], 1e-9) for one in members for two in others[one])
    own = {one: max(1.0, short) * width for one, width in own.items()}
    for one in sorted(members, key=lambda member: (-own[member], member)):
        own[one] = max(0.0, *(between[one, two] - own[two] for two in others[one]))
    return own


def _fit_least_squares(members: Sequence[int], between: Mapping[tuple[int, int], float]) -> dict[int, float]:
    """Return the half-widths, none below 0, whose sums are closest to those of the differences."""
    count = len(members)
    sums = {one: sum(between[one, two] for two in members if two != one) for one in members}
    if count == 2:
        return {one: value / 2 for one, value in sums.items()}
    whole = sum(sums.values()) / 2 / (count - 1)
    return {one: max(0.0, (value - whole) / (count - 2)) for one, value in sums.items()}
