"""Statistics of a report, collected in one pass. Memory grows with blocks, not with games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cached_property
from itertools import combinations
from typing import Final

from msgspec import Struct, field

from pitboss.plugins.formats import PlayedBlock
from pitboss_tournament.counting.findings import RatedStandings
from pitboss_tournament.counting.notable_games import NOTABLE_KINDS, NotableGames, NotableTotals, count_bot_decisions
from pitboss_tournament.counting.rating_history import NotedRatings, RatingHistory
from pitboss_tournament.counting.tally import Standing
from pitboss_tournament.statistics.blocks import Block, margins, points, wins
from pitboss_tournament.statistics.control_variate import SeatLuck
from pitboss_tournament.statistics.drift import Drift, DriftTest
from pitboss_tournament.statistics.pairwise import EstimatedDifference, differences_of_means, estimate_difference
from pitboss_tournament.statistics.running_moments import RunningMoments
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.variance_reduction import ReductionSample, VarianceReduction
from pitboss_tournament.store.header import Header

MAX_REDUCTION_GAMES: Final = 100_000  # for the variance reduction: their points are held in memory


class SeatMoments(Struct):
    """Results of one seat: each block is one observation."""

    points: RunningMoments = field(default_factory=RunningMoments)
    margin: RunningMoments = field(default_factory=RunningMoments)  # above the table's mean
    wins: RunningMoments = field(default_factory=RunningMoments)


class ReportTotals(Struct, frozen=True):
    """What a `ReportStatistics` has beside its standings, as plain data."""

    blocks: int
    lengths: dict[int, int]
    seats: list[SeatMoments]
    notable: NotableTotals
    drifts: list[Drift]
    history: list[NotedRatings]
    compared: list[tuple[int, EstimatedDifference]]  # of each two bots, in the order of `combinations`
    reductions: dict[str, VarianceReduction]

    def fits(self, header: Header) -> bool:
        """Whether these can be totals of a tournament with this header."""
        bots = range(len(header.bots))
        named = [*self.notable.of_bots, *self.notable.extremes, *(drift.bot for drift in self.drifts)]
        games = [game for game, _ in self.notable.games if game is not None]
        return (
            len(self.seats) == header.seats
            and len(self.compared) == len(bots) * (len(bots) - 1) // 2
            and len(self.notable.games) == NOTABLE_KINDS
            and all(bot in bots for bot in named)
            and all(map(header.has_result, games))
        )


class ReportStatistics(RatedStandings):
    """Statistics of a report: standings and ratings, and what only its page needs."""

    def __init__(
        self,
        header: Header,
        anchor: str | None = None,
        luck: SeatLuck | None = None,
        *,
        open_length: str | None = None,
        games: int = 0,
    ) -> None:
        """Begin with no games; ratings are noted on the way to `games`. `open_length`: of `explain_open_length`."""
        super().__init__(header, anchor, luck, anytime=open_length is not None)
        self.open_length = open_length
        self.rating_history = RatingHistory(games, len(header.bots))
        self.header = header
        self.lengths: Counter[int] = Counter()  # games by the decisions that bots made in them
        self.seats = [SeatMoments() for _ in range(header.seats)]
        self.blocks = 0
        self.notable = NotableGames()
        self._reductions = {name: ReductionSample() for name in ("points a game", "points above the mean of the table")}
        self._drift_test = DriftTest()
        self._compared: dict[tuple[int, int], tuple[int, EstimatedDifference]] = {}  # by points, the lower number first
        self._differences_with_luck = defaultdict[tuple[int, int], list[float]](list)

    def add(self, result: GameResult) -> Block | None:
        """Add a game; return its block if it is complete now."""
        self.lengths[count_bot_decisions(result)] += 1
        block = super().add(result)
        self.notable.consider(result, self._lucky_points(result.game_id))
        if self.tally.games in self.rating_history.due:
            self.rating_history.add(self.tally.games, self.rate_bots())
        return block

    def report_totals(self) -> ReportTotals:
        """Return what there is beside the standings."""
        return ReportTotals(
            blocks=self.blocks,
            lengths=dict(self.lengths),
            seats=self.seats,
            notable=self.notable.totals(),
            drifts=self.drifts,
            history=self.rating_history.noted,
            compared=[self.compare_pair(one, other) for one, other in combinations(range(len(self.names)), 2)],
            reductions=self.reductions,
        )

    def restore_report(self, totals: ReportTotals) -> None:
        """Take the place of all games, after `restore`. No game can be added then."""
        self.blocks, self.lengths, self.seats = totals.blocks, Counter(totals.lengths), totals.seats
        self.notable.restore(totals.notable)
        self.drifts, self.reductions = totals.drifts, totals.reductions
        self.rating_history.noted = totals.history
        self._compared = dict(zip(combinations(range(len(self.names)), 2), totals.compared, strict=True))

    @cached_property
    def numbered_standings(self) -> list[tuple[int, Standing]]:
        """Standings with the numbers of their bots."""
        numbers = {name: number for number, name in enumerate(self.names)}
        return [(numbers[line.name], line) for line in self.standings]

    def compare_pair(self, entrant: int, other: int) -> tuple[int, EstimatedDifference]:
        """Return the number of blocks in which two bots met, and the difference of their points."""
        pair = min(entrant, other), max(entrant, other)
        if pair not in self._compared:
            sample = self._differences.get(pair, [])
            self._compared[pair] = len(sample), estimate_difference(sample, lowest_wins=self.tally.lowest_wins)
        blocks, difference = self._compared[pair]
        return blocks, difference if entrant < other else difference.reverse()

    def compare_pair_by_places(self, entrant: int, other: int) -> tuple[int, EstimatedDifference]:
        """Return the number of blocks in which two bots met, and the difference of their place scores."""
        sample = list(self._meetings.count_differences(entrant, other).elements())
        return len(sample), estimate_difference(sample, scale=2.0)

    @cached_property
    def reductions(self) -> dict[str, VarianceReduction]:
        """What duplicate deals saved in the first MAX_REDUCTION_GAMES games, by the name of the measure."""
        return {name: sample.estimate() for name, sample in self._reductions.items()}

    @cached_property
    def drifts(self) -> list[Drift]:
        """Bots that did better or worse as the deals went on."""
        return self._drift_test.find_drifts()

    @cached_property
    def _differences(self) -> Mapping[tuple[int, int], list[float]]:
        """Differences of points by pair of bots, block by block, without the luck that is taken out."""
        if self.luck_removal is None:
            return self._differences_with_luck
        return differences_of_means(self.luck_removal.subtract_luck("points"))

    def _lucky_points(self, game_id: int) -> list[float] | None:
        """Return what chance added to the points of each seat in a game, if that is taken out and known."""
        luck = None if self.luck_removal is None else self.luck_removal.luck.get(game_id)
        sign = -1 if self.tally.lowest_wins else 1
        return None if luck is None else [sign * lucky for lucky in luck]

    def take_block(self, block: Block, played: PlayedBlock) -> None:
        """Count a complete block."""
        self._compared.clear()
        self.blocks += 1
        self._drift_test.add(block[0].pairing, block[0].deal, played.place_scores)
        if self.luck_removal is None:
            means = played.points
            for one, other in combinations(sorted(means), 2):
                self._differences_with_luck[one, other].append(means[one] - means[other])
        scored = [points(result) for result in block]
        above = [margins(result) for result in block]
        won = [wins(result) for result in block]
        if self.tally.games <= MAX_REDUCTION_GAMES:
            for sample, values in zip(self._reductions.values(), (scored, above), strict=True):
                sample.add(block, values)
        games = len(block)
        for seat, *columns in zip(self.seats, *(zip(*rows, strict=True) for rows in (scored, above, won)), strict=True):
            for moments, column in zip((seat.points, seat.margin, seat.wins), columns, strict=True):
                moments.add(sum(column) / games)
