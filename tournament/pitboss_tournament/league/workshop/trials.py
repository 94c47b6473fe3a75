"""Trials of drafts: their states, what they have shown, and the tables in which they are kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct, field

from pitboss.testing.framework.check import CheckResult
from pitboss_tournament.league.book import ComeAgain
from pitboss_tournament.league.book_file import BookFile
from pitboss_tournament.league.submission import Evidence
from pitboss_tournament.league.workshop.drafts import Draft
from pitboss_tournament.store.database import translate_errors
from pitboss_tournament.store.rows import utc_now
from pitboss_tournament.store.schema import has_table

TrialKind: TypeAlias = Literal["check", "games"]
TrialState: TypeAlias = Literal["waiting", "building", "checking", "playing", "done", "lost"]

OPEN_STATES: Final = ("waiting", "building", "checking", "playing")
TRIALS_KEPT: Final = 5  # of an owner: the last ones; of earlier ones only that they took place is known
MAX_TRIAL_TRIES: Final = 2  # of a trial, when the machine fails or the league is killed
TRIAL_BUSY_SECONDS: Final = 10
TRIAL_TABLES: Final = (
    "create table if not exists league_trials (number integer primary key, owner text not null, draft integer not "
    "null, bot text not null, kind text not null, opponent text not null, begun text not null, tries integer not null, "
    "state text not null, files text not null, found text not null) strict",
    "create table if not exists league_trial_games (trial integer not null, number integer not null, played text not "
    "null, record blob not null, primary key (trial, number)) strict",
)


class TrialGame(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A practice game, as the owner of the draft sees it."""

    number: int  # from 0
    seat: int  # of the draft
    points: list[float]  # by seat
    places: list[int]  # by seat
    decisions: int  # of the draft
    us: int  # that the draft has thought for
    fault: str = ""  # of the draft, and what was wrong
    opponent_fault: str = ""  # its kind
    exchange: list[str] = []
    errors: str = ""  # the end of what the draft wrote to standard error


