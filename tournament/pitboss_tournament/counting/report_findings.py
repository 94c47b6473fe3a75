"""What a report finds beside the standings, counted in the same pass. Memory grows with blocks, not with games."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cached_property
from itertools import combinations
from typing import Final

from msgspec import Struct, field

from pitboss.plugins.formats import PlayedBlock
from pitboss.records.luck_features import VALUE
from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.findings import Findings, KeptFindings
from pitboss_tournament.counting.notable_games import NotableGames, count_bot_decisions
from pitboss_tournament.counting.rating_history import NotedRatings, RatingHistory
from pitboss_tournament.counting.tally import Standing
from pitboss_tournament.statistics.blocks import Block, margins, points, wins
from pitboss_tournament.statistics.control_variate import SeatLuck
from pitboss_tournament.statistics.drift import Drift, DriftTest
from pitboss_tournament.statistics.pairwise import (
    EstimatedDifference,
    differences_of_means,
    estimate_difference,
    estimate_moments,
)
from pitboss_tournament.statistics.running_moments import RunningMoments, gather_moments
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.variance_reduction import ReductionSample, VarianceReduction, order_by_bot
from pitboss_tournament.store.header import Header

MAX_UNSETTLED: Final = 500  # blocks whose values are added to moments together, at most
MAX_REDUCTION_GAMES: Final = 100_000  # for the variance reduction: their points are held in memory


class SeatMoments(Struct):
    """Results of one seat: each block is one observation."""

    points: RunningMoments = field(default_factory=RunningMoments)
    margin: RunningMoments = field(default_factory=RunningMoments)  # above the table's mean
    wins: RunningMoments = field(default_factory=RunningMoments)


class MetBots(Struct, frozen=True, array_like=True):
    """Two bots that have met, the lower number first, and the differences of their points, block by block."""

    one: int
    other: int
    differences: RunningMoments


class KeptReport(Struct, frozen=True):
    """What a report finds beside the standings, as a store keeps it. A field of any size has as many pairs as met."""

    blocks: int
    lengths: dict[int, int]
    seats: list[SeatMoments]
    notable: NotableGames
    drifts: list[Drift]
    history: list[NotedRatings]
    met: list[MetBots]
    reductions: dict[str, VarianceReduction]

    def fits(self, header: Header) -> bool:
        """Whether these can be findings of a tournament with this header."""
        bots = range(len(header.bots))
        named = [*self.notable.of_bots, *self.notable.extremes, *(drift.bot for drift in self.drifts)]
        games = [game for _, game in self.notable.games()]
        return (
            len(self.seats) == header.seats
            and all(pair.one in bots and pair.one < pair.other and pair.other in bots for pair in self.met)
            and all(bot in bots for bot in named)
            and all(map(header.has_result, games))
        )


class ReportCounts(Counts):
    """Counts, and what only a report needs."""

    def __init__(
        self, header: Header, anchor: str | None = None, luck: SeatLuck | None = None, *, games: int = 0
    ) -> None:
        """Begin with no games; ratings are noted on the way to `games`."""
        super().__init__(header, anchor, luck)
        self.rating_history = RatingHistory(games, len(header.bots))
        self.lengths: Counter[int] = Counter()  # games by the decisions that bots made in them
        self._seats = [SeatMoments() for _ in range(header.seats)]
        self.blocks = 0
        self.notable = NotableGames()
        self.drift_test = DriftTest()
        self.reductions = {name: ReductionSample() for name in ("points a game", "points above the mean of the table")}
        self._differences = defaultdict[tuple[int, int], RunningMoments](RunningMoments)
        self._unsettled = 0  # blocks whose values are not in the moments yet
        self._unsettled_seats: list[tuple[list[float], ...]] = [([], [], []) for _ in self._seats]
        self._unsettled_differences = defaultdict[tuple[int, int], list[float]](list)

    def add(self, result: GameResult) -> Block | None:
        """Add a game; return its block, as it is scored, if it is complete now."""
        self.lengths[count_bot_decisions(result)] += 1
        block = super().add(result)
        self.notable.consider(result, self._list_lucky_points(result.game_id))
        if self.tally.games in self.rating_history.due:
            self.rating_history.add(self.tally.games, self.rate_bots())
        return block

    def add_block(self, block: Block, played: PlayedBlock) -> None:
        """Count a block that is complete now."""
        self.blocks += 1
        self.drift_test.add(block[0].pairing, block[0].deal, played.place_scores)
        if self.luck_removal is None:
            means = played.points
            for one, other in combinations(sorted(means), 2):
                self._unsettled_differences[one, other].append(means[one] - means[other])
        scored = [points(result) for result in block]
        above = [margins(result) for result in block]
        won = [wins(result) for result in block]
        if self.tally.games <= MAX_REDUCTION_GAMES:
            order = order_by_bot(block)
            for sample, values in zip(self.reductions.values(), (scored, above), strict=True):
                sample.add(block, values, order)
        games = len(block)
        by_seat = [zip(*rows, strict=True) for rows in (scored, above, won)]
        for means_of, *columns in zip(self._unsettled_seats, *by_seat, strict=True):
            for values, column in zip(means_of, columns, strict=True):
                values.append(sum(column) / games)
        self._unsettled += 1
        if self._unsettled == MAX_UNSETTLED:
            self._settle()

    @property
    def seats(self) -> list[SeatMoments]:
        """The results of each seat."""
        self._settle()
        return self._seats

    @property
    def differences(self) -> dict[tuple[int, int], RunningMoments]:
        """Differences of points by pair of bots, the lower number first, with luck."""
        self._settle()
        return self._differences

    def _settle(self) -> None:
        """Add the values of blocks to moments: for many blocks at once it takes less time."""
        for seat, unsettled in zip(self._seats, self._unsettled_seats, strict=True):
            for moments, values in zip((seat.points, seat.margin, seat.wins), unsettled, strict=True):
                moments.add_all(values)
                values.clear()
        for pair, values in self._unsettled_differences.items():
            self._differences[pair].add_all(values)
        self._unsettled_differences.clear()
        self._unsettled = 0

    def load_report(self, kept: KeptReport) -> None:
        """Take the place of all games, as far as a report needs more than `load_rated`. No game can be added then."""
        self._settle()
        self.blocks, self.lengths, self._seats = kept.blocks, Counter(kept.lengths), kept.seats
        self.notable = kept.notable
        self.rating_history.noted = kept.history
        self._differences.clear()
        self._differences.update({(pair.one, pair.other): pair.differences for pair in kept.met})

    def _list_lucky_points(self, game_id: int) -> list[float] | None:
        """Return what chance added to the points of each seat in a game, if that is taken out and known."""
        luck = None if self.luck_removal is None else self.luck_removal.luck.get(game_id)
        sign = -1 if self.tally.lowest_wins else 1
        return None if luck is None else [sign * features[VALUE] for features in luck]


class ReportFindings(Findings):
    """Findings of a report: standings and ratings, and what only its page needs."""

    def __init__(
        self,
        counts: ReportCounts,
        *,
        open_length: str | None = None,
        kept: KeptFindings | None = None,
        kept_report: KeptReport | None = None,
    ) -> None:
        """`open_length`: of `explain_open_length`. `kept`, `kept_report`: what takes long, of the same games."""
        super().__init__(counts, anytime=open_length is not None, kept=kept)
        self.open_length = open_length
        self.rating_history = counts.rating_history
        self.lengths = counts.lengths
        self.seats = counts.seats
        self.blocks = counts.blocks
        self.notable = counts.notable
        self._report_counts = counts
        self._kept_report = kept_report
        self._compared: dict[tuple[int, int], tuple[int, EstimatedDifference]] = {}  # by points, the lower number first

    def dump_report(self) -> KeptReport:
        """Return what there is beside the standings."""
        return KeptReport(
            blocks=self.blocks,
            lengths=dict(self.lengths),
            seats=self.seats,
            notable=self.notable,
            drifts=self.drifts,
            history=self.rating_history.noted,
            met=[MetBots(one, other, met) for (one, other), met in sorted(self._differences.items())],
            reductions=self.reductions,
        )

    @cached_property
    def numbered_standings(self) -> list[tuple[int, Standing]]:
        """Standings with the numbers of their bots."""
        numbers = {name: number for number, name in enumerate(self.names)}
        return [(numbers[line.name], line) for line in self.standings]

    def compare_pair(self, entrant: int, other: int) -> tuple[int, EstimatedDifference]:
        """Return the number of blocks in which two bots met, and the difference of their points."""
        pair = min(entrant, other), max(entrant, other)
        if pair not in self._compared:
            met = self._differences.get(pair, RunningMoments())
            self._compared[pair] = met.count, estimate_moments(met, lowest_wins=self.tally.lowest_wins)
        blocks, difference = self._compared[pair]
        return blocks, difference if entrant < other else difference.reverse()

    def compare_pair_by_places(self, entrant: int, other: int) -> tuple[int, EstimatedDifference]:
        """Return the number of blocks in which two bots met, and the difference of their place scores."""
        sample = list(self.meetings.count_differences(entrant, other).elements())
        return len(sample), estimate_difference(sample, scale=2.0)

    @cached_property
    def reductions(self) -> dict[str, VarianceReduction]:
        """What duplicate deals saved in the first MAX_REDUCTION_GAMES games, by the name of the measure."""
        if self._kept_report is not None:
            return self._kept_report.reductions
        return {name: sample.estimate() for name, sample in self._report_counts.reductions.items()}

    @cached_property
    def drifts(self) -> list[Drift]:
        """Bots that did better or worse as the deals went on."""
        if self._kept_report is not None:
            return self._kept_report.drifts
        return self._report_counts.drift_test.find_drifts()

    @cached_property
    def _differences(self) -> dict[tuple[int, int], RunningMoments]:
        """Differences of points by pair of bots over its blocks, without the luck that is taken out."""
        if self.luck_removal is None:
            return self._report_counts.differences
        differences = differences_of_means(self.luck_removal.subtract_luck("points"))
        return {pair: gather_moments(sample) for pair, sample in differences.items()}
