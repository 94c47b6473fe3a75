"""SQLite as the store uses it: a file that can be read while it is written, in an archive, and on a full disk."""

from __future__ import annotations

import os
import secrets
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Lock
from time import thread_time
from typing import Final
from weakref import WeakKeyDictionary

import msgspec

from pitboss.errors import ConfigError, PitbossError, RecordError
from pitboss.text import format_count, truncate_text

LARGEST_VALUE: Final = 64 << 20  # bytes of one value
MAX_NAME_BYTES: Final = 255 - len("-journal")  # SQLite's longest ending
SHOWN_NAME: Final = 80  # characters of one that is too long
LOG_ENDING: Final = "-wal"  # of the name of SQLite's write-ahead log, behind that of the file
OPERATIONS_BETWEEN_LOOKS: Final = 100_000  # of SQLite's machine, at the clock: some milliseconds

_NUMBER: Final = slice(68, 72)  # the place of a file's number in its first page
_LOG_HEAD_BYTES: Final = 32
_FRAME_HEAD_BYTES: Final = 24  # in front of each page in a log


class StoreError(PitbossError):
    """A store cannot be read or written."""


class DiskFull(StoreError):
    """A store cannot be written, or not be opened, because there is no room on its disk, as far as one can tell."""


@contextmanager
def translate_errors(path: Path, action: str, game: int | None = None) -> Iterator[None]:
    """Raise `StoreError` for errors of SQLite or of stored rows, or `DiskFull`: file or game cannot be `action`."""
    try:
        yield
    except (sqlite3.Error, zlib.error, msgspec.MsgspecError, UnicodeDecodeError, RecursionError, RecordError) as error:
        kind = DiskFull if _may_lack_room(error) else StoreError
        what = "" if game is None else f"game {game} "
        raise kind(f"{path}: {what}cannot be {action}: {describe_error(error)}") from None


def require_file(path: Path) -> None:
    """Check that there is a file.

    Raises:
        ConfigError: there is none.
    """
    if path.exists() and not path.is_file():
        raise ConfigError(f"{path}: this is not a file; a store is one")
    if not path.exists():
        raise ConfigError(f"{path}: there is no such file; a store is made by `pitboss run` or `pitboss match`")
    if path.suffix == ".toml":
        store = path.with_suffix(".pitboss")
        raise ConfigError(f"{path}: this is a tournament file; its games are in a store, by default {store}")


def check_name_length(path: Path) -> None:
    """Check that SQLite can put its files beside a store.

    Raises:
        ConfigError: their names would be longer than a file's may be.
    """
    if (length := len(os.fsencode(path.name))) > MAX_NAME_BYTES:
        shown = truncate_text(path.name, SHOWN_NAME)
        raise ConfigError(f"{shown}: the name of a store has {MAX_NAME_BYTES} bytes at most, and this one {length}")


def open_database(path: Path, for_writing: bool = False) -> sqlite3.Connection:
    """Open an SQLite file, creating it if `for_writing`.

    A file in a read-only folder or on a full disk is opened as immutable: SQLite then puts no files beside it.

    Raises:
        sqlite3.Error: it cannot be opened.
        StoreError: what lies beside it is the write-ahead log of another file.
    """
    with _find_lock(path):
        if (has_rows := _has_unmerged_rows(path)) and not _is_open_here(path):
            _check_log(path)
        return _open_file(path, for_writing or has_rows)


def number_file(db: sqlite3.Connection) -> None:
    """Give a new file a number of its own, by which its write-ahead log is known; to be done before it has a log."""
    db.execute(f"pragma application_id = {1 + secrets.randbelow(2**31 - 1)}")


def copy_database(db: sqlite3.Connection) -> sqlite3.Connection:
    """Return a private copy of a database; it disappears when it is closed."""
    copy = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    try:
        with closing(db):
            db.backup(copy)
    except BaseException:
        copy.close()
        raise
    return copy