class TrialFindings(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a trial has shown so far."""

    steps: dict[str, Evidence] = field(default_factory=dict)  # by state
    checks_done: int = 0
    checks_failed: list[CheckResult] = []
    seen: str = ""  # the end, in a sentence
    is_good: bool = False


class Trial(Struct, frozen=True, kw_only=True):
    """A trial of a draft. `begun` is in UTC."""

    number: int
    owner: str
    draft: int
    bot: str
    kind: TrialKind
    opponent: str
    begun: str
    tries: int
    state: TrialState
    files: dict[str, str]  # of the draft, as it was; none once the trial is over
    found: TrialFindings

    @property
    def is_open(self) -> bool:
        """Whether it waits or runs."""
        return self.state in OPEN_STATES


class TrialBook(BookFile):
    """The trials in the store of a league. Threads may share it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        with self._writing():
            for statement in TRIAL_TABLES:
                self._db.execute(statement)

    def begin(self, draft: Draft, kind: TrialKind, opponent: str, a_day: int, at_once: int) -> Trial:
        """Let a trial wait for its turn.

        Raises:
            ComeAgain: the owner has `at_once` trials that are not over, or had `a_day` within 24 hours.
        """
        owner, now = draft.owner, datetime.now(UTC)
        since = (now - timedelta(days=1)).isoformat(timespec="seconds")
        with self._writing():
            opened = self._find("where owner = ? and state in ('waiting', 'building', 'checking', 'playing')", owner)
            if len(opened) >= at_once:
                raise ComeAgain("a trial of yours is not over yet", TRIAL_BUSY_SECONDS)
            today = self._select(
                "select begun from league_trials where owner = ? and begun > ? order by begun", owner, since
            )
            if len(today) >= a_day:
                free = datetime.fromisoformat(today[len(today) - a_day]["begun"]) + timedelta(days=1) if a_day else None
                seconds = 86_400 if free is None else max(1, int((free - now).total_seconds()) + 1)
                raise ComeAgain(f"{owner} has had {a_day} trials within 24 hours", seconds)
            number = self._db.execute(
                "insert into league_trials (owner, draft, bot, kind, opponent, begun, tries, state, files, found) "
                "values (?, ?, ?, ?, ?, ?, 0, 'waiting', ?, '{}')",
                (
                    *(owner, draft.number, draft.bot, kind, opponent, utc_now()),
                    msgspec.json.encode(draft.files).decode(),
                ),
            ).lastrowid
            self._forget_earlier(owner, since)
            assert number is not None
            return self.trial(number)

    def _forget_earlier(self, owner: str, since: str) -> None:
        """Forget what the trials before the last ones of an owner have shown, and those that count no more."""
        old = (
            "owner = ? and state in ('done', 'lost') and number not in "
            "(select number from league_trials where owner = ? order by number desc limit ?)"
        )
        values = (owner, owner, TRIALS_KEPT)
        self._db.execute(
            f"delete from league_trial_games where trial in (select number from league_trials where {old})", values
        )
        self._db.execute(f"update league_trials set found = '{{}}' where {old}", values)
        self._db.execute(f"delete from league_trials where {old} and begun <= ?", (*values, since))

    def trial(self, number: int) -> Trial:
        """Return a trial that exists."""
        [found] = self._find("where number = ?", number)
        return found

    def find_trial(self, owner: str, number: int) -> Trial | None:
        """Return a trial of an owner; None if this owner has none of this number."""
        return next(iter(self._find("where owner = ? and number = ?", owner, number)), None)

    def find_last(self, owner: str, draft: int) -> Trial | None:
        """Return the last trial of a draft of an owner; None if there is none."""
        found = self._find("where owner = ? and draft = ? order by number desc limit 1", owner, draft)
        return next(iter(found), None)

    def list_open(self) -> list[Trial]:
        """Return the trials that wait or were broken off: the first of each owner, then the second, and so on."""
        earlier: dict[str, int] = {}
        turns = []
        for one in self._find("where state in ('waiting', 'building', 'checking', 'playing') order by number"):
            turns.append((earlier.setdefault(one.owner, 0), one))
            earlier[one.owner] += 1
        return [one for _, one in sorted(turns, key=lambda turn: (turn[0], turn[1].number))]

    def begin_try(self, number: int) -> int:
        """Count that a trial begins now, from its beginning; return how often it has."""
        with self._writing():
            self._db.execute("delete from league_trial_games where trial = ?", (number,))
            self._db.execute(
                "update league_trials set tries = tries + 1, state = 'waiting', found = '{}' where number = ?",
                (number,),
            )
            return self.trial(number).tries

    def note_findings(self, number: int, state: TrialState, found: TrialFindings) -> None:
        """Keep what a trial has shown so far; once it is over its files are not needed any more."""
        is_over = state not in OPEN_STATES
        with self._writing():
            self._db.execute(
                "update league_trials set state = ?, found = ?, files = iif(?, '{}', files) where number = ?",
                (state, msgspec.json.encode(found).decode(), is_over, number),
            )

    def add_game(self, number: int, game: TrialGame, record: bytes) -> None:
        """Keep a practice game; `record` is compressed, and empty if it was too long."""
        with self._writing():
            row = (number, game.number, msgspec.json.encode(game).decode(), record)
            self._db.execute("insert or replace into league_trial_games values (?, ?, ?, ?)", row)

    def list_games(self, number: int) -> list[TrialGame]:
        """Return the practice games of a trial, in order."""
        rows = self._select("select played from league_trial_games where trial = ? order by number", number)
        with translate_errors(self.path, "read"):
            return [msgspec.json.decode(row["played"], type=TrialGame) for row in rows]

    def find_record(self, number: int, game: int) -> bytes:
        """Return the record of a practice game; empty if there is none, or it was too long."""
        rows = self._select("select record from league_trial_games where trial = ? and number = ?", number, game)
        return bytes(rows[0]["record"]) if rows else b""

    def list_with_records(self, number: int) -> Sequence[int]:
        """Return the numbers of the practice games whose records are kept."""
        rows = self._select(
            "select number from league_trial_games where trial = ? and length(record) > 0 order by number", number
        )
        return [int(row["number"]) for row in rows]

    def _find(self, which: str, *values: object) -> list[Trial]:
        names = ", ".join(Trial.__struct_fields__)
        with translate_errors(self.path, "read"):
            rows = self._select(f"select {names} from league_trials {which}", *values)
            return [msgspec.convert(_read_texts(row), Trial) for row in rows]


def erase_workshop(db: sqlite3.Connection, owner: str) -> None:
    """Remove the drafts and trials of an owner. Must run in a transaction."""
    if has_table(db, "league_trials"):
        db.execute(
            "delete from league_trial_games where trial in (select number from league_trials where owner = ?)", (owner,)
        )
        db.execute("delete from league_trials where owner = ?", (owner,))
    if has_table(db, "league_drafts"):
        db.execute("delete from league_drafts where owner = ?", (owner,))


def _read_texts(row: dict[str, Any]) -> dict[str, Any]:
    return {
        **row,
        "files": msgspec.json.decode(row["files"]),
        "found": msgspec.json.decode(row["found"], type=TrialFindings),
    }
