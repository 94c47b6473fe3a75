"""The file of a league's book: its tables are made, rows are read and written, and the audit trail grows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, Final

import msgspec

from pitboss_tournament.league.audit_migration import migrate_audit_lines
from pitboss_tournament.league.submission import AuditEntry
from pitboss_tournament.store.database import number_file, open_database, transaction, translate_errors
from pitboss_tournament.store.schema import LEAGUE_TABLES, add_audit_line, check_objects, has_table

LATEST_TABLES: Final = ("league_barred", "league_history", "league_changes")  # of each step of the tables, one


class BookFile:
    """An open file that has the tables of a league. Threads may share it."""

    def __init__(self, path: Path) -> None:
        """Open it, and make its tables where they are missing.

        Raises:
            StoreError: it cannot be opened.
        """
        self.path = path
        self._lock = RLock()
        with translate_errors(path, "opened as the store of a league"):
            self._db = open_database(path, for_writing=True)
            try:
                check_objects(self._db, path)
                if self._db.execute("select 1 from sqlite_master").fetchone() is None:
                    number_file(self._db)
                self._db.execute("pragma journal_mode = wal")  # others can read meanwhile
                if not all(has_table(self._db, table) for table in LATEST_TABLES):
                    with transaction(self._db):
                        for statement in LEAGUE_TABLES:
                            self._db.execute(statement)
                migrate_audit_lines(self._db)
            except BaseException:
                self._db.close()
                raise

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def change_count(self) -> int:
        """Return a number that grows when any process changes a token or a state.

        It takes microseconds, and the games of the store do not change it.
        """
        [row] = self._select("select coalesce(max(number), 0) as count from league_changes")
        return int(row["count"])

    def note(self, who: str, what: str, about: str) -> None:
        """Add a line to the audit trail."""
        with self._writing():
            self._note(who, what, about)

    def audit(self, last: int | None = None) -> list[AuditEntry]:
        """Return the audit trail, the oldest entry first; only the `last` ones if that is given."""
        rows = self._select("select * from league_audit order by number desc limit ?", -1 if last is None else last)
        return [msgspec.convert(row, AuditEntry) for row in reversed(rows)]

    def _note(self, who: str, what: str, about: str) -> int:
        return add_audit_line(self._db, who, what, about)

    def _select(self, statement: str, *values: object) -> list[dict[str, Any]]:
        with self._lock, translate_errors(self.path, "read"), closing(self._db.execute(statement, values)) as cursor:
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor]

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Write all of this block or nothing of it; a block within a block is part of it."""
        with self._lock, translate_errors(self.path, "written"):
            if self._db.in_transaction:
                yield
                return
            with transaction(self._db):
                yield
