"""The file of a league's book: its tables are made, rows are read and written, and the audit trail grows.

An earlier Pitboss kept some facts in the audit trail alone: from words of the trail it knew which submissions have been
valid, which owners uploaded, and which finals have begun and were held. They are taken into tables. A league may be run
by an earlier Pitboss again after that: `league_changes` has the numbers of the lines whose facts are in the tables, so
whatever else the trail has is new. The words here are those of that time; they do not follow the words that are written
today.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, Final

import msgspec

from pitboss_tournament.league.finals_rules import FinalsRules
from pitboss_tournament.league.submission import AuditEntry
from pitboss_tournament.store.database import number_file, open_database, transaction, translate_errors
from pitboss_tournament.store.rows import utc_now
from pitboss_tournament.store.schema import LEAGUE_TABLES, add_audit_line, check_objects, has_table

# of each step of the tables, one
LATEST_TABLES: Final = (
    "league_barred",
    "league_history",
    "league_changes",
    "league_people",
    "league_names",
    "league_copies",
    "league_held_names",
    "league_told",
    "league_snapshots",
    "league_graded_members",
)

_UPLOAD: Final = "upload begun"
_UPLOAD_ENDS: Final = ("submitted", "sent again", "upload refused")  # of a Pitboss that did not write `_UPLOAD` yet
_SUBMISSION: Final = re.compile(r"submission (\d+) \(")
_FINALS: Final = re.compile(
    r"(.*?): the best (\d+) of those with ([\d,]+) games? or more(, one of an owner)?: ", re.DOTALL
)
_NEW_LINES: Final = (
    "select number, at, who, what, about from league_audit where number not in (select number from league_changes) "
    "order by number"
)


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

    def note_copy(self, path: Path) -> None:
        """Keep that the league is copied into a folder."""
        with self._writing():
            self._db.execute("insert or replace into league_copies values (?, ?)", (str(path), utc_now()))

    def copies(self) -> list[str]:
        """Return the folders into which the league was copied."""
        return [str(row["path"]) for row in self._select("select path from league_copies order by path")]

    def _note(self, who: str, what: str, about: str) -> int:
        return add_audit_line(self._db, who, what, about)

    def _select(self, statement: str, *values: object) -> list[dict[str, Any]]:
        with self._lock, translate_errors(self.path, "read"), closing(self._db.execute(statement, values)) as cursor:
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor]

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Write all of this block or nothing; an inner block is part of the outer one."""
        with self._lock, translate_errors(self.path, "written"):
            if self._db.in_transaction:
                yield
                return
            with transaction(self._db):
                yield


def migrate_audit_lines(db: sqlite3.Connection) -> None:
    """Take the facts of lines that an earlier Pitboss has written into the tables of a league."""
    if db.execute(f"{_NEW_LINES} limit 1").fetchone() is None:
        return
    with transaction(db):
        lines = [AuditEntry(*row) for row in db.execute(_NEW_LINES)]
        _add_uploads(db, lines)
        for line in lines:
            if line.what == "placing":
                _add_valid(db, line)
            elif line.what == "finals begun":
                _begin_finals(db, line)
            elif line.what == "finals held":
                _end_finals(db, line)
        db.executemany("insert into league_changes values (?)", [(line.number,) for line in lines])


def _add_uploads(db: sqlite3.Connection, lines: Sequence[AuditEntry]) -> None:
    """Add uploads: the lines of their begin, and before the first of these, the lines of their ends."""
    first = next((line.number for line in lines if line.what == _UPLOAD), None)
    rows = [
        (line.number, line.who, line.at)
        for line in lines
        if line.what == _UPLOAD or (line.what in _UPLOAD_ENDS and (first is None or line.number < first))
    ]
    db.executemany("insert into league_uploads values (?, ?, ?)", rows)


def _add_valid(db: sqlite3.Connection, line: AuditEntry) -> None:
    """Add a submission that became valid: "submission 7 (fox@1 of ann)"."""
    if found := _SUBMISSION.match(line.about):
        db.execute("insert or ignore into league_valid values (?, ?)", (int(found[1]), line.at))


def _begin_finals(db: sqlite3.Connection, line: AuditEntry) -> None:
    """Add finals: "f.pitboss: the best 8 of those with 100 games or more, one of an owner: fox@1 of ann (…), …"."""
    if found := _FINALS.match(line.about):
        store, top, games, is_one = found.groups()
        rules = FinalsRules(int(top), int(games.replace(",", "")), one_per_owner=is_one is not None)
        row = (line.number, store, msgspec.json.encode(rules).decode(), line.at)
        db.execute("insert into league_finals values (?, ?, ?, ?, null)", row)


def _end_finals(db: sqlite3.Connection, line: AuditEntry) -> None:
    """Keep that the last finals in a store were held: "f.pitboss: 400 games: 1. fox (…), …"."""
    stores = db.execute("select number, store from league_finals order by number desc").fetchall()
    number = next((number for number, store in stores if line.about.startswith(f"{store}: ")), None)
    db.execute("update league_finals set held = ? where number = ? and held is null", (line.at, number))
