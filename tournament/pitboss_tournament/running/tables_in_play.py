"""The tables of a tournament that is being played, and the games that somebody watches there. No I/O."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Sequence
from itertools import count, islice
from typing import Final

import msgspec
import trio

from pitboss.game import AnyGame
from pitboss.loadouts import place_loadouts
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.rounds import schedule
from pitboss_tournament.rounds.schedule import ScheduledGame
from pitboss_tournament.running.dispatcher import Assignment
from pitboss_tournament.running.engine import EngineWorker, WorkerPlace
from pitboss_tournament.running.verification import VerifiedBatch
from pitboss_tournament.running.watch_protocol import (
    GameEnd,
    GameHeader,
    GameProgress,
    ListedTable,
    TableList,
    encode_watch_line,
)
from pitboss_tournament.running.worker_protocol import ShownDecisions, WatchGame

NO_GAME: Final = -1


class GameFeed:
    """A watched game as lines of `watch_protocol`, kept once for all who watch it."""

    def __init__(self) -> None:
        self.game_id = NO_GAME  # until it begins
        self.is_over = False  # no more lines come
        self._lines: list[bytes] = []
        self._change = trio.Event()

    def add(self, *lines: bytes, is_over: bool = False) -> None:
        """Add lines."""
        self._lines += lines
        self.is_over = is_over
        self._change.set()
        self._change = trio.Event()

    async def lines(self) -> AsyncGenerator[bytes, None]:
        """Yield the lines from the first to the last, each when it is there."""
        sent = 0
        while sent < len(self._lines) or not self.is_over:
            if sent == len(self._lines):
                await self._change.wait()
            while sent < len(self._lines):
                yield self._lines[sent]
                sent += 1


class TableWorker:
    """A worker with its tables, and the batches that it has."""

    def __init__(self, remote: EngineWorker, place: WorkerPlace, tables: Sequence[int]) -> None:
        self.remote = remote
        self.place = place
        self.tables = tables
        self.assignments: dict[int, Assignment] = {}  # by the number of the batch
        self.verified: dict[int, VerifiedBatch] = {}  # those of them that are verified
        self.is_ready = False


class OccupiedTable:
    """A table with its batch, and the watched game, if there is one."""

    def __init__(self, worker: TableWorker, batch: int, assignment: Assignment) -> None:
        self.worker = worker
        self.batch = batch
        self.assignment = assignment
        self.feed: GameFeed | None = None

    def watch(self) -> GameFeed:
        """Return the game in play; the worker is asked for it, unless it was before."""
        if self.feed is None:
            self.feed = GameFeed()
            if self.worker.is_ready:
                self.worker.remote.send(WatchGame(self.batch))
        return self.feed

    def end_feed(self, *lines: bytes) -> None:
        """Let those who watch go."""
        if self.feed is not None:
            self.feed.add(*lines, is_over=True)
            self.feed = None


class TablesInPlay:
    """All tables: numbered from 1 over all workers. A batch keeps its table."""

    def __init__(self, plan: Plan, game: AnyGame) -> None:
        self._plan = plan
        self._game = game
        self._tables: dict[int, OccupiedTable] = {}  # by number
        self._numbers: dict[int, int] = {}  # of tables, by batch
        self._reserved = set[int]()  # numbers of tables that a place has
        self._change = trio.Event()
        self._is_closed = False

    def change_plan(self, plan: Plan) -> None:
        """Replace the plan after a change of the bots."""
        self._plan = plan

    def reserve(self, tables: int) -> list[int]:
        """Return numbers for `tables` tables of a place: the lowest that no other place has."""
        numbers = list(islice((number for number in count(1) if number not in self._reserved), tables))
        self._reserved.update(numbers)
        return numbers

    def release(self, numbers: Iterable[int]) -> None:
        """Give the tables of a place back."""
        self._reserved.difference_update(numbers)

    def begin_batch(self, worker: TableWorker, batch: int, assignment: Assignment) -> None:
        """Put a batch on a free table of its worker."""
        number = next(table for table in worker.tables if table not in self._tables)
        self._numbers[batch] = number
        self._tables[number] = OccupiedTable(worker, batch, assignment)
        self._notify()

    def begin_watching(self, batch: int) -> None:
        """Ask the worker, which has just taken a batch, for one of its games if somebody waits for one."""
        table = self._tables[self._numbers[batch]]
        if table.feed is not None:
            table.worker.remote.send(WatchGame(batch))

    def show_decisions(self, news: ShownDecisions) -> None:
        """Pass decisions of a watched game on."""
        feed = self._tables[self._numbers[news.batch]].feed
        if feed is None:
            return
        progress = GameProgress(begins=news.begins, decisions=news.decisions, faults=news.faults)
        lines = [encode_watch_line(progress)]
        if feed.game_id == NO_GAME:
            feed.game_id = news.game_id
            lines.insert(0, encode_watch_line(self._make_header(self._find_game(news))))
        feed.add(*lines)

    def end_game(self, batch: int, game_id: int) -> None:
        """Let those who watch a finished game go."""
        table = self._tables[self._numbers[batch]]
        if table.feed is not None and table.feed.game_id == game_id:
            table.end_feed(encode_watch_line(GameEnd(is_finished=True)))

    def end_batch(self, batch: int) -> None:
        """Free the table of a batch that has ended, or whose worker has died."""
        table = self._tables.pop(self._numbers.pop(batch))
        has_begun = table.feed is not None and table.feed.game_id != NO_GAME
        table.end_feed(*[encode_watch_line(GameEnd(is_finished=False))] if has_begun else [])

    def close(self) -> None:
        """Let all go who watch: there will be no more games."""
        self._is_closed = True
        for table in self._tables.values():
            table.end_feed()
        self._notify()

    def list_tables(self) -> TableList:
        """Return the tables in play."""
        names = self._plan.labels
        playing = [(number, self._tables[number].assignment.remaining) for number in sorted(self._tables)]
        return TableList(
            [
                ListedTable(number, games[0].game_id, [names[entrant] for entrant in games[0].entrants])
                for number, games in playing
                if games
            ]
        )

    async def watch(self, number: int) -> AsyncGenerator[bytes, None]:
        """Yield the lines of one game of a table, the one in play or else the next.

        There are none if the tournament ends before it begins, or has no such table.
        """
        is_answered = not 1 <= number <= self._plan.games_at_once
        while not (is_answered or self._is_closed):
            if (table := self._tables.get(number)) is None:
                await self._change.wait()
                continue
            async for line in table.watch().lines():
                is_answered = True
                yield line

    def _find_game(self, news: ShownDecisions) -> ScheduledGame:
        games = self._tables[self._numbers[news.batch]].assignment.games
        return next(game for game in games if game.game_id == news.game_id)

    def _make_header(self, game: ScheduledGame) -> GameHeader:
        names = self._plan.bots
        brought = [self._plan.entrants[entrant].loadout_content for entrant in game.entrants]
        return GameHeader(
            game_id=game.game_id,
            game=self._game.name,
            game_version=self._game.version,
            options=msgspec.to_builtins(place_loadouts(self._game, self._plan.options, brought)),
            seed=schedule.deal_seed(self._plan, game),
            players=[names[entrant] for entrant in game.entrants],
        )

    def _notify(self) -> None:
        """Wake all who wait for a table."""
        self._change.set()
        self._change = trio.Event()
