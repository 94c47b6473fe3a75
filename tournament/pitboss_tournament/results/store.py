"""The store: one SQLite file a tournament, one durable row a finished game.

`games.result` is what the game counts (a `GameResult` as JSON), `games.record` the whole record, compressed; `logs` what was said in it, of the games whose logs are kept.
Rows are written in batches and are on the disk when `add` returns: a game with its logs, or neither. `voids` has the games that the machine's fault has broken off.
The tournament's plan is kept beside them, so that a resumed run is the same tournament.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import weakref
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from pitboss import record as records
from pitboss.errors import ConfigError, PitbossError
from pitboss.record import Record
from pitboss.wire import Clock
from pitboss_tournament.planning.limits import Limits
from pitboss_tournament.planning.plan import FaultRules, Plan, SandboxMode
from pitboss_tournament.processes.logs import Log, unpacked
from pitboss_tournament.results.database import connected, transaction, why
from pitboss_tournament.results.differences import differences, told
from pitboss_tournament.results.scoring import GameResult

SCHEMA_VERSION: Final = 2
_TABLES: Final = """
create table tournament (header text not null) strict;
create table games (id integer primary key, result text not null, record blob not null) strict;
create table logs (game integer not null, seat integer not null, errors blob not null, wire blob not null, primary key (game, seat)) strict;
create table voids (game integer not null, at text not null, cause text not null, message text not null) strict;
"""
_MAY_CHANGE: Final = ("deals", "faults.disqualify_after", "pitboss_version")  # a resumed run may be longer, or more patient


class StoreError(PitbossError):
    """A store cannot be read or written."""


class Header(Struct, frozen=True, kw_only=True):
    """What a store says about its tournament."""

    game: str
    game_version: str
    pitboss_version: str
    options: Any
    seats: int
    seed: str
    deals: int
    bots: list[str]  # names; seats and results give indexes into this list
    commands: list[tuple[str, ...]]
    clock: Clock
    faults: FaultRules
    sandbox: SandboxMode
    limits: list[Limits]  # by bot


class Said(Struct, frozen=True):
    """The log of one seat in one game, as it was: what the bot wrote to standard error, and the lines of the wire."""

    seat: int
    errors: bytes
    wire: bytes


class VoidGame(Struct, frozen=True):
    """A game that was broken off by no bot's fault; it is played again."""

    game_id: int
    at: str  # when, in UTC
    cause: str  # a short name of a closed list: see `trouble`
    message: str


def void_game(game_id: int, cause: str, message: str) -> VoidGame:
    """Return a game that is void as of now."""
    return VoidGame(game_id, datetime.now(UTC).isoformat(timespec="seconds"), cause, message)


def header_of(plan: Plan, game_version: str, pitboss_version: str) -> Header:
    """Return the header of a tournament's store."""
    return Header(
        game=plan.game,
        game_version=game_version,
        pitboss_version=pitboss_version,
        options=msgspec.to_builtins(plan.options),
        seats=plan.seats,
        seed=plan.seed,
        deals=plan.deals,
        bots=[entrant.name for entrant in plan.entrants],
        commands=[entrant.command for entrant in plan.entrants],
        clock=plan.clock,
        faults=plan.faults,
        sandbox=plan.sandbox,
        limits=[entrant.limits for entrant in plan.entrants],
    )


