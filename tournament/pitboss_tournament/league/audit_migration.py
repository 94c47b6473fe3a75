"""Facts that an earlier Pitboss kept in the audit trail of a league only: they are taken into tables.

It knew from words of the trail which submissions have been valid, who has uploaded, and which finals have begun and
were held. A league may be run by an earlier Pitboss again after that: `league_changes` has the numbers of the lines
whose facts are in the tables, so whatever else the trail has is new. The words here are those of that time; they do not
follow the words that are written today.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from typing import Final

import msgspec

from pitboss_tournament.league.finals_rules import FinalsRules
from pitboss_tournament.league.submission import AuditEntry
from pitboss_tournament.store.database import transaction

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
