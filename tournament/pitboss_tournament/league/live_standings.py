"""The standings of a league, kept in memory while its games are played."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import trio

from pitboss_tournament.counting.findings import RatedStandings
from pitboss_tournament.counting.scored_results import find_block_conversion
from pitboss_tournament.rounds.checkpoint import Checkpoint
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header

T = TypeVar("T")
N = TypeVar("N")


class LiveStandings:
    """Standings to which games are added as they end. While a thread computes with them, what comes waits."""

    def __init__(self, header: Header) -> None:
        """Begin without a game."""
        self.header = header
        self.beginnings = 0  # how often all games were forgotten
        self._standings = self._make_standings()
        self._waiting: list[Callable[[], object]] = []
        self._computing = trio.Lock()

    @property
    def games(self) -> int:
        """How many games have been added."""
        return self._standings.tally.games

    def begin(self) -> None:
        """Forget all games: they are told again."""

        def forget() -> None:
            self.beginnings += 1
            self._standings = self._make_standings()

        self._do(forget)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Begin with what a checkpoint has counted.

        Raises:
            ValueError: it contradicts itself.
        """
        restored = self._make_standings()
        restored.restore_state(checkpoint.head.standings, checkpoint.parts)
        self._standings = restored

    def add(self, result: GameResult) -> None:
        """Add a game."""
        self._do(lambda: self._standings.add(result))

    def change_header(self, header: Header) -> None:
        """Take in those who have joined."""
        self.header = header
        self._do(lambda: self._standings.change_header(header))

    async def compute(self, begin: Callable[[], N], work: Callable[[RatedStandings, N], T]) -> T:
        """Return what a function makes of the standings, in a thread.

        It also gets what `begin` has returned in the moment at which they were as they are.
        """
        async with self._computing:
            begun = begin()
            try:  # a thread that is not abandoned is waited for, also by who is cancelled
                return await trio.to_thread.run_sync(work, self._standings, begun)
            finally:
                waiting, self._waiting = self._waiting, []
                for do in waiting:
                    do()

    def _make_standings(self) -> RatedStandings:
        return RatedStandings(self.header, anytime=True, convert_block=find_block_conversion(self.header))

    def _do(self, do: Callable[[], object]) -> None:
        if self._computing.locked():
            self._waiting.append(do)
        else:
            do()
