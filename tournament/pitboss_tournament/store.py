"""The store: one SQLite file a tournament, one durable row a finished game.

`games.result` is what the game counts (a `GameResult` as JSON), `games.record` the whole record, compressed. Rows are written in batches and are on the disk when
`add` returns. The tournament's plan is kept beside them, so that a resumed run is the same tournament.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import weakref
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from pitboss import record as records
from pitboss.errors import ConfigError, PitbossError
from pitboss.record import Record
from pitboss.wire import Clock
from pitboss_tournament.plan import Plan
from pitboss_tournament.scoring import GameResult

SCHEMA_VERSION: Final = 1
_TABLES: Final = """
create table tournament (header text not null) strict;
create table games (id integer primary key, result text not null, record blob not null) strict;
"""
_MAY_CHANGE: Final = ("deals", "fault_limit", "pitboss_version")  # a resumed run may be longer, or more patient


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
    fault_limit: int


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
        fault_limit=plan.fault_limit,
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
        self._db = _connected(path)
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

    def add(self, games: Iterable[tuple[GameResult, Record]]) -> None:
        """Write finished games, and return when they are on the disk. A game that is there already stays as it is."""
        rows = [
            (result.game_id, msgspec.json.encode(result).decode(), zlib.compress(records.written(record), 3))
            for result, record in games
        ]
        with self._trouble("written"), _transaction(self._db):
            self._db.executemany("insert or ignore into games values (?, ?, ?)", rows)

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
            for number, packed in self._db.execute("select id, record from games order by id"):
                yield number, records.read(zlib.decompress(packed))

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
            return records.read(zlib.decompress(row[0]))

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
        old, new = msgspec.to_builtins(self.header), msgspec.to_builtins(header)
        changed = [key for key in new if old[key] != new[key] and key not in _MAY_CHANGE]
        if changed:
            differences = "; ".join(f"{key} was {_short(old[key])}, is {_short(new[key])}" for key in changed)
            raise ConfigError(
                f"{self.path}: this store is of another tournament ({differences}); choose another store, or remove the file"
            )
        if old != new:
            with self._trouble("written"), _transaction(self._db):
                self._db.execute("update tournament set header = ?", (msgspec.json.encode(header).decode(),))
            self.header = header

    @contextmanager
    def _trouble(self, what: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, zlib.error, msgspec.MsgspecError) as wrong:
            raise StoreError(f"{self.path}: cannot be {what}: {wrong}") from None


def _make_if_empty(path: Path, header: Header) -> None:
    """Make a store of a file that is not there or holds nothing: complete, or not at all."""
    with closing(_connected(path)) as db:
        try:
            with _transaction(db):
                if db.execute("select 1 from sqlite_master").fetchone() is None:
                    _fill(db, header)
        except sqlite3.Error as wrong:
            raise StoreError(f"{path}: cannot be opened as a store: {wrong}") from None


def _fill(db: sqlite3.Connection, header: Header) -> None:
    for statement in _TABLES.strip().splitlines():
        db.execute(statement)
    db.execute("insert into tournament values (?)", (msgspec.json.encode(header).decode(),))
    db.execute(f"pragma user_version = {SCHEMA_VERSION}")


def _connected(path: Path) -> sqlite3.Connection:
    where = path.resolve().as_uri()
    if not os.access(path.parent, os.W_OK) and not path.with_name(f"{path.name}-wal").exists():
        where += "?immutable=1"  # an archive: SQLite cannot put its files beside it, and need not
    try:
        db = sqlite3.connect(where, uri=True, isolation_level=None, check_same_thread=False, timeout=10)
    except sqlite3.Error as wrong:
        raise StoreError(f"{path}: cannot be opened as a store: {wrong}") from None
    try:
        db.execute("pragma synchronous = full")
    except sqlite3.Error as wrong:
        db.close()
        raise StoreError(f"{path}: cannot be opened as a store: {wrong}") from None
    return db


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("begin immediate")
    try:
        yield
    except BaseException:
        db.execute("rollback")
        raise
    db.execute("commit")


def _short(value: object, most: int = 60) -> str:
    text = repr(value)
    return text if len(text) <= most else text[: most - 1] + "…"
