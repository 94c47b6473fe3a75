"""Skill: what more time to think is worth, from a tournament of one search bot with several times.

The tournament also shows what the seats are worth between bots that can play, how long such games are, and who leads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from math import ceil, comb, log2
from statistics import fmean
from typing import Annotated, Final

from msgspec import Meta, Struct

from pitboss.game import AnyGame
from pitboss_tournament.counting.report_findings import ReportCounts, ReportFindings
from pitboss_tournament.simulation.simulation import CountSummary, summarize_counts
from pitboss_tournament.statistics.blocks import complete_blocks
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.variance_shares import VarianceShares, estimate_variance_shares
from pitboss_tournament.store.store import Store
from pitboss_tournament.study.leads import LeadFigures, measure_leads

TIME_FACTORS: Final = (1, 2, 4, 8, 16)  # of the bots of the ladder
MAX_LADDER_TABLES: Final = 10  # sets of bots that meet
MAX_LEAD_GAMES: Final = 200  # in which the lead is followed: each is replayed


class Rung(Struct, frozen=True):
    """Bots with one time to think."""

    ms: int
    rating: Estimate  # points above the first rung


class SeatWorth(Struct, frozen=True):
    """A seat, whoever sits there: each bot had each seat equally often. Each deal is one observation."""

    points: Estimate
    wins: Estimate  # share of the wins, 0 to 1


class SkillFigures(Struct, frozen=True, kw_only=True):
    """A tournament of a search with several times to think for a decision."""

    bot: str
    games: int
    deals: Annotated[int, Meta(description="Each was played with every bot of a table in every seat.")]
    decisions: CountSummary
    ladder: list[Rung]
    doubling: Annotated[Estimate, Meta(description="Rating points that twice the time is worth, on average.")]
    shares: Annotated[VarianceShares, Meta(description="Shares of the variance of place scores.")]
    seats: list[SeatWorth]
    leads: LeadFigures | None


def count_copies(seats: int) -> int:
    """Return how many bots there have to be with each time, so that they fill a table."""
    return ceil(seats / len(TIME_FACTORS))


def count_tables(seats: int) -> int | None:
    """Return how many sets of bots meet; None if all do."""
    return MAX_LADDER_TABLES if comb(count_copies(seats) * len(TIME_FACTORS), seats) > MAX_LADDER_TABLES else None


def measure_skill(store: Store, game: AnyGame, bot: str, times: Sequence[int]) -> SkillFigures:
    """Return the figures of a tournament whose bots had these times, in milliseconds, in this order."""
    header = store.header
    counts = ReportCounts(header, header.labels[0], games=store.count_games())
    results = list(store.results(with_times=False))
    counts.add_all(results)
    statistics = ReportFindings(counts)
    ladder = [_rate_rung(statistics, times, ms) for ms in sorted(set(times))]
    records = [record for _, record in islice(store.records(), MAX_LEAD_GAMES)]
    last = statistics.ratings.difference(len(times) - 1, 0)
    doublings = log2(times[-1] / times[0])
    return SkillFigures(
        bot=bot,
        games=len(results),
        deals=len({result.deal for result in results}),
        decisions=summarize_counts([sum(seat.decisions for seat in result.seats) for result in results]),
        ladder=ladder,
        doubling=_mean_of([last], 1 / doublings),
        shares=estimate_variance_shares(complete_blocks(results, header.block_games), header.sides),
        seats=[SeatWorth(seat.points.estimate(), seat.wins.estimate(1.0)) for seat in statistics.seats],
        leads=measure_leads(records, game),
    )


def _rate_rung(statistics: ReportFindings, times: Sequence[int], ms: int) -> Rung:
    return Rung(ms, _mean_of(statistics.ratings.rating_of(bot).points for bot, own in enumerate(times) if own == ms))


def _mean_of(estimates: Iterable[Estimate], scale: float = 1.0) -> Estimate:
    """Return the mean of some estimates, times `scale`, with an interval that holds however they depend on each other.

    Unknown if one of them is, and its interval likewise.
    """
    known = list(estimates)
    means = [one.mean for one in known if one.mean is not None]
    widths = [one.half_width for one in known if one.half_width is not None]
    if len(means) < len(known):
        return Estimate(None, None)
    return Estimate(fmean(means) * scale, fmean(widths) * scale if len(widths) == len(known) else None)
