"""Bots that join and leave while a tournament is played whose rounds overlap."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, closing
from math import inf
from pathlib import Path

import trio
from msgspec.structs import replace

from pitboss_tournament.audit.store_audit import find_problems
from pitboss_tournament.formats.selection import choose_format
from pitboss_tournament.plan.plan import Plan, Roster
from pitboss_tournament.running.engine import AddPlace, Engine, ShowNote, WorkerPlace
from pitboss_tournament.running.progress_listener import ProgressListener
from pitboss_tournament.running.run_end import RunLimits
from pitboss_tournament.running.tournament import Tournament
from pitboss_tournament.running.worker_protocol import FinishedGame
from pitboss_tournament.store.header import Header, make_header
from pitboss_tournament.store.store import Store
from tests.tournament.running.test_engine import MemoryWorker
from tests.tournament.small_tournaments import load_magpie, make_plan, zoo_entrant


class ChangesField(ProgressListener):
    """Lets bots join and leave after so many games."""

    def __init__(self, changes: Iterable[tuple[int, tuple[int, ...]]]) -> None:
        self.tournament: Tournament | None = None
        self._changes = list(changes)
        self._games = 0

    def show_game(self, game: FinishedGame) -> None:
        """Change the field when it is time."""
        self._games += 1
        if self._changes and self._games == self._changes[0][0]:
            assert self.tournament is not None
            _, entries = self._changes.pop(0)
            begins = self.tournament.progress.rounds_begun + 1
            plan = draw_up(self.tournament.plan, max(entries) + 1, entries, begins)
            self.tournament.change_field(plan, make_full_header(plan))


def draw_up(plan: Plan, bots: int, entries: tuple[int, ...], first_round: int) -> Plan:
    """Return a plan of at least so many bots, in which these take part from a round on."""
    names = "abcdef"[: max(bots, len(plan.entrants))]
    before = tuple(one for one in plan.rosters if one.first_round < first_round)
    rosters = (*before, Roster(first_round=first_round, entries=entries, deals=plan.deals))
    return replace(plan, entrants=tuple(zoo_entrant("good", name) for name in names), rosters=rosters)


def make_full_header(plan: Plan) -> Header:
    """Return the header of a plan, with its rosters."""
    return replace(make_header(plan, load_magpie().version, "0"), rosters=plan.rosters)


def play(path: Path, engine: Engine, changes: Iterable[tuple[int, tuple[int, ...]]]) -> Store:
    """Play 80 games of a ladder of two, whose field changes; return its store."""
    plan = make_plan(path, format=choose_format("ladder", {"overlapping": True}), deals=1)
    plan = draw_up(plan, 2, (0, 1), 1)
    store = Store.open_to_write(path, make_full_header(plan))
    listener = ChangesField(changes)
    tournament = listener.tournament = Tournament(plan, load_magpie(), store, engine, RunLimits(games=80))
    trio.run(tournament.run, listener)
    assert store.count_games() == 80
    return store


def test_places_are_opened_again_for_newcomers(tmp_path: Path) -> None:
    """An engine that gives its machines the bots beforehand opens its places again; no game is lost or played twice.

    Who has left plays no more, but for what has begun; who comes back plays again.
    """
    opened: list[int] = []

    @asynccontextmanager
    async def open_worker() -> AsyncIterator[MemoryWorker]:
        yield MemoryWorker(inf)

    @asynccontextmanager
    async def open_places(plan: Plan, add_place: AddPlace, show_note: ShowNote) -> AsyncIterator[None]:
        opened.append(len(plan.entrants))
        for _ in range(plan.workers):
            add_place(WorkerPlace(open_worker=open_worker, tables=1))
        yield

    engine = Engine(name="memory", summary="In memory.", open_places=open_places)
    changes = [(20, (0, 1, 2)), (40, (1, 2, 3)), (60, (0, 1, 2, 3))]
    with closing(play(tmp_path / "x.pitboss", engine, changes)) as store:
        assert opened == [2, 3, 4, 4]
        assert list(find_problems(store, load_magpie())) == []
        played = [{seat.entrant for seat in result.seats} for result in store.results()]
        assert set().union(*played[:20]) == {0, 1}
        assert {2, 3} <= set().union(*played[40:])
        assert [roster.entries for roster in store.header.rosters] == [(0, 1), (0, 1, 2), (1, 2, 3), (0, 1, 2, 3)]
