"""What a report is made of, gathered from a tournament's games in one pass: how much is held grows with the blocks by a few numbers each, not with the games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from pitboss_tournament.reporting.notable_games import NotableGames, count_decisions
from pitboss_tournament.statistics.blocks import Block, margins, points
from pitboss_tournament.statistics.pairwise import EstimatedDifference, block_differences, estimate_difference
from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.ratings import Ratings, rate_rankings
from pitboss_tournament.statistics.running_standings import RunningMoments, RunningStandings, Standing
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from pitboss_tournament.statistics.time_histogram import TimeHistogram
from pitboss_tournament.statistics.variance_reduction import VarianceReduction, estimate_reductions
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.store import Store

MOST_KEPT_GAMES = 100_000  # games that the saving by duplicates is reckoned from


class SeatMoments:
    """What one seat was worth: each block tells once."""

    def __init__(self) -> None:
        self.points = RunningMoments()
        self.margin = RunningMoments()  # above the table's mean
        self.wins = RunningMoments()


class ReportStatistics:
    """All counts of a report."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.block_games = header.block_games or header.seats
        self.tally = RunningStandings(header.bots, self.block_games, header.faults.disqualify_after)
        self.think: list[Counter[int]] = [Counter() for _ in header.bots]
        self.lengths: Counter[int] = Counter()  # games by the decisions that bots made in them
        self.seats = [SeatMoments() for _ in range(header.seats)]
        self.blocks = 0
        self.notable = NotableGames()
        self.first_faults: list[dict[str, tuple[int, int]]] = [
            {} for _ in header.bots
        ]  # by kind: the first game, and the seat
        self._rankings = RankingCounts(header.sides)
        self._rated: Ratings | None = None
        self._open_blocks: dict[tuple[int, int], Block] = {}
        self._differences: dict[tuple[int, int], list[float]] = {}
        self._kept: list[GameResult] = []

    def add_all(self, results: Iterable[GameResult]) -> None:
        """Count games, in any order."""
        for result in results:
            self.add(result)

    def add(self, result: GameResult) -> None:
        """Count a game."""
        self.tally.add(result)
        self._rankings.add(result)
        self.notable.consider(result)
        self.lengths[count_decisions(result)] += 1
        for number, seat in enumerate(result.seats):
            _add_histogram(self.think[seat.entrant], seat.think)
            if seat.fault or seat.substituted:
                self._note_first_fault(result.game_id, number, seat)
        bare = _strip_result(result)
        if len(self._kept) < MOST_KEPT_GAMES:
            self._kept.append(bare)
        block = self._open_blocks.setdefault((result.pairing, result.deal), [])
        block.append(bare)
        if len(block) == self.block_games:
            self._close_block(self._open_blocks.pop((result.pairing, result.deal)))

    def standings(self) -> list[tuple[int, Standing]]:
        """Return the lines with their bots' numbers: by rating if all bots that played can be compared, else by share of wins."""
        lines, rated = self.tally.standings(), self.ratings()
        numbers = {name: number for number, name in enumerate(self.header.bots)}
        by_name = {line.name: line for line in lines}
        names = [line.name for line in (lines if rated.group_count > 1 else rated.lines)]
        return [(numbers[name], by_name[name]) for name in names]

    def ratings(self) -> Ratings:
        """Rate the bots."""
        if self._rated is None:
            self._rated = rate_rankings(self._rankings, self.header.bots)
        return self._rated

    def compare_pair(self, entrant: int, other: int) -> tuple[int, EstimatedDifference]:
        """Return in how many blocks two bots met, and by how many points the first is ahead."""
        sample = self._differences.get((min(entrant, other), max(entrant, other)), [])
        if entrant > other:
            sample = [-value for value in sample]
        return len(sample), estimate_difference(sample, lowest_wins=self.notable.lowest_wins)

    def variance_reductions(self) -> tuple[VarianceReduction, VarianceReduction]:
        """Return what duplicate deals saved for all bots together: by points, and by points above the mean of the table."""
        return estimate_reductions(self._kept, points, self.block_games)[0], estimate_reductions(
            self._kept, margins, self.block_games
        )[0]

    @property
    def is_reduction_partial(self) -> bool:
        """Whether there are more games than that was reckoned from."""
        return self.tally.games > len(self._kept)

    def _note_first_fault(self, game: int, number: int, seat: SeatResult) -> None:
        kinds = {*seat.substituted, *([seat.fault] if seat.fault else [])}
        for kind in kinds:
            known = self.first_faults[seat.entrant].get(kind)
            if known is None or (game, number) < known:
                self.first_faults[seat.entrant][kind] = (game, number)

    def _close_block(self, block: Block) -> None:
        self.blocks += 1
        for pair, sample in block_differences([block], points).items():
            self._differences.setdefault(pair, []).extend(sample)
        above = [margins(result) for result in block]
        for number, seat in enumerate(self.seats):
            seat.points.add(sum(result.seats[number].points for result in block) / len(block))
            seat.wins.add(sum(result.seats[number].win for result in block) / len(block))
            seat.margin.add(sum(own[number] for own in above) / len(block))


def gather_statistics(store: Store) -> ReportStatistics:
    """Gather what a store holds."""
    found = ReportStatistics(store.header)
    found.add_all(store.results())
    return found


def _strip_result(result: GameResult) -> GameResult:
    """Return a result without the times, of which a long tournament has too many to keep."""
    return replace(
        result, seats=tuple([replace(seat, think=_NONE, substituted=_NONE_BY_KIND) for seat in result.seats]), lag=_NONE
    )


_NONE: TimeHistogram = {}
_NONE_BY_KIND: dict[str, int] = {}


def _add_histogram(into: Counter[int], times: TimeHistogram) -> None:
    for step, count in times.items():
        into[step] += count
