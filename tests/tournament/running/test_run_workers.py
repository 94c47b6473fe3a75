"""The workers of a run, by workers in memory: what they may not say, and how often they may die."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from math import inf
from pathlib import Path

import pytest

from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.running import run_workers
from pitboss_tournament.running.engine import AddPlace, ShowNote, WorkerPlace
from pitboss_tournament.running.run_workers import WorkerLossError
from pitboss_tournament.running.worker_protocol import BatchDone, FinishedGame, WorkerMessage
from tests.tournament.running.test_engine import MemoryWorker, play_by_engine
from tests.tournament.small_tournaments import make_plan, zoo_entrant
from tests.tournament.thread_cluster import NoteListener


class UnknownBatchWorker(MemoryWorker):
    """Tells of the end of a batch that it never had."""

    async def receive(self) -> WorkerMessage | None:
        """Return the next message, with another number."""
        message = await super().receive()
        return BatchDone(99) if isinstance(message, BatchDone) else message


class RepeatingWorker(MemoryWorker):
    """Tells of a finished game twice."""

    def __init__(self) -> None:
        super().__init__(inf)
        self._last: FinishedGame | None = None

    async def receive(self) -> WorkerMessage | None:
        """Return the last game in place of the end of the batch."""
        message = await super().receive()
        if isinstance(message, FinishedGame):
            self._last = message
        return self._last if isinstance(message, BatchDone) else message


class UnreadyWorker(MemoryWorker):
    """Ends before it is ready to play."""

    async def receive(self) -> WorkerMessage | None:
        """Return the end."""
        return None


def play_with(make_worker: Callable[[], MemoryWorker], path: Path, machine: str = "") -> tuple[list[str], int]:
    """Play a tournament at a place with such workers, if it is on another machine beside one with good workers.

    Return the notes and the number of games.
    """
    made, listener = make_plan(path, zoo_entrant("good", "a"), zoo_entrant("good", "b"), deals=30), NoteListener()

    @asynccontextmanager
    async def open_worker() -> AsyncIterator[MemoryWorker]:
        yield make_worker()

    @asynccontextmanager
    async def open_other() -> AsyncIterator[MemoryWorker]:
        yield MemoryWorker(inf)

    @asynccontextmanager
    async def open_places(plan: Plan, add_place: AddPlace, show_note: ShowNote) -> AsyncIterator[None]:
        add_place(WorkerPlace(open_worker=open_worker, tables=1, machine=machine))
        if machine:
            add_place(WorkerPlace(open_worker=open_other, tables=1))
        yield

    _, games = play_by_engine(made, open_places, listener)
    return listener.notes, games


@pytest.mark.parametrize("make_worker", [lambda: UnknownBatchWorker(inf), RepeatingWorker])
def test_a_worker_of_another_machine_says_what_it_may_not(
    tmp_path: Path, make_worker: Callable[[], MemoryWorker]
) -> None:
    """A worker of another machine that sends a message that it may not send plays no more. Others play its games; no
    game is suspected.
    """
    [note], games = play_with(make_worker, tmp_path / "x.pitboss", "far")

    assert games == 60
    assert note.startswith("far is not played on any more: unexpected message from a worker: ")


def test_workers_that_never_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few deaths in a row end the run, and no game is blamed for them."""
    monkeypatch.setattr(run_workers, "DEATH_PAUSE_SECONDS", 0)

    with pytest.raises(ExceptionGroup) as error:
        play_with(lambda: UnreadyWorker(inf), tmp_path / "x.pitboss")

    assert error.group_contains(
        WorkerLossError, match="3 worker processes have died without finishing a game; the last one was taken away"
    )
