"""Cautions: what limits the figures of this tournament in particular, one or two sentences each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pitboss.text import format_count
from pitboss_tournament.reporting import explanations
from pitboss_tournament.reporting.report_statistics import ReportStatistics

FEW_BLOCKS: Final = 10  # of a bot that won 9 of 10 games: with five the prior takes 13 of 382 points, with ten 6
FALSELY_SURE: Final = 0.05  # at most, of pairs of equal bots


def standings_cautions(statistics: ReportStatistics) -> Iterator[str]:
    """Yield what limits the comparison of ratings, points and wins, as far as it concerns this tournament."""
    lines = [line for line in statistics.standings if line.blocks]
    if statistics.is_paired_by_results:
        yield explanations.PAIRED_BY_RESULTS.format(format=statistics.header.format.name)
    if any(line.is_out for line in statistics.standings) and len(statistics.names) > statistics.header.seats:
        yield explanations.OUT
    rated = [rating for rating in statistics.ratings.lines if rating.games]
    if any(rating.one_sided is not None or rating.blocks < FEW_BLOCKS for rating in rated):
        yield explanations.PRIOR
    points = [line.points.mean or 0.0 for line in lines]
    if points != sorted(points, reverse=not statistics.notable.lowest_wins):
        yield explanations.OTHER_ORDER_BY_POINTS


def pairs_caution(pairs: int) -> str | None:
    """Return the caution about so many comparisons at 5 % each, and how many may be falsely sure; None below two."""
    if pairs < 2:
        return None
    return explanations.MANY_PAIRS.format(pairs=format_count(pairs, "pair"), expected=f"{FALSELY_SURE * pairs:.1f}")
