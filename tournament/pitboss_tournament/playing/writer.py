"""The writer: puts finished games into the store, in batches and in a thread. What it has taken is written, whenever it is cancelled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import trio

from pitboss_tournament.processes.logs import SeatLog
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.store import Store, VoidGame

WRITE_SECONDS: Final = 0.25  # a finished game is on the disk after this at the latest
MAX_UNWRITTEN_GAMES: Final = 1_000  # games; where the disk is slower than the bots, they wait for it


class StoreWriter:
    """What is on its way to a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._games: list[tuple[GameResult, bytes, Sequence[SeatLog]]] = []
        self._voids: list[VoidGame] = []
        self._writing = trio.Lock()

    def add_game(self, result: GameResult, record: bytes, logs: Sequence[SeatLog]) -> None:
        """Take a finished game."""
        self._games.append((result, record, logs))

    def add_void(self, void: VoidGame) -> None:
        """Take a game that is void."""
        self._voids.append(void)

    async def write_if_full(self) -> None:
        """Write what has come, if it is much.

        Raises:
            StoreError: it cannot be written.
        """
        if len(self._games) >= MAX_UNWRITTEN_GAMES:
            await self.write()

    async def write_periodically(self) -> None:
        """Write what has come, again and again, until it is cancelled."""
        while True:
            await trio.sleep(WRITE_SECONDS)
            await self.write()

    async def write(self) -> None:
        """Write what has come, and return when it is on the disk.

        Raises:
            StoreError: it cannot be written.
        """
        async with self._writing:
            # cancelled before its thread begins, it would have taken the games and not written them
            with trio.CancelScope(shield=True):
                games, self._games = self._games, []
                voids, self._voids = self._voids, []
                if games:
                    await trio.to_thread.run_sync(self._store.add, games)
                if voids:
                    await trio.to_thread.run_sync(self._store.add_voids, voids)
