"""Statistics of a report, collected in one pass. Memory grows with blocks, not with games."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Final

from msgspec.structs import replace

from pitboss_tournament.reporting.notable_games import NotableGames, count_decisions
from pitboss_tournament.statistics.blocks import Block, margins, points
from pitboss_tournament.statistics.pairwise import EstimatedDifference, block_differences, estimate_difference
from pitboss_tournament.statistics.running_moments import RunningMoments
from pitboss_tournament.statistics.running_standings import Standing
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from pitboss_tournament.statistics.time_histogram import TimeHistogram, add_histogram
from pitboss_tournament.statistics.variance_reduction import VarianceReduction, estimate_reductions
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.summary import RatedStandings

MOST_KEPT_GAMES: Final = 100_000  # for the variance reduction


class SeatMoments:
    """Results of one seat: each block is one observation."""

    def __init__(self) -> None:
        self.points = RunningMoments()
        self.margin = RunningMoments()  # above the table's mean
        self.wins = RunningMoments()


class ReportStatistics(RatedStandings):
    """Statistics of a report: standings and ratings, and what only its page needs."""

    def __init__(self, header: Header) -> None:
        super().__init__(header)
        self.header = header
        self.think: list[TimeHistogram] = [{} for _ in header.bots]
        self.lengths: Counter[int] = Counter()  # games by the decisions that bots made in them
        self.seats = [SeatMoments() for _ in range(header.seats)]
        self.blocks = 0
        self.notable = NotableGames()
        # by entrant and kind of fault: the first game, and the seat
        self.first_faults: list[dict[str, tuple[int, int]]] = [{} for _ in header.bots]
        self._open_blocks: dict[tuple[int, int], Block] = {}
        self._differences: dict[tuple[int, int], list[float]] = {}
        self._kept: list[GameResult] = []

    def add(self, result: GameResult) -> None:
        """Add a game."""
        super().add(result)
        self.notable.consider(result)
        self.lengths[count_decisions(result)] += 1
        for number, seat in enumerate(result.seats):
            add_histogram(self.think[seat.entrant], seat.think)
            if seat.fault or seat.substituted:
                self._note_first_fault(result.game_id, number, seat)
        bare = _strip_result(result)
        if len(self._kept) < MOST_KEPT_GAMES:
            self._kept.append(bare)
        block = self._open_blocks.setdefault((result.pairing, result.deal), [])
        block.append(bare)
        if len(block) == self.header.block_size:
            self._close_block(self._open_blocks.pop((result.pairing, result.deal)))

    @cached_property
    def numbered_standings(self) -> list[tuple[int, Standing]]:
        """Standings with the numbers of their bots."""
        numbers = {name: number for number, name in enumerate(self.names)}
        return [(numbers[line.name], line) for line in self.standings]

    def compare_pair(self, entrant: int, other: int) -> tuple[int, EstimatedDifference]:
        """Return the number of blocks in which two bots met, and the difference of their points."""
        sample = self._differences.get((min(entrant, other), max(entrant, other)), [])
        if entrant > other:
            sample = [-value for value in sample]
        return len(sample), estimate_difference(sample, lowest_wins=self.notable.lowest_wins)

    def variance_reductions(self) -> tuple[VarianceReduction, VarianceReduction]:
        """Return the variance reduction for all bots together: by points, and by points above the mean of the table."""
        games = self.header.block_size
        return estimate_reductions(self._kept, points, games)[0], estimate_reductions(self._kept, margins, games)[0]

    @property
    def is_reduction_partial(self) -> bool:
        """Whether the variance reduction was computed from the first MOST_KEPT_GAMES games only."""
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


def _strip_result(result: GameResult) -> GameResult:
    """Return a result without its times, which would take too much memory in a long tournament."""
    return replace(
        result, seats=tuple([replace(seat, think=_NONE, substituted=_NONE_BY_KIND) for seat in result.seats]), lag=_NONE
    )


_NONE: TimeHistogram = {}
_NONE_BY_KIND: dict[str, int] = {}
