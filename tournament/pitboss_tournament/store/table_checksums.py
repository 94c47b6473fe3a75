"""Checksums of the tables of a store beside `games`: whoever changes, adds or removes a row by hand leaves a trace.

The table `checksums` has one for each table that is sealed, of all its rows in order, recomputed with every change.
Its row `games` tells how many games had no checksum of their own when the store got this table. It is no signature: who
wants to deceive can make a checksum as well.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from typing import Final

import msgspec

SEALED: Final = ("tournament", "entries", "rosters", "dictionary", "voids", "runs", "run_ends", "ends", "luck")
SEALED_LATER: Final = ("run_levels", "draw_luck")  # once they are there
_UNCHECKED: Final = "games"


def seal_all(db: sqlite3.Connection) -> None:
    """Seal the tables that there are, and note the games without a checksum. Must run in a transaction."""
    [unchecked] = db.execute("select count(*) from games where checksum is null").fetchone()
    db.execute("insert or replace into checksums values (?, ?)", (_UNCHECKED, b"%d" % unchecked))
    seal(db, *SEALED)


def seal(db: sqlite3.Connection, *tables: str) -> None:
    """Recompute the checksums of tables after a change. Must run in a transaction."""
    rows = [(table, _checksum_table(db, table)) for table in tables]
    db.executemany("insert or replace into checksums values (?, ?)", rows)


def find_broken_seals(db: sqlite3.Connection) -> Iterator[str]:
    """Yield the names of the tables that are not what was written."""
    sealed = dict(db.execute("select name, checksum from checksums"))
    yield from (table for table in SEALED if sealed.get(table) != _checksum_table(db, table))
    empty = _checksum_table(db, "")
    yield from (table for table in SEALED_LATER if sealed.get(table, empty) != _checksum_table(db, table))
    if _UNCHECKED not in sealed:
        yield "checksums"


def count_lost_checksums(db: sqlite3.Connection) -> int:
    """Return how many games have lost the checksum that they were written with."""
    [now] = db.execute("select count(*) from games where checksum is null").fetchone()
    noted = db.execute("select checksum from checksums where name = ?", (_UNCHECKED,)).fetchone()
    return max(0, int(now) - (int(noted[0]) if noted and bytes(noted[0]).isdigit() else 0))


def _checksum_table(db: sqlite3.Connection, table: str) -> bytes:
    """Return the checksum of the rows of a table; that of no rows if there is no such table."""
    checksum = hashlib.blake2b(digest_size=16)
    if db.execute("select 1 from sqlite_master where type = 'table' and name = ?", (table,)).fetchone():
        for row in db.execute(f"select * from {table} order by rowid"):
            checksum.update(msgspec.json.encode(row) + b"\n")
    return checksum.digest()
