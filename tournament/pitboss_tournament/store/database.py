"""SQLite as the store uses it: a file that can be read while it is written, in an archive, and on a full disk."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


def open_database(path: Path, for_writing: bool = False) -> sqlite3.Connection:
    """Open a file, or make it.

    Raises:
        sqlite3.Error: it cannot be opened.
    """
    where = path.resolve().as_uri()
    alone = f"{where}?immutable=1"  # SQLite puts no files of its own beside it
    if for_writing or _has_unmerged_rows(path):
        return _open_uri(where)
    if not os.access(path.parent, os.W_OK):
        return _open_uri(alone)  # an archive
    try:
        return _open_uri(where)
    except sqlite3.Error:
        return _open_uri(alone)  # a full disk


def copy_database(db: sqlite3.Connection) -> sqlite3.Connection:
    """Return a copy of a database that is nobody else's; it is gone when it is closed."""
    copy = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    with closing(db):
        db.backup(copy)
    return copy


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Write all that is written in this block, or nothing of it."""
    db.execute("begin immediate")
    try:
        yield
        db.execute("commit")
    except BaseException:
        if db.in_transaction:  # SQLite has rolled back by itself if the disk is full
            db.execute("rollback")
        raise


def describe_error(error: Exception) -> str:
    """Say what SQLite, or whoever read its rows, has to complain of."""
    name = getattr(error, "sqlite_errorname", "")
    return f"{error} (is the disk full?)" if name.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN")) else str(error)


def _open_uri(where: str) -> sqlite3.Connection:
    db = sqlite3.connect(where, uri=True, isolation_level=None, check_same_thread=False, timeout=10)
    try:
        db.execute("pragma synchronous = full")
    except sqlite3.Error:
        db.close()
        raise
    return db


def _has_unmerged_rows(path: Path) -> bool:
    """Tell whether a run is on its way, or was killed: its last rows are in a file beside the store."""
    real = path.resolve()
    beside = real.with_name(f"{real.name}-wal")
    return beside.exists() and beside.stat().st_size > 0
