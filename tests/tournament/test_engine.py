"""An engine that shares nothing with the built-in one: workers in memory, whose seats choose the last action.

It is given all that it needs to play, and no more.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from math import inf
from pathlib import Path

import trio

from pitboss_tournament.plan.plan import Entrant, Plan, TableRules
from pitboss_tournament.playing.engine import Engine, WorkerPlace
from pitboss_tournament.playing.match import Match
from pitboss_tournament.playing.schedule import SeededGame, make_result
from pitboss_tournament.playing.tournament import ProgressListener, Tournament
from pitboss_tournament.playing.worker_protocol import (
    BatchDone,
    FinishedGame,
    ParentMessage,
    PlayBatch,
    WorkerMessage,
    WorkerReady,
    WorkerStart,
)
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.record_packing import RecordPacker
from pitboss_tournament.store.store import Store
from tests.tournament.small_tournaments import load_magpie, make_plan, zoo_entrant
from tests.tournament.test_simultaneous import RecordingSeat


class MemoryWorker:
    """A worker that plays each batch when it is asked for the next message; after `most` games it is gone."""

    def __init__(self, most: float) -> None:
        self.heard: list[ParentMessage] = []
        self._most = most
        self._said, self._news = trio.open_memory_channel[WorkerMessage](inf)
        self._to_play: list[PlayBatch] = []
        self._rules: TableRules | None = None
        self._packer: RecordPacker | None = None

    def send(self, message: ParentMessage) -> None:
        """Note rules, and batches that are to be played."""
        self.heard.append(message)
        match message:
            case WorkerStart(rules, _, dictionary):
                self._rules, self._packer = rules, RecordPacker(dictionary)
                self._said.send_nowait(WorkerReady())
            case PlayBatch():
                self._to_play.append(message)

    async def receive(self) -> WorkerMessage | None:
        """Play what is to be played, and return the next message."""
        while self._to_play and not self._news.statistics().current_buffer_used:
            batch = self._to_play.pop(0)
            for seeded in batch.games:
                if self._most < 1:
                    self._to_play.clear()
                    return None
                self._most -= 1
                await self._play_game(batch.number, batch.entrants, seeded)
            self._said.send_nowait(BatchDone(batch.number))
        try:
            return await self._news.receive()
        except trio.EndOfChannel:
            return None

    def request_stop(self) -> None:
        """End."""
        self._said.close()

    def break_off(self) -> None:
        """End."""
        self._said.close()

    def exit_text(self) -> str:
        """Say that it is gone."""
        return "was taken away"

    async def _play_game(self, batch: int, entrants: Sequence[Entrant], seeded: SeededGame) -> None:
        assert self._rules is not None and self._packer is not None
        seats = [RecordingSeat(seat) for seat in range(len(entrants))]
        for seat, entrant in zip(seats, entrants, strict=True):
            seat.entrant = entrant
        played = await Match(load_magpie(), self._rules.options, seats, seeded.seed).play(
            seeded.game.game_id, seeded.bot_seeds
        )
        self._said.send_nowait(
            FinishedGame(
                batch=batch,
                result=make_result(seeded.game, played),
                seed=played.record.seed,
                faults=[],
                decisions=len(played.record.decisions),
                record=self._packer.pack(played.record),
                logs=[],
            )
        )


def play_in_memory(made: Plan, deaths: Sequence[float]) -> tuple[list[MemoryWorker], list[str], int]:
    """Play a tournament; each worker plays as many games as `deaths` says, the last ones all. Return the workers, the
    seeds of the games and their number.
    """
    workers = list[MemoryWorker]()

    @asynccontextmanager
    async def open_worker() -> AsyncIterator[MemoryWorker]:
        worker = MemoryWorker(deaths[len(workers)] if len(workers) < len(deaths) else inf)
        workers.append(worker)
        yield worker

    @asynccontextmanager
    async def open_places(plan: Plan) -> AsyncIterator[Sequence[WorkerPlace]]:
        yield [open_worker] * plan.workers

    game = load_magpie()
    with closing(Store.for_run(made.store, make_header(made, game.version, "0"))) as store:
        engine = Engine(name="memory", summary="In memory.", open_places=open_places)
        tournament = Tournament(made, game, store, engine)
        trio.run(tournament.run, ProgressListener())
        return workers, list(store.seeds()), tournament.running_standings.games


def test_a_tournament_in_memory(tmp_path: Path) -> None:
    """All games are played, with the seeds of the schedule, though no worker is told the seed of the tournament."""
    made = make_plan(tmp_path / "x.pitboss", zoo_entrant("good", "a"), zoo_entrant("good", "b"), seed="a secret")
    workers, seeds, games = play_in_memory(made, [])

    assert games == 4
    assert seeds == ["a secret/a+b/0", "a secret/a+b/0", "a secret/a+b/1", "a secret/a+b/1"]
    assert not any("a secret'" in repr(message) for worker in workers for message in worker.heard)


def test_workers_that_are_gone(tmp_path: Path) -> None:
    """What they had is played by others, and nothing twice."""
    made = make_plan(
        tmp_path / "x.pitboss", *(zoo_entrant("good", name) for name in "abc"), deals=6, workers=1, games_at_once=1
    )
    workers, seeds, games = play_in_memory(made, [1, 5, 2])

    assert (len(workers), games, len(seeds)) == (4, 36, 36)
