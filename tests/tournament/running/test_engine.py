"""An engine that shares nothing with the built-in one: workers in memory, whose seats choose the last action.

It is given all that it needs to play, and no more.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from math import inf
from pathlib import Path

import pytest
import trio

from pitboss_tournament.match.match import Match
from pitboss_tournament.plan.plan import Plan, TableRules
from pitboss_tournament.rounds.schedule import SeededGame, make_result
from pitboss_tournament.running import run_workers
from pitboss_tournament.running.engine import AddPlace, Engine, ShowNote, WorkerPlace
from pitboss_tournament.running.progress_listener import ProgressListener
from pitboss_tournament.running.run_workers import WorkerLossError
from pitboss_tournament.running.tournament import Tournament
from pitboss_tournament.running.worker_protocol import (
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
from tests.tournament.match.test_simultaneous import RecordingSeat
from tests.tournament.small_tournaments import load_magpie, make_plan, zoo_entrant
from tests.tournament.thread_cluster import NoteListener


class MemoryWorker:
    """A worker that plays each batch when it is asked for the next message; after `most` games it is gone.

    `lost_place`: then its place is gone too.
    """

    def __init__(self, most: float, lost_place: str | None = None) -> None:
        self.heard: list[ParentMessage] = []
        self._most = most
        self._said, self._news = trio.open_memory_channel[WorkerMessage](inf)
        self._to_play: list[PlayBatch] = []
        self._rules: TableRules | None = None
        self.lost_place = lost_place
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
                await self._play_game(batch, seeded)
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

    async def _play_game(self, batch: PlayBatch, seeded: SeededGame) -> None:
        assert self._rules is not None and self._packer is not None
        seats = [RecordingSeat(seat) for seat in range(len(seeded.game.entrants))]
        for seat, entrant in zip(seats, seeded.game.entrants, strict=True):
            seat.entrant = batch.entrants[entrant]
        played = await Match(load_magpie(), self._rules.options, seats, seeded.seed).play(
            seeded.game.game_id, seeded.bot_seeds
        )
        self._said.send_nowait(
            FinishedGame(
                batch=batch.number,
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
    async def open_places(plan: Plan, add_place: AddPlace, show_note: ShowNote) -> AsyncIterator[None]:
        for _ in range(plan.workers):
            add_place(WorkerPlace(open_worker=open_worker, tables=1))
        yield

    return workers, *play_by_engine(made, open_places)


def play_by_engine(
    made: Plan,
    open_places: Callable[[Plan, AddPlace, ShowNote], AbstractAsyncContextManager[None]],
    listener: ProgressListener | None = None,
) -> tuple[list[str], int]:
    """Play a tournament. Return the seeds of the games and their number."""
    game = load_magpie()
    with closing(Store.for_run(made.store, make_header(made, game.version, "0"))) as store:
        engine = Engine(name="memory", summary="In memory.", open_places=open_places)
        played = Tournament(made, game, store, engine)
        trio.run(played.run, listener or ProgressListener())
        return list(store.seeds()), played.running_standings.games


class LossListener(NoteListener):
    """Tells when two places are lost."""

    def __init__(self) -> None:
        super().__init__()
        self.both_are_lost = trio.Event()

    def show_note(self, text: str) -> None:
        """Keep a note."""
        super().show_note(text)
        if len(self.notes) == 2:
            self.both_are_lost.set()


def make_place(most: float, lost_place: str) -> WorkerPlace:
    """Return a place at which each worker is gone after so many games, and the place with it."""

    @asynccontextmanager
    async def open_worker() -> AsyncIterator[MemoryWorker]:
        yield MemoryWorker(most, lost_place)

    return WorkerPlace(open_worker=open_worker, tables=1)


def test_a_tournament_in_memory(tmp_path: Path) -> None:
    """All games are played, with the seeds of the schedule, though no worker is told the seed of the tournament."""
    made = make_plan(tmp_path / "x.pitboss", zoo_entrant("good", "a"), zoo_entrant("good", "b"), seed="a secret")
    workers, seeds, games = play_in_memory(made, [])

    assert games == 4
    assert seeds == ["a secret/a+b/0", "a secret/a+b/0", "a secret/a+b/1", "a secret/a+b/1"]
    assert not any("a secret'" in repr(message) for worker in workers for message in worker.heard)


class DrawnNotes(NoteListener):
    """Keeps the notes that were drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.drawn = list[str]()

    def prepare_refresh(self) -> Callable[[], None]:
        """Return a function that draws the notes since the last time."""
        taken, self.notes = self.notes, []
        return lambda: self.drawn.extend(taken)


def test_a_note_of_the_last_moment(tmp_path: Path) -> None:
    """A note of the last moment is shown, although the run ends before the display would have its next turn."""
    listener = DrawnNotes()

    @asynccontextmanager
    async def open_places(plan: Plan, add_place: AddPlace, show_note: ShowNote) -> AsyncIterator[None]:
        add_place(make_place(inf, ""))
        yield
        show_note("the place is closed")

    made = make_plan(tmp_path / "x.pitboss", zoo_entrant("good", "a"), zoo_entrant("good", "b"))
    play_by_engine(made, open_places, listener)

    assert listener.drawn == ["the place is closed"]


def test_workers_that_are_gone(tmp_path: Path) -> None:
    """The games of workers that are gone are played by others, and none is played twice."""
    made = make_plan(
        tmp_path / "x.pitboss", *(zoo_entrant("good", name) for name in "abc"), deals=6, workers=1, games_at_once=1
    )
    workers, seeds, games = play_in_memory(made, [1, 5, 2])

    assert (len(workers), games, len(seeds)) == (4, 36, 36)


def test_places_that_are_lost(tmp_path: Path) -> None:
    """A place that is lost has its games taken over by another, also one that had nothing to play, and one that is
    found later.
    """
    made = make_plan(tmp_path / "x.pitboss", zoo_entrant("good", "a"), zoo_entrant("good", "b"), deals=30)

    @asynccontextmanager
    async def open_places(plan: Plan, add_place: AddPlace, show_note: ShowNote) -> AsyncIterator[None]:
        add_place(make_place(3, "the first machine is gone"))
        add_place(make_place(1, "the second machine is gone"))

        async def find_another() -> None:
            await listener.both_are_lost.wait()
            add_place(make_place(inf, ""))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(find_another)
            yield

    listener = LossListener()
    seeds, games = play_by_engine(made, open_places, listener)

    assert (games, len(seeds)) == (60, 60)
    assert sorted(listener.notes) == ["the first machine is gone", "the second machine is gone"]


def test_the_last_place_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The games that the last place has reported before its loss are kept, a batch of 20, and the error says which
    machine it was.
    """
    monkeypatch.setattr(run_workers, "NEW_PLACE_SECONDS", 0.1)
    made = make_plan(tmp_path / "x.pitboss", zoo_entrant("good", "a"), zoo_entrant("good", "b"), deals=30)

    @asynccontextmanager
    async def open_places(plan: Plan, add_place: AddPlace, show_note: ShowNote) -> AsyncIterator[None]:
        add_place(make_place(27, "the machine x is gone"))
        yield

    with pytest.raises(ExceptionGroup) as error:
        play_by_engine(made, open_places)

    assert error.group_contains(WorkerLossError, match="nothing is left to play on: the machine x is gone")
    with closing(Store(made.store)) as store:
        assert store.count_games() == 20
