"""A pilot: the complete blocks of a short tournament, from which a longer one is planned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from itertools import combinations
from math import sqrt
from statistics import fmean
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.plugins.formats import PlayedBlock
from pitboss_tournament.counting.scored_results import read_scored_results
from pitboss_tournament.counting.stored_findings import kept_luck
from pitboss_tournament.counting.team_standings import compare_stored_teams
from pitboss_tournament.statistics.blocks import complete_blocks, place_scores, points
from pitboss_tournament.statistics.control_variate import means_by_block
from pitboss_tournament.statistics.pairwise import block_differences, differences_of_means
from pitboss_tournament.statistics.point_scale import PointScale, measure_scale
from pitboss_tournament.statistics.running_moments import Estimate, gather_moments
from pitboss_tournament.statistics.sample_size import SampleSize, plan_sample_size
from pitboss_tournament.store.store import Store

SHOWN_SHARE: Final = 0.1  # of the scatter of deals: the difference of points that is planned for by default


class PlannedPair(Struct, frozen=True, kw_only=True):
    """Two bots that meet, and the deals that show a difference between them."""

    bot: str
    other: str
    blocks: int  # of the pilot
    places: Estimate  # the difference of their place scores in the pilot; where points count as a share of the span
    tables: int  # at which they meet with each deal
    score: float  # the difference that is planned for, in place scores; where points count as a share of the span
    needed: SampleSize | None  # blocks; None: they tied in all blocks of the pilot, or nearly so

    @property
    def deals(self) -> int | None:
        """Deals of each table for a number that is fixed beforehand."""
        return None if self.needed is None else -(-self.needed.fixed // self.tables)

    @property
    def sequential_deals(self) -> int | None:
        """Deals of each table by which a sequential test has ended."""
        blocks = self.needed.sequential if self.needed else None
        return None if blocks is None else -(-blocks // self.tables)


class SpanScale(NamedTuple):
    """The scale of a game where points count: a difference of points is its share of the span."""

    span: float

    def to_score(self, points: float, one: int, other: int) -> float:
        """Return the share, which is the same for any two."""
        return points / self.span


class Pilot:
    """The blocks of a pilot, by pair of bots, and how fast they were played."""

    def __init__(self, store: Store, span: float | None = None) -> None:
        """Read a store; where ranks go by points, its differences are of points, without luck if the store says so.

        `span`: of a cooperative game, the most by which the points of two teams can differ.

        Raises:
            ConfigError: it has no complete block, or who meets whom depends on results; or its teams, if it is of a
                cooperative game, do not play the same deals.
        """
        header = store.header
        if not header.format.may_grow:
            raise ConfigError(
                f"{store.path}: in the format {header.format.name!r} it depends on the results who meets whom; "
                "a pilot is a round-robin or a gauntlet"
            )
        blocks = complete_blocks(read_scored_results(store, with_times=False), header.block_size)
        if not blocks:
            raise ConfigError(f"{store.path}: no deal has been played in all its {header.block_size} orders")
        self._differences: Mapping[tuple[int, int], list[float]]
        self.header = header
        self.by_points = span is None and header.rank == "points"
        if self.by_points:
            differences = differences_of_means(means_by_block(blocks, points, kept_luck(store)))
            span = max((abs(value) for own in differences.values() for value in own), default=0.0) or 1.0
            self._differences = {pair: [value / span for value in own] for pair, own in differences.items()}
        self.span = span
        self._scale: PointScale | SpanScale = (
            measure_scale(blocks, header.labels, header.sides) if span is None else SpanScale(span)
        )
        self.blocks = len(blocks)
        self.games = store.count_games()
        self.tables = len({block[0].pairing for block in blocks})
        self._pairings: dict[tuple[int, int], set[int]] = {}
        if span is not None and not self.by_points:
            self._differences = _list_team_differences(compare_stored_teams(header, blocks, span))
            return
        if not self.by_points:
            self._differences = block_differences(blocks, partial(place_scores, sides=header.sides))
        for block in blocks:
            for pair in combinations(sorted(seat.entrant for seat in block[0].seats), 2):
                self._pairings.setdefault(pair, set()).add(block[0].pairing)

    def choose_difference(self) -> float:
        """Return a tenth of the standard deviation of the differences of points by block, with two digits."""
        squares = [value * value for own in self._differences.values() for value in own]
        return float(f"{SHOWN_SHARE * (self.span or 1.0) * sqrt(fmean(squares)):.2g}")

    def plan_pairs(self, difference: float, power: float) -> list[PlannedPair]:
        """Return each pair of bots that has met, and the games that show a `difference` of rating points."""
        return [
            self._plan_pair(one, other, sample, difference, power)
            for (one, other), sample in sorted(self._differences.items())
        ]

    def _plan_pair(self, one: int, other: int, sample: list[float], difference: float, power: float) -> PlannedPair:
        score = self._scale.to_score(difference, one, other)
        needed = plan_sample_size(sample, score, power)
        if self.by_points and needed is not None:  # [stop] and "sure" go by places
            needed = replace(needed, sequential=None)
        return PlannedPair(
            bot=self.header.labels[one],
            other=self.header.labels[other],
            blocks=len(sample),
            places=gather_moments(sample).estimate(scale=None if self.by_points else 2.0),
            tables=len(self._pairings.get((one, other), (0,))),
            score=score,
            needed=needed,
        )


def _list_team_differences(blocks: Iterable[PlayedBlock]) -> dict[tuple[int, int], list[float]]:
    """Return the differences of each two bots by deal, the lower number first."""
    found: dict[tuple[int, int], list[float]] = {}
    for block in blocks:
        (one, score), (other, beside) = sorted(block.place_scores.items())
        found.setdefault((one, other), []).append(score - beside)
    return found


def measure_speed(store: Store) -> float | None:
    """Return the games a second of the runs of a store that ended cleanly; None if unknown."""
    runs, ends = store.runs(), store.run_ends()
    if len(runs) != len(ends):
        return None
    games = sum(end.games - run.played for run, end in zip(runs, ends, strict=True))
    seconds = sum(
        (datetime.fromisoformat(end.at) - datetime.fromisoformat(run.began)).total_seconds()
        for run, end in zip(runs, ends, strict=True)
    )
    return games / seconds if games and seconds else None