def limit_reading(db: sqlite3.Connection, seconds: float) -> None:
    """Break off what is read in this thread after so much computing: a damaged file may have rows without end."""
    end = thread_time() + seconds
    db.set_progress_handler(lambda: thread_time() > end, OPERATIONS_BETWEEN_LOOKS)


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Write everything in this block, or nothing."""
    db.execute("begin immediate")
    try:
        yield
        db.execute("commit")
    except BaseException:
        if db.in_transaction:  # SQLite has rolled back by itself if the disk is full
            db.execute("rollback")
        raise


@contextmanager
def write_durably(db: sqlite3.Connection, path: Path, count_games: Callable[[], int]) -> Iterator[None]:
    """Write everything in this block, or nothing.

    Raises:
        StoreError: it cannot be written.
        DiskFull: the disk is full; the message names the games that are safe, and what to do.
    """
    try:
        with translate_errors(path, "written"), transaction(db):
            yield
    except DiskFull as error:
        kept = format_count(count_games(), "game")
        raise DiskFull(f"{error}; {kept} in it are safe: make room, and repeat the command") from None


def describe_error(error: Exception) -> str:
    """Return the text of an SQLite or decoding error, with a hint if the disk may be full."""
    if getattr(error, "sqlite_errorname", "") == "SQLITE_INTERRUPT":
        return "it takes too long"
    is_sure = getattr(error, "sqlite_errorname", "") == "SQLITE_FULL"
    return f"{error} (is the disk full?)" if _may_lack_room(error) and not is_sure else str(error)


def _may_lack_room(error: Exception) -> bool:
    return getattr(error, "sqlite_errorname", "").startswith(("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN"))


class _KnownConnection(sqlite3.Connection):
    """A connection that is known while it is open."""

    def close(self) -> None:
        """Close it."""
        super().close()
        _open_files.pop(self, None)


_opening: Final = defaultdict[tuple[int, int], Lock](Lock)  # by device and inode: opening a file may take for ever
_open_files: Final = WeakKeyDictionary[_KnownConnection, tuple[int, int]]()  # device and inode of their files


def _open_file(path: Path, must_lock: bool) -> sqlite3.Connection:
    where = path.resolve().as_uri()
    immutable = f"{where}?immutable=1"
    if must_lock:
        return _open_uri(where, path)
    if not os.access(path.parent, os.W_OK):
        return _open_uri(immutable, path)  # an archive
    try:
        return _open_uri(where, path)
    except sqlite3.Error:
        return _open_uri(immutable, path)  # a full disk


def _open_uri(where: str, path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(
        where, uri=True, isolation_level=None, check_same_thread=False, timeout=10, factory=_KnownConnection
    )
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
    try:
        db.execute("pragma synchronous = full")
        _open_files[db] = _identify(path)
    except BaseException:  # not only of SQLite: a damaged name in its message cannot be decoded
        db.close()
        raise
    return db


def _find_lock(path: Path) -> AbstractContextManager[object]:
    """Return what one thread at a time holds that opens a file; of a file that is not there yet, nothing."""
    return _opening[_identify(path)] if path.exists() else nullcontext()


def _identify(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino


def _is_open_here(path: Path) -> bool:
    """Whether this process has a file open as a database: then it may not be opened and closed as a plain file.

    The system drops all locks of a process on a file, SQLite's too, when the process closes any descriptor of the file;
    a program that closes its connection next takes itself for the last one, and removes the log under the others.
    """
    return _identify(path) in list(_open_files.values())


def _has_unmerged_rows(path: Path) -> bool:
    """Return whether a write-ahead log with rows lies beside the store: a run is active, or was killed."""
    beside = _find_log(path)
    return beside.exists() and beside.stat().st_size > 0


def _find_log(path: Path) -> Path:
    real = path.resolve()
    return real.with_name(f"{real.name}{LOG_ENDING}")


def _check_log(path: Path) -> None:
    """Check that the write-ahead log beside a file is its own, by its number: SQLite would take any for it.

    The log of a file that lay there before stays as long as a program has that open.

    Raises:
        StoreError: it is that of another file.
    """
    log = _find_log(path)
    with suppress(OSError):  # it has just been merged
        ours, theirs = _read_number(path), _read_logged_number(log)
        if theirs not in (None, ours):
            raise StoreError(
                f"{path}: it has taken the place of another store, whose last rows are in {log.name}: end the programs "
                f"that have that open (`pitboss serve`, a run), then remove {log.name} and {path.name}-shm"
            )


def _read_number(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_NUMBER.stop)[_NUMBER]


def _read_logged_number(log: Path) -> bytes | None:
    """Return the number of its file that a log has: in the first copy of page 1. None if it has no such page.

    The format is described at https://www.sqlite.org/fileformat2.html#the_write_ahead_log.
    """
    with log.open("rb") as file:
        head = file.read(_LOG_HEAD_BYTES)
        page_bytes, salts = int.from_bytes(head[8:12]), head[16:24]
        while len(frame := file.read(_FRAME_HEAD_BYTES)) == _FRAME_HEAD_BYTES and frame[8:16] == salts:
            if int.from_bytes(frame[:4]) == 1:
                return file.read(_NUMBER.stop)[_NUMBER]
            file.seek(page_bytes, os.SEEK_CUR)
    return None
