"""The file of a store, open: what is read and written in it raises the errors of a store."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from pitboss.errors import PitbossError
from pitboss_tournament.store import schema
from pitboss_tournament.store.database import (
    LOG_ENDING,
    StoreError,
    copy_database,
    limit_reading,
    open_database,
    require_file,
    transaction,
    translate_errors,
    write_durably,
)


class StoreFile:
    """A file of the latest schema; one of an earlier schema that is only read is migrated in a copy, in memory."""

    def __init__(self, path: Path, cpu_s: float | None = None) -> None:
        """Open a file that exists; reading takes at most `cpu_s` seconds of computing, if that is given.

        Raises:
            ConfigError: there is no such file, or it is not a store of this version.
            StoreError: it cannot be read.
        """
        require_file(path)
        self.path = path
        self.lock: int | None = None  # of whoever writes: a descriptor of the file
        self._is_copy = False  # in memory, of a file of an earlier schema
        self._least_bytes: dict[str, int] = {}  # of the file and its log, whose sizes never fall while it is locked
        with translate_errors(path, "opened as a store"):
            self.db = open_database(path)
        weakref.finalize(self, self.db.close)  # for whoever only looks into a store, and drops it
        try:
            if cpu_s is not None:
                limit_reading(self.db, cpu_s)
            self._check_schema()
        except PitbossError:
            self.db.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self.db.close()
        if self.lock is not None:
            os.close(self.lock)  # not before: SQLite's own locks on the file would go with it
            self.lock = None

    def has_table(self, name: str) -> bool:
        """Return whether there is a table of this name: some are made when they are first needed."""
        with self.reading():
            return schema.has_table(self.db, name)

    def select(self, statement: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield rows as they are read. A cursor that stays open is in the way of who writes."""
        with self.reading():
            for row in self.db.execute(statement, values):  # noqa: UP028 - it would close the cursor, too late
                yield row

    def reading(self, game: int | None = None) -> AbstractContextManager[None]:
        """Return a block in which an error of SQLite, or of a row, says that the file, or a game, cannot be read."""
        return translate_errors(self.path, "read", game)

    def writing(self) -> AbstractContextManager[None]:
        """Return a block in which everything is written, or nothing; durable after it.

        Raises:
            StoreError: it cannot be written.
        """
        if self._is_copy:
            raise StoreError(
                f"{self.path}: cannot be written: an earlier Pitboss has written it; the next run of its tournament "
                "brings it up to date"
            )
        return write_durably(self.db, self.path, self.count_games)

    def count_games(self) -> int:
        """Return the number of games."""
        [(games,)] = self.select("select count(*) from games")
        return int(games)

    def check_place(self) -> None:
        """Check that the file of a run is still where it was, and whole: what is written into a deleted one is lost.

        Raises:
            StoreError: the file has been deleted, moved or replaced; or it, or its write-ahead log, was cut short.
        """
        if self.lock is None:
            return
        try:
            is_there = os.path.samestat(self.path.stat(), os.fstat(self.lock))
        except OSError:
            is_there = False
        if not is_there:
            raise StoreError(
                f"{self.path}: the store was deleted, moved or replaced during the run; the games of this run are not "
                "in a file of this name"
            )
        real = self.path.resolve()
        for ending in ("", LOG_ENDING):
            file = real.with_name(f"{real.name}{ending}")
            least = self._least_bytes.get(ending, 0)
            size = self._least_bytes[ending] = file.stat().st_size if file.exists() else 0
            if size < least:
                raise StoreError(
                    f"{file}: another program has cut it from {least:,} to {size:,} bytes during the run; games of the "
                    f"store are lost, `pitboss integrity {self.path.name}` tells which are left"
                )

    def _check_schema(self) -> None:
        with self.reading():
            must_change = schema.needs_migration(self.db, self.path)
            schema.check_objects(self.db, self.path)
            if must_change:
                self.db, self._is_copy = copy_database(self.db), True  # a reader changes nothing in the file
                weakref.finalize(self, self.db.close)
                with transaction(self.db):
                    schema.migrate(self.db)
                self.db.execute("pragma query_only = on")
