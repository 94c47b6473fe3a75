"""Games of a store that are removed or changed, which happens only if they are void, or judged by other rules."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from msgspec.structs import astuple

from pitboss_tournament.store import schema
from pitboss_tournament.store.record_packing import compute_checksum
from pitboss_tournament.store.rows import VoidGame
from pitboss_tournament.store.table_checksums import seal


def delete_games(db: sqlite3.Connection, voids: Sequence[VoidGame]) -> None:
    """Remove games, which are void, and the end of the tournament, if it is recorded. Must run in a transaction."""
    numbers = [(void.game_id,) for void in voids]
    for table, column in (("games", "id"), ("logs", "game"), ("luck", "game"), ("machines", "game")):
        if schema.has_table(db, table):
            db.executemany(f"delete from {table} where {column} = ?", numbers)
    db.executemany("insert into voids values (?, ?, ?, ?)", [astuple(void) for void in voids])
    db.execute("update run_ends set games = min(games, (select count(*) from games))")
    db.execute("delete from ends")
    if schema.has_table(db, "checkpoint"):
        db.execute("delete from checkpoint")
    seal(db, "voids", "run_ends", "ends", "luck")


def replace_record(db: sqlite3.Connection, number: int, record: bytes) -> None:
    """Write another record of a game, with its checksum. Must run in a transaction."""
    [result] = db.execute("select result from games where id = ?", (number,)).fetchone()
    logs = db.execute("select seat, errors, wire from logs where game = ? order by seat", (number,)).fetchall()
    checksum = compute_checksum(number, result, record, logs)
    db.execute("update games set record = ?, checksum = ? where id = ?", (record, checksum, number))
