"""Cautions: what limits the figures of this tournament in particular, one or two sentences each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pitboss.text import format_count, join_words
from pitboss_tournament.counting.report_findings import ReportFindings
from pitboss_tournament.counting.tally import heavy_tail_text
from pitboss_tournament.reporting import explanations
from pitboss_tournament.results.notes import rare_loss_text
from pitboss_tournament.results.own_settings import describe_own_settings, explain_neighbours
from pitboss_tournament.results.reversals import reversal_lines
from pitboss_tournament.statistics.time_histogram import overload_text

FEW_BLOCKS_LIMIT: Final = 10  # of a bot that won 9 of 10 games: with five the prior takes 13 of 382 points, with ten 6
MAX_CAUTION_NAMES: Final = 3
FALSELY_SURE: Final = 0.05  # at most, of pairs of equal bots


def opening_caution(statistics: ReportFindings) -> str:
    """Return one sentence on what to beware of in this tournament."""
    if not statistics.tally.games:
        return "No game has been played yet."
    wrong = [line.name for line in statistics.standings if line.faults or line.substituted]
    fit = statistics.ratings.fit
    found = [
        f"{_name_some(wrong)} committed faults, see Faults" if wrong else None,
        "all forfeits of a bot favour one other, see More about the verdict" if statistics.favours else None,
        "some bots gain by others more than ratings explain, see More about the verdict"
        if statistics.gifts.found
        else None,
        "a bot that is better against this field is worse head to head, see More about the verdict"
        if any(reversal_lines(statistics))
        else None,
        "not all bots can be compared" if statistics.ratings.group_count > 1 else None,
        "some bots beat each other in a circle" if statistics.cycles else None,
        "the ratings do not fit some bots, see Standings" if fit is not None and fit.misfits else None,
        "some bots did better or worse as the deals went on, see Ratings over time" if statistics.drifts else None,
        "a few large scores decide the points" if heavy_tail_text(statistics.standings) else None,
        "a rare loss can cost more than the intervals of points show, see Standings"
        if rare_loss_text(statistics)
        else None,
        "each bot has the same neighbours in all deals, see Standings" if statistics.header.keeps_neighbours else None,
        "results decided who met whom" if statistics.is_paired_by_results else None,
        f"{open_length[0].lower()}{open_length[1:]}" if (open_length := statistics.open_length) else None,
        "the machine was overloaded, see Thinking time" if overload_text(statistics.tally.lag) else None,
        "not all settings are the same for all bots, see What was played"
        if any(describe_own_settings(statistics.header))
        else None,
    ]
    known = [one for one in found if one]
    if not known:
        return "Beware of nothing in particular: no bot committed a fault, and the machine kept up."
    return f"Beware: {'; '.join(known)}".rstrip(".") + "."


def _name_some(names: Sequence[str]) -> str:
    return join_words(names, "and") if len(names) <= MAX_CAUTION_NAMES else f"{len(names)} bots"


def standings_cautions(statistics: ReportFindings) -> Iterator[str]:
    """Yield what limits the comparison of ratings, points and wins, as far as it concerns this tournament."""
    lines = [line for line in statistics.standings if line.blocks]
    if rare_loss := rare_loss_text(statistics):
        yield rare_loss
    if kept := explain_neighbours(statistics.header):
        yield kept
    if statistics.is_paired_by_results:
        yield explanations.PAIRED_BY_RESULTS.format(format=statistics.header.format.name)
    if any(line.is_out for line in statistics.standings) and len(statistics.names) > statistics.header.seats:
        yield explanations.OUT
    rated = [rating for rating in statistics.ratings.lines if rating.games]
    if any(rating.one_sided is not None or rating.blocks < FEW_BLOCKS_LIMIT for rating in rated):
        yield explanations.PRIOR
    points = [line.points.mean or 0.0 for line in lines]
    if points != sorted(points, reverse=not statistics.tally.lowest_wins):
        yield explanations.OTHER_ORDER_BY_POINTS


def pairs_caution(pairs: int) -> str | None:
    """Return the caution that of `pairs` comparisons at 5 % each some may be falsely sure; None below two."""
    if pairs < 2:
        return None
    return explanations.MANY_PAIRS.format(pairs=format_count(pairs, "pair"), expected=f"{FALSELY_SURE * pairs:.1f}")
