"""Comparison intervals: a half-width for each bot, so that two bots whose intervals do not overlap differ at 95 %.

Intervals of ratings around a common zero overlap although bots differ, because they contain the error of the zero, and
because the errors of two bots are not added in a difference (Schenker and Gentleman 2001, *On judging the significance
of differences by examining the overlap between confidence intervals*). Here the half-widths of two bots add up to no
less than the half-width of their difference, and to little more (Gabriel 1978, *A simple method of multiple comparisons
of means*; least squares as for the quasi-variances of Firth and de Menezes 2004).
"""

from __future__ import annotations

from collections.abc import Sequence

from pitboss_tournament.statistics.arrays import Floats, np


def split_half_widths(members: Sequence[int], between: Sequence[Floats]) -> dict[int, float]:
    """Return a half-width for each of two members or more; none of none.

    `between`: by member a row with the half-widths of its differences from all; 0 from itself. The sum of two
    half-widths is never less than that of their difference; for two members it is the same, and each has half of it.
    """
    if not members:
        return {}
    own = _fit_least_squares(between)
    own *= max(1.0, *(_compare_sums(row, own, at) for at, row in enumerate(between)))
    widths = own.tolist()
    for at in sorted(range(len(members)), key=lambda at: (-widths[at], members[at])):
        own[at] = (between[at] - own).max(initial=0.0)
    return dict(zip(members, own.tolist(), strict=True))


def _compare_sums(row: Floats, own: Floats, at: int) -> float:
    """Return by how much the half-widths of differences from one member exceed the sums of two, at most."""
    return float((row / np.maximum(own[at] + own, 1e-9)).max())


def _fit_least_squares(between: Sequence[Floats]) -> Floats:
    """Return the half-widths, none below 0, whose sums are closest to those of the differences."""
    count = len(between)
    sums: Floats = np.sum(between, axis=1)
    if count == 2:
        return sums / 2
    whole = float(sums.sum()) / 2 / (count - 1)
    return np.maximum((sums - whole) / (count - 2), 0.0)
