"""The schema: the tables of a store, and the steps by which a store that an older Pitboss made becomes one of today's.

The version is SQLite's `user_version`. A store of an unknown version, newer or foreign, is never touched.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from pitboss.errors import ConfigError

Migrations: TypeAlias = Mapping[int, Sequence[str]]  # what makes a store of this version one of the next

MIGRATIONS: Final[Migrations] = {
    2: (
        "create table runs (began text not null, played integer not null, total integer, pitboss text not null, python text not null, platform text not null) strict",
        "create table ends (at text not null, why text not null) strict",
    ),
}
TABLES: Final = (
    "create table tournament (header text not null) strict",
    "create table games (id integer primary key, result text not null, record blob not null) strict",
    "create table logs (game integer not null, seat integer not null, errors blob not null, wire blob not null, primary key (game, seat)) strict",
    "create table voids (game integer not null, at text not null, cause text not null, message text not null) strict",
    *MIGRATIONS[2],
)


def latest_version(migrations: Migrations) -> int:
    """Return the version that the last of the steps leads to."""
    return max(migrations) + 1


VERSION: Final = latest_version(MIGRATIONS)


def create_tables(db: sqlite3.Connection) -> None:
    """Make the tables."""
    for statement in TABLES:
        db.execute(statement)
    db.execute(f"pragma user_version = {VERSION}")


def needs_migration(db: sqlite3.Connection, path: Path, migrations: Migrations = MIGRATIONS) -> bool:
    """Tell whether a store is older than today's.

    Raises:
        ConfigError: it is no store, or one that this Pitboss knows nothing of.
    """
    [version] = db.execute("pragma user_version").fetchone()
    wanted = latest_version(migrations)
    if version == wanted:
        return False
    if version in migrations:
        return True
    if version > wanted and _has_tournament(db):
        raise ConfigError(
            f"{path}: made by a newer Pitboss (schema {version}; this one reads {min(migrations)} to {wanted})"
        )
    raise ConfigError(
        f"{path}: not a store of this Pitboss (schema {version}; it reads schema {min(migrations)} to {wanted})"
    )


def migrate(db: sqlite3.Connection, migrations: Migrations = MIGRATIONS) -> None:
    """Make an older store one of today's. The caller has begun a transaction, so that it is so or as it was."""
    [version] = db.execute("pragma user_version").fetchone()
    for number in range(version, latest_version(migrations)):
        for statement in migrations[number]:
            db.execute(statement)
        db.execute(f"pragma user_version = {number + 1}")


def _has_tournament(db: sqlite3.Connection) -> bool:
    return db.execute("select 1 from sqlite_master where name = 'tournament'").fetchone() is not None
