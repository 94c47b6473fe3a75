"""What a server knows of one store: the summary of its tournament, kept as long as the file does not change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from math import inf
from pathlib import Path
from time import monotonic, time
from typing import Final, Literal, TypeAlias, TypeVar

import msgspec
import trio
from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss.plugins.registry import Registry
from pitboss.records.record import Record
from pitboss_tournament.counting.kept_report import collect_statistics
from pitboss_tournament.counting.report_findings import ReportStatistics
from pitboss_tournament.counting.stored_findings import TournamentSummary, kept_luck
from pitboss_tournament.results.columns import Column, Kind, choose_columns, choose_pair_columns
from pitboss_tournament.results.own_settings import list_run_levels, neighbours_text, sandbox_text
from pitboss_tournament.results.standings_rows import list_pair_rows
from pitboss_tournament.results.team_columns import TEAM_COLUMNS
from pitboss_tournament.results.verdict import favour_lines, gift_lines
from pitboss_tournament.running.watch_protocol import ListedTable
from pitboss_tournament.showing.active_run import ActiveRun, find_active_run
from pitboss_tournament.showing.pair_table import order_pairs
from pitboss_tournament.showing.plain_summary import SummaryData, describe_summary
from pitboss_tournament.showing.standings_table import note_lines
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.database import StoreError
from pitboss_tournament.store.store import Store
from pitboss_tournament.store.store_lock import is_locked
from pitboss_tournament.web.hour_course import SeenCount, cut_hour, thin_moments
from pitboss_tournament.web.replay_page import make_replay_data
from pitboss_tournament.web.run_connection import ask_tables

POLL_SECONDS: Final = 1.0  # between looks at a file, and questions to its run, however many watch
REST_FACTOR: Final = 50  # a summary that took a second is made again after 50: a fiftieth of one processor at most
SUMMARY_CPU_S: Final = 120.0  # of computing; ten million games of two take less
READ_CPU_S: Final = 10.0
READ_SECONDS: Final = 30.0
GAMES_LISTED: Final = 50
REPLAYS_KEPT: Final = 16
MOMENT_SECONDS: Final = 20.0  # between two points of the curve of the last hour

BoardState: TypeAlias = Literal["playing", "paused", "over"]

T = TypeVar("T")
R = TypeVar("R")


class ShownColumn(Struct, frozen=True):
    """A column of a table, as `results.columns` declares it."""

    key: str
    heading: str
    meaning: str
    kind: Kind


class BoardTable(Struct, frozen=True):
    """A table, written as in the terminal: a list of cells for each row."""

    columns: list[ShownColumn]
    rows: list[list[str]]


class BoardData(Struct, frozen=True):
    """What the page of a tournament shows."""

    name: str
    title: str
    progress: str
    is_running: bool
    format: str
    state: BoardState
    total: int | None  # games that are to be played; None: it is not known
    notes: list[str]
    standings: BoardTable
    teams: BoardTable  # of a cooperative game
    pairs: BoardTable  # that met
    summary: SummaryData


class ListedGame(Struct, frozen=True):
    """A line of the list of games."""

    game_id: int
    deal: int
    bots: list[str]  # by seat
    places: list[int]
    points: list[float]
    faults: list[str]  # "" where a bot did no wrong


class Board:
    """One store. Its methods read the file in threads."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.path = path
        self._file = threading.Lock()  # closing any descriptor of a file drops SQLite's own locks on it
        self._readers = trio.CapacityLimiter(1)  # threads of its own: a file that cannot be read holds up no other
        self._makers = trio.CapacityLimiter(1)
        self._state: object = None
        self._json = b""
        self._broken = ""
        self._looked_at = -inf
        self._next_at = 0.0
        self._moments: list[SeenCount] = []  # of the last hour
        self._statistics: tuple[ReportStatistics | None, object, float] = (
            None,
            None,
            0.0,
        )  # of which state, and until when
        self._replays: dict[tuple[int, int | None, int], tuple[Record | None, bytes]] = {}
        self._asking = trio.Lock()
        self._tables: list[ListedTable] = []
        self._asked_at = -inf

    async def summary_json(self) -> bytes:
        """Return a `BoardData` as JSON: the last one made, unless the file has changed since, and it is time to look.

        While one is made, whoever else asks is given the last one. It is made to the end, though nobody waits for it.

        Raises:
            PitbossError: the store cannot be read.
        """
        if not (self._json and self._makers.borrowed_tokens):
            await trio.to_thread.run_sync(self._renew_summary, limiter=self._makers, abandon_on_cancel=True)
        if self._broken:
            raise StoreError(self._broken)
        return self._json

    def _renew_summary(self) -> None:
        """Make the summary, or say what is wrong with the store, if the file has changed and it is time to look."""
        now = monotonic()
        if now < self._looked_at + POLL_SECONDS:
            return
        try:
            with self._file:
                state = self._look()
            if state != self._state and now >= self._next_at:
                self._state = state
                self._json, self._broken = self._make_summary(), ""
                self._next_at = monotonic() + REST_FACTOR * (monotonic() - now)
        except PitbossError as error:
            self._broken = str(error)
        except OSError as error:
            self._broken = f"{self.path}: cannot be read: {error.strerror}"
        except Exception as error:  # noqa: BLE001 - what others wrote into one store keeps no other from being shown
            self._broken = _tell_contradiction(self.path, error)
        self._looked_at = monotonic()

    def course(self) -> list[tuple[float, float]]:
        """Return the curve of the last hour, by the latest summary: minutes ago, and games played until then."""
        return cut_hour(self._moments, time())

    async def tables(self) -> list[ListedTable]:
        """Return the tables in play, as they were POLL_SECONDS ago or later; none if no run can be asked."""
        async with self._asking:
            if trio.current_time() >= self._asked_at + POLL_SECONDS:
                self._tables = await ask_tables(self.path)
                self._asked_at = trio.current_time()
            return self._tables

    async def has_game(self, game_id: int) -> bool:
        """Tell whether a game is in the store."""

        def look() -> bool:
            store = Store(self.path, READ_CPU_S)
            try:
                return any(one.game_id == game_id for one in islice(store.latest_results(game_id + 1), 1))
            finally:
                store.close()

        return await self._read(look)

    async def replay_json(self, registry: Registry, game_id: int, viewer: int | None, part: int = 0) -> bytes:
        """Return the data of the page of a game, a `ReplayData`, as JSON. Those asked for last are kept.

        Raises:
            PitbossError: there is no such game, or it does not replay.
        """

        def load() -> bytes:
            store = Store(self.path, READ_CPU_S)
            try:
                record, calls = store.record(game_id), store.calls.read_game(game_id)
            finally:
                store.close()
            if viewer is not None and viewer > len(record.players):
                viewer_text = f"there is no seat {viewer}; the seats are 0 to {len(record.players) - 1}"
                raise PitbossError(viewer_text)
            kept, data = self._replays.pop((game_id, viewer, part), (None, b""))
            if kept != record:  # another store may lie there by now
                game, seat = registry.find_game(record.game), "" if viewer is None else f"&seat={viewer}"
                data = msgspec.json.encode(
                    make_replay_data(record, game, game_id, viewer, part, f"?part={{}}{seat}".format, calls)
                )
            self._replays[game_id, viewer, part] = record, data  # the last one that was asked for stands last
            if len(self._replays) > REPLAYS_KEPT:
                del self._replays[next(iter(self._replays))]
            return data

        return await self._read(load)

    async def games(self, before: int | None, bot: str | None) -> list[ListedGame]:
        """Return the latest games by number, those with a number below `before`, of a bot if one is given."""

        def load() -> list[ListedGame]:
            store = Store(self.path, READ_CPU_S)
            try:
                names = store.header.labels
                wanted = names.index(bot) if bot in names else None
                results = store.latest_results(before)
                found: Iterator[GameResult] = (
                    one for one in results if wanted is None or wanted in [seat.entrant for seat in one.seats]
                )
                return [_list_game(one, names) for one in islice(found, GAMES_LISTED)]
            finally:
                store.close()

        return await self._read(load)

    async def read_statistics(self, work: Callable[[ReportStatistics, Store], T]) -> T:
        """Do something with the statistics of a report, and with the store; they are as fresh as the summary is.

        Raises:
            StoreError: the store cannot be read. Others: as `work`.
        """

        def run() -> T:
            with self._file:
                state = self._look()
            store = Store(self.path, SUMMARY_CPU_S)
            try:
                return work(self._renew_statistics(store, state), store)
            finally:
                store.close()

        return await trio.to_thread.run_sync(run, limiter=self._makers, abandon_on_cancel=True)

    def _renew_statistics(self, store: Store, state: object) -> ReportStatistics:
        now = monotonic()
        kept, kept_state, next_at = self._statistics
        if kept is not None and (kept_state == state or now < next_at):
            return kept
        try:
            made = collect_statistics(store, luck=kept_luck(store))
        except PitbossError:
            raise
        except Exception as error:
            raise StoreError(_tell_contradiction(self.path, error)) from error
        self._statistics = made, state, monotonic() + REST_FACTOR * (monotonic() - now)
        return made

    def _look(self) -> object:
        """Return a value that changes with the file, and when a run begins or ends."""
        stamps = []
        for ending in ("", "-wal"):
            try:
                found = self.path.with_name(self.path.name + ending).stat()
                stamps.append((found.st_size, found.st_mtime_ns, found.st_ctime_ns))
            except OSError:
                stamps.append((0, 0, 0))
        return stamps, self.path.is_file() and is_locked(self.path)

    async def _read(self, work: Callable[[], T]) -> T:
        """Do something with the file that does not take long.

        Raises:
            StoreError: it takes READ_SECONDS, and goes on. Others: as `work`.
        """

        def run_locked() -> T:
            with self._file:
                return work()

        with trio.move_on_after(READ_SECONDS):
            return await trio.to_thread.run_sync(run_locked, limiter=self._readers, abandon_on_cancel=True)
        raise StoreError(f"{self.path}: it takes too long to read")

    def _make_summary(self) -> bytes:
        with self._file:
            run = find_active_run(self.path)
        run = None if run is None else run._replace(pid=None)  # the number of a process is nothing to an audience
        store = Store(self.path, SUMMARY_CPU_S)
        try:
            summary = TournamentSummary(store, luck=kept_luck(store))
            self._note_moments(store, summary.tally.games)
            return msgspec.json.encode(_describe(self.name, summary, run))
        finally:
            store.close()

    def _note_moments(self, store: Store, played: int) -> None:
        """Note how many games are played now; the first time also what the store tells of its runs."""
        if not self._moments:
            told = [(run.began, run.played) for run in store.runs()] + [(end.at, end.games) for end in store.run_ends()]
            self._moments = sorted(SeenCount(datetime.fromisoformat(at).timestamp(), games) for at, games in told)
        now = time()
        if not self._moments or self._moments[-1].games != played:
            self._moments = thin_moments([*self._moments, SeenCount(now, played)], now, MOMENT_SECONDS)


