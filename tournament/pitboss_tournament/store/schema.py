"""The schema: the tables of a store, and the migrations of stores that an older Pitboss made.

The version is SQLite's `user_version`. A store of an unknown version, newer or foreign, is never touched.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from pitboss.errors import ConfigError
from pitboss_tournament.store.database import StoreError, open_database, transaction, translate_errors
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.table_checksums import seal_all

Migrations: TypeAlias = Mapping[int, Sequence[str]]  # by version: the statements that lead to the next one

MIGRATIONS: Final[Migrations] = {
    2: (
        "create table runs (began text not null, played integer not null, total integer, pitboss text not null, "
        "python text not null, platform text not null) strict",
        "create table ends (at text not null, why text not null) strict",
    ),
    3: (
        "alter table games add column checksum blob",  # null: written by a Pitboss that made none
        "create table run_ends (at text not null, games integer not null) strict",
    ),
    4: (),  # thinking times are strings, records are in columns; what is there is still read
    5: ("create table checksums (name text primary key, checksum blob not null) strict",),
}
SEALED_FROM: Final = 5  # the version whose migration makes the checksums of tables
TABLES: Final = (
    "create table tournament (header text not null) strict",
    "create table games (id integer primary key, result text not null, record blob not null) strict",
    "create table logs (game integer not null, seat integer not null, errors blob not null, wire blob not null, "
    "primary key (game, seat)) strict",
    "create table voids (game integer not null, at text not null, cause text not null, message text not null) strict",
    *MIGRATIONS[2],
    *MIGRATIONS[3],
    *MIGRATIONS[5],
)

# Made when luck is first kept. It does not change the version: an earlier Pitboss reads such a store and ignores it.
LUCK_TABLE: Final = "create table if not exists luck (game integer primary key, seats text not null) strict"


# Standings that are kept until a game or the header changes, whoever changes them. Made when they are first kept; an
# earlier Pitboss reads such a store too, and carries it on.
KEPT_STANDINGS: Final = (
    "create table if not exists kept_standings (standings blob not null) strict",
    *(
        f"create trigger if not exists forget_standings_{number} after {event} begin delete from kept_standings; end"
        for number, event in enumerate(
            ("insert on games", "update on games", "delete on games", "update on tournament"), start=1
        )
    ),
)


def latest_version(migrations: Migrations) -> int:
    """Return the version after all migrations."""
    return max(migrations) + 1


def needs_migration(db: sqlite3.Connection, path: Path, migrations: Migrations = MIGRATIONS) -> bool:
    """Return whether a store has an older schema that must be changed before it can be read.

    Raises:
        ConfigError: it is no store, or its schema is unknown.
    """
    [version] = db.execute("pragma user_version").fetchone()
    wanted = latest_version(migrations)
    if version == wanted:
        return False
    if version in migrations:
        return any(migrations[number] for number in range(version, wanted))
    if version > wanted and has_table(db, "tournament"):
        raise ConfigError(
            f"{path}: made by a newer Pitboss (schema {version}; this one reads {min(migrations)} to {wanted})"
        )
    raise ConfigError(
        f"{path}: not a store of this Pitboss (schema {version}; it reads schema {min(migrations)} to {wanted})"
    )


def check_objects(db: sqlite3.Connection, path: Path) -> None:
    """Check that the tables of a store are tables that a Pitboss has made: a view in place of one may never end.

    Tables and indexes that others have added are not read, and may be there.

    Raises:
        StoreError: another object has the name of a table of a store, or there are views or triggers of others.
    """
    known = _known_objects()
    names = {name for _, name, _ in known}
    for kind, name, statement in db.execute("select type, name, sql from sqlite_master"):
        if (kind, name, statement) not in known and (name in names or kind in ("view", "trigger")):
            raise StoreError(f"{path}: cannot be read: no Pitboss has made its {kind} {name!r}")


@cache
def _known_objects() -> frozenset[tuple[str, str, str]]:
    """Return the objects of stores of each version: type, name and statement, as SQLite writes it."""
    added = {statement for statements in MIGRATIONS.values() for statement in statements}
    found = set()
    with closing(sqlite3.connect(":memory:")) as db:
        for statements in (
            [one for one in TABLES if one not in added],
            *MIGRATIONS.values(),
            (LUCK_TABLE, *KEPT_STANDINGS),
        ):
            for statement in statements:
                db.execute(statement)
            found |= set(db.execute("select type, name, sql from sqlite_master"))
    return frozenset(found)


def migrate(db: sqlite3.Connection, migrations: Migrations = MIGRATIONS) -> None:
    """Bring a store to the latest version. Must run in a transaction."""
    [version] = db.execute("pragma user_version").fetchone()
    for number in range(version, latest_version(migrations)):
        for statement in migrations[number]:
            db.execute(statement)
        db.execute(f"pragma user_version = {number + 1}")
        if number == SEALED_FROM:
            seal_all(db)


def migrate_file(path: Path) -> None:
    """Bring the file of a store to the latest version."""
    with translate_errors(path, "opened as a store"), closing(open_database(path)) as db:
        needs_migration(db, path)  # or it cannot be migrated
        check_objects(db, path)
        with transaction(db):
            migrate(db)


def create_if_empty(path: Path, header: Header) -> None:
    """Create the tables in a new or empty file, in one transaction."""
    with (
        translate_errors(path, "opened as a store"),
        closing(open_database(path, for_writing=True)) as db,
        transaction(db),
    ):
        if db.execute("select 1 from sqlite_master").fetchone() is None:
            for statement in TABLES:
                db.execute(statement)
            db.execute(f"pragma user_version = {latest_version(MIGRATIONS)}")
            db.execute("insert into tournament values (?)", (msgspec.json.encode(header).decode(),))
            seal_all(db)


def has_table(db: sqlite3.Connection, name: str) -> bool:
    """Return whether there is a table of this name."""
    return db.execute("select 1 from sqlite_master where name = ?", (name,)).fetchone() is not None