class Store:
    """An open store. One thread at a time may use it."""

    def __init__(self, path: Path) -> None:
        """Open a store that exists.

        Raises:
            ConfigError: there is no such file, or it is not a store of this version.
            StoreError: it cannot be read.
        """
        if path.exists() and not path.is_file():
            raise ConfigError(f"{path}: this is not a file; a store is one")
        if not path.exists():
            raise ConfigError(f"{path}: there is no such file; a store is made by `pitboss run` or `pitboss match`")
        self.path = path
        self._lock: int | None = None
        with _opening(path):
            self._db = connected(path)
        weakref.finalize(self, self._db.close)  # for whoever only looks into a store, and drops it
        try:
            self.header = self._header()
        except PitbossError:
            self._db.close()
            raise

    @classmethod
    def for_run(cls, path: Path, header: Header) -> Store:
        """Open the store of a tournament, or make it.

        Raises:
            ConfigError: the file holds another tournament, is no store, or another run has it open.
            StoreError: it cannot be read or written.
        """
        if path.is_file() or not path.exists():
            _make_if_empty(path, header)
        store = cls(path)
        try:
            store._claim()
            store._adopt(header)
        except PitbossError:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Close the file."""
        self._db.close()
        if self._lock is not None:
            os.close(self._lock)  # not before: SQLite's own locks on the file would go with it
            self._lock = None

    def add(self, games: Iterable[tuple[GameResult, bytes, Sequence[Log]]]) -> None:
        """Write finished games (each with its record, packed, and the logs that are kept), and return when they are on the disk.

        A game that is there already stays as it is.
        """
        rows, logs = [], []
        for result, record, said in games:
            rows.append((result.game_id, msgspec.json.encode(result).decode(), record))
            logs += [(result.game_id, log.seat, log.errors, log.wire, result.game_id) for log in said]
        with self._trouble("written"), transaction(self._db):
            self._db.executemany(
                "insert or ignore into logs select ?, ?, ?, ? where not exists (select 1 from games where id = ?)", logs
            )
            self._db.executemany("insert or ignore into games values (?, ?, ?)", rows)

    def add_voids(self, voids: Iterable[VoidGame]) -> None:
        """Write down games that were broken off, and return when they are on the disk."""
        with self._trouble("written"), transaction(self._db):
            self._db.executemany("insert into voids values (?, ?, ?, ?)", [astuple(void) for void in voids])

    def count(self) -> int:
        """Return how many games are there."""
        with self._trouble("read"):
            [games] = self._db.execute("select count(*) from games").fetchone()
        return int(games)

    def ids(self) -> Iterator[int]:
        """Yield the numbers of all games, ascending."""
        with self._trouble("read"):
            for (number,) in self._db.execute("select id from games order by id"):
                yield number

    def results(self) -> Iterator[GameResult]:
        """Yield what each game counts, by number."""
        decode = msgspec.json.Decoder(GameResult).decode
        with self._trouble("read"):
            for (result,) in self._db.execute("select result from games order by id"):
                yield decode(result)

    def records(self) -> Iterator[tuple[int, Record]]:
        """Yield all games with their numbers."""
        with self._trouble("read"):
            for number, record in self._db.execute("select id, record from games order by id"):
                yield number, records.read(unpacked(record))

    def record(self, number: int) -> Record:
        """Return one game.

        Raises:
            ConfigError: there is no such game.
        """
        with self._trouble("read"):
            row = self._db.execute("select record from games where id = ?", (number,)).fetchone()
            if row is None:
                first, last = self._db.execute("select min(id), max(id) from games").fetchone()
                there = f"its games are numbered {first} to {last}" if first is not None else "it holds no game yet"
                raise ConfigError(f"{self.path}: there is no game {number}; {there}")
            return records.read(unpacked(row[0]))

    def logs(self, number: int) -> list[Said]:
        """Return what was kept of what was said in a game, by seat; nothing if no logs of it are kept."""
        with self._trouble("read"):
            rows = self._db.execute("select seat, errors, wire from logs where game = ? order by seat", (number,))
            return [_said(*row) for row in rows]

    def all_logs(self) -> Iterator[tuple[int, Said]]:
        """Yield all logs that are kept, with the numbers of their games."""
        with self._trouble("read"):
            for number, *row in self._db.execute("select game, seat, errors, wire from logs order by game, seat"):
                yield number, _said(*row)

    def voids(self) -> list[VoidGame]:
        """Return the games that were broken off, the earliest first."""
        with self._trouble("read"):
            return [VoidGame(*row) for row in self._db.execute("select game, at, cause, message from voids order by rowid")]

    def void_causes(self) -> Counter[str]:
        """Return how many games were broken off, by cause."""
        with self._trouble("read"):
            return Counter(dict(self._db.execute("select cause, count(*) from voids group by cause").fetchall()))

    def _header(self) -> Header:
        with self._trouble("read"):
            [version] = self._db.execute("pragma user_version").fetchone()
            if version != SCHEMA_VERSION:
                raise ConfigError(
                    f"{self.path}: not a store of this Pitboss (schema {version}; it reads schema {SCHEMA_VERSION})"
                )
            row = self._db.execute("select header from tournament").fetchone()
            if row is None:
                raise StoreError(f"{self.path}: cannot be read: it does not say what tournament it is of")
            return msgspec.json.decode(row[0], type=Header)

    def _claim(self) -> None:
        """Keep the store for this run alone, as long as it is open: two would play the same games twice."""
        self._lock = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConfigError(f"{self.path}: another run is playing this tournament; wait for its end, or stop it") from None
        except OSError:
            pass  # a file system without locks
        with self._trouble("written"):
            self._db.execute("pragma journal_mode = wal")  # others can read meanwhile

    def _adopt(self, header: Header) -> None:
        """Make sure that the store is of this tournament, and note what may have changed."""
        found = [change for change in differences(_by_bot(self.header), _by_bot(header)) if change.path not in _MAY_CHANGE]
        if found:
            raise ConfigError(
                f"{self.path}: this store is of another tournament ({told(found)}); choose another store, or remove the file"
            )
        if self.header != header:
            with self._trouble("written"), transaction(self._db):
                self._db.execute("update tournament set header = ?", (msgspec.json.encode(header).decode(),))
            self.header = header

    @contextmanager
    def _trouble(self, what: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, zlib.error, msgspec.MsgspecError) as wrong:
            raise StoreError(f"{self.path}: cannot be {what}: {why(wrong)}") from None


def _make_if_empty(path: Path, header: Header) -> None:
    """Make a store of a file that is not there or holds nothing: complete, or not at all."""
    with _opening(path), closing(connected(path, is_to_be_written=True)) as db, transaction(db):
        if db.execute("select 1 from sqlite_master").fetchone() is None:
            _fill(db, header)


def _fill(db: sqlite3.Connection, header: Header) -> None:
    for statement in _TABLES.strip().splitlines():
        db.execute(statement)
    db.execute("insert into tournament values (?)", (msgspec.json.encode(header).decode(),))
    db.execute(f"pragma user_version = {SCHEMA_VERSION}")


@contextmanager
def _opening(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as wrong:
        raise StoreError(f"{path}: cannot be opened as a store: {why(wrong)}") from None


def _said(seat: int, errors: bytes, wire: bytes) -> Said:
    return Said(seat, unpacked(errors), unpacked(wire))


def _by_bot(header: Header) -> dict[str, Any]:
    """Return a header as plain data, what belongs to a bot under its name."""
    plain: dict[str, Any] = msgspec.to_builtins(header)
    return {**plain, **{key: dict(zip(header.bots, plain[key], strict=True)) for key in ("commands", "limits")}}