def _describe(name: str, summary: TournamentSummary, run: ActiveRun | None) -> BoardData:
    header, played, names = summary.store.header, summary.tally.games, summary.names
    ended = summary.store.end_reason()
    runs = summary.store.runs()
    total = runs[-1].total if runs else None
    data = describe_summary(summary, run, shows_seed=False)
    order = [names.index(row.name) for row in data.standings]
    pairs = order_pairs((pair for pair in summary.shown_comparisons if pair.blocks), order)
    kind = f"{header.game}, {header.seats} at a table, {header.format.name}"
    pair_rows = list_pair_rows(summary, pairs)
    progress = f"{played:,} games played." if run is None else run.progress_line(played)
    return BoardData(
        name=name,
        title=f"{header.title}: {kind}" if header.title else kind,
        progress=f"{progress} It is over: {ended}" if ended else progress,
        is_running=run is not None,
        format=header.format.name,
        state="playing" if run is not None else "over" if ended or total == played else "paused",
        total=total,
        notes=[
            *note_lines(
                summary.tally,
                summary.voids,
                summary.ratings,
                removal=summary.luck_removal,
                open_length=summary.open_length,
            ),
            *filter(None, [sandbox_text(list_run_levels(summary.store)), neighbours_text(header)]),
            *favour_lines(summary),
            *gift_lines(summary),
            *map(str, data.models),
        ],
        standings=_make_table(choose_columns(data.standings), data.standings),
        teams=_make_table(TEAM_COLUMNS, data.teams),
        pairs=_make_table(choose_pair_columns(pair_rows), pair_rows),
        summary=data,
    )


def _tell_contradiction(path: Path, error: Exception) -> str:
    return f"{path}: its contents contradict each other ({type(error).__name__})"


def _make_table(columns: Sequence[Column[R]], rows: Sequence[R]) -> BoardTable:
    shown = [ShownColumn(column.key, column.heading, column.meaning, column.kind) for column in columns]
    return BoardTable(shown, [[column.text(row) for column in columns] for row in rows])


def _list_game(result: GameResult, names: list[str]) -> ListedGame:
    return ListedGame(
        game_id=result.game_id,
        deal=result.deal,
        bots=[names[seat.entrant] for seat in result.seats],
        places=[seat.place for seat in result.seats],
        points=[seat.points for seat in result.seats],
        faults=[seat.fault or ", ".join(seat.substituted) for seat in result.seats],
    )
