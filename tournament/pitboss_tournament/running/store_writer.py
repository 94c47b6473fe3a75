"""The writer: puts finished games and calls of models into the store, in batches, in a thread. None is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import trio

from pitboss_tournament.models.calls import CallRow
from pitboss_tournament.processes.logs import SeatLog
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.model_calls import CallChange
from pitboss_tournament.store.rows import RecordedRound, VoidGame
from pitboss_tournament.store.store import Store

_QueuedGame: TypeAlias = tuple[GameResult, bytes, Sequence[SeatLog]]  # its result, record and logs

WRITE_SECONDS: Final = 0.25  # after which a finished game is on the disk
MAX_UNWRITTEN_GAMES: Final = 1_000  # games; where the disk is slower than the bots, they wait for it


class StoreWriter:
    """Finished games, void games and calls of models that are not yet in the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._games: list[_QueuedGame] = []
        self._machines: dict[int, str] = {}  # that have played them, by game
        self._header: Header | None = None
        self._rounds: list[RecordedRound] = []
        self._voids: list[VoidGame] = []
        self._calls: list[CallChange] = []
        self._written_calls = self._queued_calls = 0
        self._writing = trio.Lock()

    def add_game(self, result: GameResult, record: bytes, logs: Sequence[SeatLog], machine: str = "") -> None:
        """Queue a finished game; `machine` is the one that has played it, if that is another."""
        self._games.append((result, record, logs))
        if machine:
            self._machines[result.game_id] = machine

    def set_header(self, header: Header) -> None:
        """Queue a header in place of the one that there is; it is written before what is queued later."""
        self._header = header

    def add_round(self, opened: RecordedRound) -> None:
        """Queue a round that overlaps with others."""
        self._rounds.append(opened)

    def add_void(self, void: VoidGame) -> None:
        """Queue a void game."""
        self._voids.append(void)

    def open_call(self, number: int, row: CallRow) -> None:
        """Queue what an open call of a model may cost at most."""
        self._queue_call(CallChange(row, number, is_open=True))

    def settle_call(self, number: int, row: CallRow | None) -> None:
        """Queue what has become of an open call; None: it was not made."""
        self._queue_call(CallChange(row, number))

    def add_call(self, row: CallRow) -> None:
        """Queue a call of a model that costs nothing."""
        self._queue_call(CallChange(row))

    async def write_calls(self) -> None:
        """Return when all calls that are queued now are on the disk; what else is queued is written too.

        Raises:
            StoreError: they cannot be written.
        """
        wanted = self._queued_calls
        while self._written_calls < wanted:
            await self.write()

    def _queue_call(self, change: CallChange) -> None:
        self._calls.append(change)
        self._queued_calls += 1

    async def write_if_full(self) -> None:
        """Write everything queued if that is much.

        Raises:
            StoreError: it cannot be written.
        """
        if len(self._games) >= MAX_UNWRITTEN_GAMES:
            await self.write()

    async def write_periodically(self) -> None:
        """Write everything queued, again and again, until cancelled."""
        while True:
            await trio.sleep(WRITE_SECONDS)
            await self.write()

    async def write(self) -> None:
        """Write everything queued; returns when it is on disk.

        Raises:
            StoreError: it cannot be written, or the file is gone.
        """
        async with self._writing:
            # cancelled before its thread begins, it would have taken the games and not written them
            with trio.CancelScope(shield=True):
                games, self._games = self._games, []
                machines, self._machines = self._machines, {}
                voids, self._voids = self._voids, []
                calls, self._calls = self._calls, []
                rounds, self._rounds = self._rounds, []
                header, self._header = self._header, None
                await trio.to_thread.run_sync(self._write_now, games, machines, voids, calls, rounds, header)
                self._written_calls += len(calls)

    async def write_checkpoint(self, head: bytes, parts: Mapping[int, bytes]) -> None:
        """Write everything queued, and after it a checkpoint (`StoredRounds.write_checkpoint`)."""
        await self.write()
        async with self._writing:
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(self._store.rounds.write_checkpoint, head, parts)

    def _write_now(
        self,
        games: Sequence[_QueuedGame],
        machines: Mapping[int, str],
        voids: Sequence[VoidGame],
        calls: Sequence[CallChange],
        rounds: Sequence[RecordedRound],
        header: Header | None,
    ) -> None:
        self._store.check_file()
        if header is not None:
            self._store.change_header(header)
        if rounds:
            self._store.rounds.add(rounds)
        if calls:
            self._store.calls.change(calls)
        if games:
            self._store.add(games, machines)
        if voids:
            self._store.add_voids(voids)
