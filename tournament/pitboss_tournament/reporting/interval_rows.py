"""Rows and axes of charts of estimates with their intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pitboss_tournament.html.charts import Axis, WhiskerRow, linear_axis
from pitboss_tournament.html.elements import Markup
from pitboss_tournament.html.number_format import typeset_interval, typeset_signed
from pitboss_tournament.results.numbers import hide_wide
from pitboss_tournament.results.standings_rows import BotRow
from pitboss_tournament.statistics.ratings import find_one_sided
from pitboss_tournament.statistics.running_moments import Estimate

WIDEST_INTERVAL: Final = 3.0  # times the distance of the ratings; a wider interval is cut off
FEW_POINTS: Final = 20.0  # points; where all are fewer, they are shown to a hundredth
WINS_HEADING: Final = Markup("Share of wins,&nbsp;%")


def rating_row(label: str, row: BotRow) -> WhiskerRow:
    """Return a rating with its comparison interval, open where the bot was never behind another, or never ahead."""
    rating = row.rating or Estimate(None, None)
    end = find_one_sided(rating.mean, row.rating_comparison, row.rating_bound)
    if end is None:
        return signed_row(label, hide_wide(Estimate(rating.mean, row.rating_comparison), row.blocks), digits=0)
    open_end = 1 if row.rating_bound == "at least" else -1
    return WhiskerRow(label, f"{row.rating_bound} {typeset_signed(end, 0)}", Estimate(end, 0.0), open_end)


def signed_row(label: str, estimate: Estimate, digits: int) -> WhiskerRow:
    """Return an estimate with its sign."""
    return WhiskerRow(label, typeset_interval(estimate, digits=digits, has_sign=True), estimate)


def interval_axis(estimates: list[Estimate]) -> Axis:
    """Return an axis for estimates and their intervals, zero included.

    Intervals much wider than the spread of the means are cut off at the axis.
    """
    return linear_axis([0.0, *cut_ends(estimates)])


def cut_ends(estimates: Sequence[Estimate]) -> list[float]:
    """Return the ends of intervals; those much wider than the spread of the means are cut off."""
    known = [(one.mean, one.half_width or 0.0) for one in estimates if one.mean is not None]
    means = [mean for mean, _ in known]
    widths = sorted(width for _, width in known)
    middle = widths[len(widths) // 2] if widths else 0.0
    most = max(WIDEST_INTERVAL * middle, max(means, default=0.0) - min(means, default=0.0))
    return [mean + part * min(width, most) for mean, width in known for part in (-1, 1)]


def decimal_places(values: Iterable[float | None]) -> int:
    """Return the number of digits after the point that are significant."""
    return 1 if max((abs(value or 0.0) for value in values), default=0.0) >= FEW_POINTS else 2
