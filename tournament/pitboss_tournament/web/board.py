"""What a server knows of one store: the summary of its tournament, kept as long as the file does not change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from itertools import islice
from math import inf
from pathlib import Path
from time import thread_time, time
from typing import Final, Literal, TypeAlias, TypeVar

import msgspec
import trio
from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss.plugins.registry import Registry
from pitboss.records.record import Record
from pitboss_tournament.counting.pair_choice import order_pairs
from pitboss_tournament.counting.report_findings import ReportFindings
from pitboss_tournament.counting.stored_findings import StoredFindings, collect_report, kept_luck
from pitboss_tournament.reporting.plain_summary import SummaryData, describe_summary
from pitboss_tournament.results.columns import Column, Kind, choose_columns, choose_pair_columns
from pitboss_tournament.results.notes import note_lines, rare_loss_text
from pitboss_tournament.results.own_settings import explain_neighbours, list_run_levels, sandbox_text
from pitboss_tournament.results.standings_rows import list_pair_rows
from pitboss_tournament.results.team_columns import TEAM_COLUMNS
from pitboss_tournament.results.verdict import favour_lines, gift_lines
from pitboss_tournament.rounds.round_lines import tell_end
from pitboss_tournament.running.active_run import ActiveRun, find_active_run
from pitboss_tournament.running.watch_protocol import ListedTable
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.database import StoreError
from pitboss_tournament.store.store import Store
from pitboss_tournament.store.store_lock import is_locked
from pitboss_tournament.web.hour_course import SeenCount, cut_hour, thin_moments
from pitboss_tournament.web.renewed import Renewed, stamp_file
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
        self._summary = self._renewed(self._make_summary)
        self._statistics = self._renewed(self._collect_statistics)
        self._moments: list[SeenCount] = []  # of the last hour
        self._replays: dict[tuple[int, int | None, int], tuple[Record | None, bytes]] = {}
        self._asking = trio.Lock()
        self._tables: list[ListedTable] = []
        self._asked_at = -inf

    def _renewed(self, make: Callable[[Store], T]) -> Renewed[T]:
        """Return something that is made from the store."""

        def make_from_store(_: str) -> T:
            with _translate_errors(self.path), closing(Store(self.path, SUMMARY_CPU_S)) as store:
                return make(store)

        # by processor time: on a busy machine, or beside a slow disk, a page would otherwise wait for minutes
        return Renewed(
            self._look,
            make_from_store,
            pause=POLL_SECONDS,
            rest=REST_FACTOR,
            makers=self._makers,
            work_clock=thread_time,
        )

    async def summary_json(self) -> bytes:
        """Return a `BoardData` as JSON.

        Raises:
            PitbossError: the store cannot be read.
        """
        return await self._summary.read()

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
            self._replays[game_id, viewer, part] = record, data  # the last one that was asked for comes last
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

    async def read_statistics(self, work: Callable[[ReportFindings, Store], T]) -> T:
        """Do something with the statistics of a report, and with the store; they are as fresh as the summary is.

        Raises:
            StoreError: the store cannot be read. Others: as `work`.
        """
        statistics = await self._statistics.read()

        def run() -> T:
            with closing(Store(self.path, SUMMARY_CPU_S)) as store:
                return work(statistics, store)

        return await trio.to_thread.run_sync(run, limiter=self._makers, abandon_on_cancel=True)

    def _collect_statistics(self, store: Store) -> ReportFindings:
        return collect_report(store, luck=kept_luck(store))

    def _look(self) -> object:
        """Return a value that changes with the file, and when a run begins or ends."""
        with self._file, _translate_errors(self.path):
            return stamp_file(self.path), self.path.is_file() and is_locked(self.path)

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

    def _make_summary(self, store: Store) -> bytes:
        with self._file:
            run = find_active_run(self.path)
        run = None if run is None else run._replace(pid=None)  # viewers need no process id
        summary = StoredFindings(store, luck=kept_luck(store))
        self._note_moments(store, summary.tally.games)
        return msgspec.json.encode(_describe(self.name, summary, run))

    def _note_moments(self, store: Store, played: int) -> None:
        """Note how many games are played now; the first time also what the store tells of its runs."""
        if not self._moments:
            told = [(run.began, run.played) for run in store.runs()] + [(end.at, end.games) for end in store.run_ends()]
            self._moments = sorted(SeenCount(datetime.fromisoformat(at).timestamp(), games) for at, games in told)
        now = time()
        if not self._moments or self._moments[-1].games != played:
            self._moments = thin_moments([*self._moments, SeenCount(now, played)], now, MOMENT_SECONDS)


def _describe(name: str, summary: StoredFindings, run: ActiveRun | None) -> BoardData:
    header, played, names = summary.store.header, summary.tally.games, summary.names
    ended = summary.store.find_end()
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
        progress=f"{progress} {tell_end(header, ended)}" if ended else progress,
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
            *filter(
                None,
                [
                    rare_loss_text(summary),
                    sandbox_text(list_run_levels(summary.store)),
                    explain_neighbours(header),
                ],
            ),
            *favour_lines(summary),
            *gift_lines(summary),
            *map(str, data.models),
        ],
        standings=_make_table(choose_columns(data.standings), data.standings),
        teams=_make_table(TEAM_COLUMNS, data.teams),
        pairs=_make_table(choose_pair_columns(pair_rows), pair_rows),
        summary=data,
    )


@contextmanager
def _translate_errors(path: Path) -> Iterator[None]:
    """Context manager: a store that cannot be read, or is damaged, is a `StoreError`."""
    try:
        yield
    except PitbossError:
        raise
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from error
    except Exception as error:
        raise StoreError(f"{path}: its contents contradict each other ({type(error).__name__})") from error


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
