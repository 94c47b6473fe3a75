"""Stores that somebody has edited, or made to do harm: a sentence names the store and what is wrong with it."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.errors import PitbossError
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.processes.logs import LARGEST_TEXT
from pitboss_tournament.reporting.page import render_report
from pitboss_tournament.store.database import StoreError
from pitboss_tournament.store.store import Store
from tests.tournament.report_stores import write_tournament_store

ENDLESS = "with recursive n(i) as (select 0 union all select i + 1 from n) select i from n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a store with games."""
    return write_tournament_store(tmp_path, 3, 2, 4)


def run_sql(path: Path, *statements: str) -> None:
    """Change a store behind the back of Pitboss."""
    with closing(sqlite3.connect(path)) as db, db:
        for statement in statements:
            db.execute(statement)


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        (
            ("drop table games", f"create view games as {ENDLESS}"),
            "no Pitboss has made its view 'games'",
        ),
        (("drop table voids", f"create view voids as {ENDLESS}"), "its view 'voids'"),
        ((f"create view kept_standings as {ENDLESS}",), "its view 'kept_standings'"),
        ((f"create view mine as {ENDLESS}",), "its view 'mine'"),
        (
            ("drop table runs", "create table runs (x, began text as (hex(zeroblob(100000000))))"),
            "its table 'runs'",
        ),
        (
            (f"create trigger mine after insert on games begin insert into ends select 1, i from ({ENDLESS}); end",),
            "its trigger 'mine'",
        ),
        (("drop table games", "create virtual table games using fts5(result)"), "its table 'games'"),
    ],
)  # fmt: skip
def test_what_no_pitboss_has_made(path: Path, statements: tuple[str, ...], said: str) -> None:
    """A view or a table of another shape may never come to its end, so nothing of it is read."""
    run_sql(path, *statements)

    with pytest.raises(StoreError, match=said):
        Store(path)


def test_tables_of_others(path: Path) -> None:
    """A table or an index that somebody has added is not read, and may be there."""
    run_sql(path, "create table mine (x)", "create index by_result on games (result)")

    with closing(Store(path)) as store:
        assert store.count_games() == 8


def change_header(change: Callable[[dict[str, Any]], object]) -> Callable[[sqlite3.Connection], None]:
    """Return what changes the header."""

    def apply(db: sqlite3.Connection) -> None:
        header = msgspec.json.decode(db.execute("select header from tournament").fetchone()[0])
        change(header)
        db.execute("update tournament set header = ?", (msgspec.json.encode(header).decode(),))

    return apply


def change_by(statement: str) -> Callable[[sqlite3.Connection], object]:
    """Return what changes rows by a statement."""
    return lambda db: db.execute(statement)


def change_result(change: Callable[[list[Any]], object]) -> Callable[[sqlite3.Connection], None]:
    """Return what changes the result of game 1."""

    def apply(db: sqlite3.Connection) -> None:
        result = msgspec.json.decode(db.execute("select result from games where id = 1").fetchone()[0])
        change(result)
        db.execute("update games set result = ? where id = 1", (msgspec.json.encode(result).decode(),))

    return apply


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (change_header(lambda header: header.update(seats=30_000_000)), "it has 30000000 seats and 3 bots"),
        (change_header(lambda header: header.update(seats=0)), "it has 0 seats and 3 bots"),
        (change_by("update entries set name = 'a'"), "two of its bots have one name"),
        (change_by("update entries set command = '{}'"), "cannot be read: Expected `array`"),
        (change_by("delete from entries"), "it has 2 seats and 0 bots"),
        (change_by("delete from rosters"), "its rosters do not follow one another"),
        (change_by("update rosters set entries = '[0, 7]'"), "the roster of round 1 is not one of 3 bots"),
        (change_by("update rosters set deals = 0"), "the roster of round 1 has 0 deals"),
        (change_by("delete from dictionary"), "the table `dictionary` is empty"),
        (change_header(lambda header: header.update(sides=[[0], [7]])), "its sides are not those of 2 seats"),
        (change_header(lambda header: header.update(block_games=1)), "it has blocks of 1 games, and"),
        (change_header(lambda header: header.update(anchor="x")), "anchor is 'x'"),
        (change_result(lambda result: result[4][0].__setitem__(0, 99)), "game 1 cannot be read: its result is"),
        (change_result(lambda result: result[4].clear()), "its result is of another"),
        (change_result(lambda result: result[4].append(result[4][0])), "its result is of another"),
        (change_result(lambda result: result[4][0].__setitem__(2, 9)), "its result is of another"),
        (change_result(lambda result: result.__setitem__(0, 7)), "its result is of another"),
        (change_result(lambda result: result[4][0].__setitem__(1, 1e300)), "game 1 cannot be read: Expected `float`"),
        (change_result(lambda result: result[4][0].__setitem__(6, -1)), "game 1 cannot be read: Expected `int` >= 0"),
    ],
)  # fmt: skip
def test_contradictions(path: Path, change: Callable[[sqlite3.Connection], object], said: str) -> None:
    """Standings and report of a store that contradicts itself are an error, a sentence."""
    with closing(sqlite3.connect(path)) as db, db:
        change(db)

    for show in (StoredFindings, render_report):
        with pytest.raises(PitbossError, match=said):
            show(Store(path))


def test_a_record_without_end(path: Path) -> None:
    """A record that unpacks to more than any game has is refused before it has taken that memory."""
    packing = zlib.compressobj()
    bomb = b"".join(packing.compress(bytes(1 << 20)) for _ in range(2 * LARGEST_TEXT >> 20)) + packing.flush()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("update games set record = ? where id = 3", (bomb,))
        db.execute("insert into logs values (4, 0, ?, x'')", (bomb,))

    store = Store(path)
    for read in (
        lambda: store.record(3),
        lambda: list(store.records()),
        lambda: list(store.seeds()),
    ):
        with pytest.raises(StoreError, match=f"{path.name}: game 3 cannot be read: it unpacks to more than 16 MiB"):
            read()
    with pytest.raises(StoreError, match="game 4 cannot be read: it unpacks to more than 16 MiB"):
        store.logs(4)
    store.close()


def test_rows_without_end(path: Path) -> None:
    """The reading of a foreign store with very many rows ends after a bounded time of computing, with an error."""
    numbers = "with recursive n(i) as (select 0 union all select i + 1 from n limit 100000) select i from n"
    run_sql(path, f"insert into voids select i, '', i, '' from ({numbers})")

    with closing(Store(path, cpu_s=0.0)) as store, pytest.raises(StoreError, match="cannot be read: it takes too long"):
        store.void_causes()


def test_a_text_that_is_too_long(path: Path) -> None:
    """A value that would fill the memory is refused."""
    run_sql(path, "update games set record = zeroblob(100000000) where id = 3")
    with closing(Store(path)) as store, pytest.raises(StoreError, match="cannot be read: string or blob too big"):
        store.record(3)
