"""The games of a tournament that count: rounds, standings and verdict, from the store and then game by game."""

from __future__ import annotations

from collections.abc import Callable, Set
from contextlib import suppress

from pitboss_tournament.counting.live_counts import GameCount, LiveCounts
from pitboss_tournament.counting.scored_results import find_block_conversion
from pitboss_tournament.counting.tally import Tally, make_tally
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.rounds.checkpoint import read_checkpoint
from pitboss_tournament.rounds.game_numbers import GameNumbers
from pitboss_tournament.rounds.round_progress import begin_rounds
from pitboss_tournament.rounds.stop_monitor import StopMonitor
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.rows import RecordedRound
from pitboss_tournament.store.store import Store


class CountedGames:
    """What follows from the games of a tournament so far."""

    def __init__(
        self, plan: Plan, store: Store, on_open: Callable[[RecordedRound], None], live: LiveCounts | None
    ) -> None:
        """Count the games of the store. With `live` counts, begin at the checkpoint of the store, if there is one.

        `on_open` is called with each round that is opened later, and overlaps.
        """
        convert_block = find_block_conversion(store.header)
        self.count: GameCount = make_tally(store.header, convert_block) if live is None else live
        self._convert_block = convert_block  # what the stop test goes by
        self._void = plan.find_void(plan.bots)  # bots whose games do not count
        self.monitor = StopMonitor(plan, plan.stop) if plan.stop else None  # may end it before its schedule does
        self.numbers = GameNumbers()
        if live is not None:
            live.begin()
        counted = self._begin_rounds(plan, store, on_open, live)
        for result in store.results(with_times=live is not None, first=self.progress.first_open_game):
            is_there = self.progress.advance_to(result.game_id, self.count.list_disqualified)
            if is_there and self.progress.is_awaited(result.game_id):
                self.add(result, is_counted=result.game_id in counted)
        self.progress.open_recorded(self.count.list_disqualified)

    @property
    def tally(self) -> Tally:
        """What is counted of each bot."""
        return self.count.tally if isinstance(self.count, LiveCounts) else self.count

    @property
    def verdict(self) -> str | None:
        """Why the tournament has ended before its schedule, if it has."""
        return self.monitor.verdict if self.monitor else None

    def add(self, result: GameResult, *, is_counted: bool = False) -> bool:
        """Add a result, to the standings unless it is counted in them; tell whether the tournament is decided."""
        if not is_counted and self._void.isdisjoint(seat.entrant for seat in result.seats):
            self.count.add(result)
        self.numbers.add(result.game_id)
        self.progress.add_result(result)
        if self.monitor:
            self.monitor.add_blocks(self.progress, self.count.list_disqualified())
        return self.verdict is not None

    def _begin_rounds(
        self, plan: Plan, store: Store, on_open: Callable[[RecordedRound], None], live: LiveCounts | None
    ) -> Set[int]:
        """Begin with the first round, or at the checkpoint of the store; return the games that are counted in that."""
        found = None if live is None else read_checkpoint(store.rounds.list_checkpoint_parts())
        if live is not None and found is not None:
            recorded = store.rounds.read(after=found.rounds.rounds_begun)
            with suppress(ValueError):  # the format is not one that has kept this
                self.progress = begin_rounds(plan, recorded, on_open, found.rounds, self._convert_block)
                live.load(found.counts, found.parts)
                return frozenset(found.counted)
        self.progress = begin_rounds(plan, store.rounds.read(), on_open, convert_block=self._convert_block)
        return frozenset()
