"""The schema: the tables of a store, and the steps by which a store that an older Pitboss made becomes one of today's.

The version is SQLite's `user_version`. A store of an unknown version, newer or foreign, is never touched.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from pitboss.errors import ConfigError

Steps: TypeAlias = Mapping[int, Sequence[str]]  # what makes a store of this version one of the next

STEPS: Final[Steps] = {
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
    *STEPS[2],
)


def version_after(steps: Steps) -> int:
    """Return the version that the last of the steps leads to."""
    return max(steps) + 1


VERSION: Final = version_after(STEPS)


def create(db: sqlite3.Connection) -> None:
    """Make the tables."""
    for statement in TABLES:
        db.execute(statement)
    db.execute(f"pragma user_version = {VERSION}")


def needs_steps(db: sqlite3.Connection, path: Path, steps: Steps = STEPS) -> bool:
    """Tell whether a store is older than today's.

    Raises:
        ConfigError: it is no store, or one that this Pitboss knows nothing of.
    """
    [version] = db.execute("pragma user_version").fetchone()
    wanted = version_after(steps)
    if version == wanted:
        return False
    if version in steps:
        return True
    if version > wanted and _has_a_tournament(db):
        raise ConfigError(f"{path}: made by a newer Pitboss (schema {version}; this one reads {min(steps)} to {wanted})")
    raise ConfigError(f"{path}: not a store of this Pitboss (schema {version}; it reads schema {min(steps)} to {wanted})")


def take_steps(db: sqlite3.Connection, steps: Steps = STEPS) -> None:
    """Make an older store one of today's. The caller has begun a transaction, so that it is so or as it was."""
    [version] = db.execute("pragma user_version").fetchone()
    for number in range(version, version_after(steps)):
        for statement in steps[number]:
            db.execute(statement)
        db.execute(f"pragma user_version = {number + 1}")


def _has_a_tournament(db: sqlite3.Connection) -> bool:
    return db.execute("select 1 from sqlite_master where name = 'tournament'").fetchone() is not None
