"""What owners asked to know of their versions' games: a table in the store of the league, with what was found."""

from __future__ import annotations

import re
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.foreign_input import InputRefused, read_json
from pitboss_tournament.league.book import ComeAgain
from pitboss_tournament.league.book_file import BookFile
from pitboss_tournament.reask.feedback_bundle import FeedbackBundle
from pitboss_tournament.store.redaction import NOT_IN_A_WORD
from pitboss_tournament.store.rows import utc_now
from pitboss_tournament.store.schema import has_table

FeedbackState: TypeAlias = Literal["waiting", "working", "done", "failed"]

MAX_LOOKS_BEGUN: Final = 3  # of one that the league was killed with
MAX_OPEN_LOOKS: Final = 100  # of all owners
DAY: Final = timedelta(days=1)

# `found` is a bundle in JSON, "" before it is done, and once there is a newer one of the same submission
FEEDBACK_TABLE: Final = (
    "create table if not exists league_feedback (number integer primary key, submission integer not null, asked text "
    "not null, state text not null, tries integer not null, why text not null, found text not null) strict"
)


class Feedback(Struct, frozen=True, kw_only=True):
    """A look into the games of a version that its owner asked for. Times are in UTC."""

    number: int
    submission: int
    asked: str
    state: FeedbackState
    tries: int
    why: str  # it failed
    found: str

    @property
    def is_open(self) -> bool:
        """Whether it is still to be made."""
        return self.state in ("waiting", "working")

    @property
    def bundle(self) -> FeedbackBundle | None:
        """What was found; None if nothing is kept that can be read, as after a name in it was erased."""
        try:
            return read_json(self.found, FeedbackBundle)
        except InputRefused:
            return None


class FeedbackBook(BookFile):
    """The table, in the open file of a league. Threads may share it."""

    def __init__(self, path: Path) -> None:
        """Open it, and make the table where it is missing.

        Raises:
            StoreError: it cannot be opened.
        """
        super().__init__(path)
        with self._writing():
            self._db.execute(FEEDBACK_TABLE)

    def ask(self, submission: int, a_day: int) -> Feedback:
        """Take in that the owner of a submission asks; return what stands for it, also if it was asked for before.

        Raises:
            ComeAgain: the owner has asked for another one that is not made yet, or `a_day` times within 24 hours; or
                too many wait.
        """
        with self._writing():
            own = self._list_of_owner(submission)
            for one in own:
                if one.is_open and one.submission == submission:
                    return one
                if one.is_open:
                    raise ComeAgain("another of your versions is being looked into", 60)
            since = (datetime.now(UTC) - DAY).isoformat(timespec="seconds")
            recent = [one for one in own if one.asked > since]
            if len(recent) >= a_day:
                first = datetime.fromisoformat(recent[-a_day].asked) if a_day else datetime.now(UTC)
                wait = max(1.0, (first + DAY - datetime.now(UTC)).total_seconds())
                raise ComeAgain(f"you have asked {a_day} times within 24 hours", wait)
            if len(self.list_open()) >= MAX_OPEN_LOOKS:
                raise ComeAgain("too many versions wait to be looked into", 600)
            values = (submission, utc_now(), "waiting", 0, "", "")
            cursor = self._db.execute(
                "insert into league_feedback (submission, asked, state, tries, why, found) values (?, ?, ?, ?, ?, ?)",
                values,
            )
            return self._find(int(cursor.lastrowid or 0))

    def find_latest(self, submission: int) -> Feedback | None:
        """Return the latest one of a submission; None if its owner has asked for none."""
        rows = self._rows("where submission = ? order by number desc limit 1", submission)
        return next(iter(rows), None)

    def find_found(self, submission: int) -> Feedback | None:
        """Return the latest one of a submission that is done; None if none is."""
        rows = self._rows("where submission = ? and state = 'done' order by number desc limit 1", submission)
        return next(iter(rows), None)

    def count_left(self, submission: int, a_day: int) -> int:
        """Return how often the owner of a submission may ask within these 24 hours."""
        since = (datetime.now(UTC) - DAY).isoformat(timespec="seconds")
        return max(0, a_day - sum(one.asked > since for one in self._list_of_owner(submission)))

    def list_open(self) -> list[Feedback]:
        """Return those that are to be made, the earliest first."""
        return self._rows("where state in ('waiting', 'working') order by number")

    def begin(self, number: int) -> int:
        """Take in that it is being made; return how often it was begun."""
        with self._writing():
            self._db.execute(
                "update league_feedback set state = 'working', tries = tries + 1 where number = ?", (number,)
            )
            return self._find(number).tries

    def finish(self, number: int, bundle: FeedbackBundle) -> None:
        """Keep what was found, in the place of what was found of the same submission before."""
        with self._writing():
            one = self._find(number)
            self._db.execute("update league_feedback set found = '' where submission = ?", (one.submission,))
            self._db.execute(
                "update league_feedback set state = 'done', found = ? where number = ?",
                (msgspec.json.encode(bundle).decode(), number),
            )

    def fail(self, number: int, why: str) -> None:
        """Keep why nothing was found."""
        with self._writing():
            self._db.execute("update league_feedback set state = 'failed', why = ? where number = ?", (why, number))

    def _find(self, number: int) -> Feedback:
        [found] = self._rows("where number = ?", number)
        return found

    def _list_of_owner(self, submission: int) -> list[Feedback]:
        """Return those of the owner of a submission, the earliest first."""
        owner = "select owner from league_submissions where number = ?"
        own = f"select number from league_submissions where owner = ({owner})"
        return self._rows(f"where submission in ({own}) order by number", submission)

    def _rows(self, which: str, *values: Any) -> list[Feedback]:  # noqa: ANN401 - of several types
        names = ", ".join(Feedback.__struct_fields__)
        return [
            msgspec.convert(row, Feedback)
            for row in self._select(f"select {names} from league_feedback {which}", *values)
        ]


def rename_in_bundles(db: sqlite3.Connection, was: str, name: str) -> None:
    """Call a bot otherwise in all that was found of games, `fox@1` as well. Must run in a transaction."""
    if not has_table(db, "league_feedback"):
        return
    word = re.compile(NOT_IN_A_WORD.format(re.escape(was)))

    def rename(text: str) -> str:
        return word.sub(lambda _: name, text)

    for number, found in db.execute("select number, found from league_feedback where found <> ''").fetchall():
        try:
            bundle = read_json(found, FeedbackBundle)
        except InputRefused:
            continue
        renamed = replace(
            bundle,
            bot=rename(bundle.bot),
            verdict=[*map(rename, bundle.verdict)],
            opponents=[replace(one, name=rename(one.name)) for one in bundle.opponents],
            positions=[replace(one, lines=[*map(rename, one.lines)]) for one in bundle.positions],
        )
        encoded = msgspec.json.encode(renamed).decode()
        db.execute("update league_feedback set found = ? where number = ?", (encoded, number))
