"""The games of a tournament that count: rounds, standings and verdict, from the store and then game by game."""

from __future__ import annotations

from collections.abc import Callable, Set
from contextlib import suppress

from pitboss_tournament.counting.scored_results import find_block_conversion
from pitboss_tournament.counting.tally import make_tally
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.rounds.checkpoint import ResultFollower, read_checkpoint
from pitboss_tournament.rounds.game_numbers import GameNumbers
from pitboss_tournament.rounds.round_progress import begin_rounds
from pitboss_tournament.rounds.stop_monitor import StopMonitor
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.rows import RecordedRound
from pitboss_tournament.store.store import Store


class CountedGames:
    """What follows from the games of a tournament so far."""

    def __init__(
        self, plan: Plan, store: Store, on_open: Callable[[RecordedRound], None], follower: ResultFollower | None
    ) -> None:
        """Count the games of the store. With a `follower`, begin at the checkpoint of the store, if there is one.

        `on_open` is called with each round that is opened later, and overlaps.
        """
        convert_block = find_block_conversion(store.header)
        self.standings = make_tally(store.header, convert_block)
        self._convert_block = convert_block  # what the stop test goes by
        self.monitor = StopMonitor(plan, plan.stop) if plan.stop else None  # may end it before its schedule does
        self.numbers = GameNumbers()
        self._follower = follower
        if follower is not None:
            follower.begin()
        counted = self._begin_rounds(plan, store, on_open)
        for result in store.results(with_times=follower is not None, first=self.progress.first_open_game):
            is_there = self.progress.advance_to(result.game_id, self.standings.list_disqualified)
            if is_there and self.progress.is_awaited(result.game_id):
                self.add(result, is_counted=result.game_id in counted)
        self.progress.open_recorded(self.standings.list_disqualified)

    @property
    def verdict(self) -> str | None:
        """Why the tournament has ended before its schedule, if it has."""
        return self.monitor.verdict if self.monitor else None

    def add(self, result: GameResult, *, is_counted: bool = False) -> bool:
        """Add a result, to the standings unless it is counted in them; tell whether the tournament is decided."""
        if not is_counted:
            self.standings.add(result)
            if self._follower is not None:
                self._follower.add(result)
        self.numbers.add(result.game_id)
        self.progress.add_result(result)
        if self.monitor:
            self.monitor.add_blocks(self.progress, self.standings.list_disqualified())
        return self.verdict is not None

    def _begin_rounds(self, plan: Plan, store: Store, on_open: Callable[[RecordedRound], None]) -> Set[int]:
        """Begin with the first round, or at the checkpoint of the store; return the games that are counted in that."""
        kept = store.rounds.list_checkpoint_parts() if self._follower is not None else []
        found, again = read_checkpoint(kept), read_checkpoint(kept)  # each set of standings goes on with its own
        if found is not None and again is not None and self._follower is not None:
            recorded = store.rounds.read(after=found.head.rounds.rounds_begun)
            with suppress(ValueError):  # the format is not one that has kept this
                self.progress = begin_rounds(plan, recorded, on_open, found.head.rounds, self._convert_block)
                self._follower.restore(found)
                self.standings.restore(again.head.standings.tally, again.head.standings.open_blocks)
                return frozenset(found.head.counted)
        self.progress = begin_rounds(plan, store.rounds.read(), on_open, convert_block=self._convert_block)
        return frozenset()
