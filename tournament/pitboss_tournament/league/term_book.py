"""What the book of a league has for grades: extensions, groups, and what was frozen at the end of submissions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from pitboss.errors import ConfigError
from pitboss.foreign_input import read_json
from pitboss.text import join_words, suggest_nearest
from pitboss_tournament.league.book_file import BookFile
from pitboss_tournament.plan.names import clean_name
from pitboss_tournament.store.rows import utc_now

SnapshotKind: TypeAlias = Literal["versions", "standings", "rubric"]
Content = TypeVar("Content")

EXTENDED: Final = "extended"  # in the audit trail, as the next three
GROUPED: Final = "grouped"
FROZEN: Final = "frozen"


class Upload(NamedTuple):
    """When an upload of an owner began, in UTC."""

    owner: str
    at: str


class TermBook(BookFile):
    """The tables of extensions, groups and snapshots."""

    def extend(self, owner: str, until: datetime, who: str) -> None:
        """Let the submissions of an owner end at another time than those of all."""
        at = until.isoformat()
        with self._writing():
            self._db.execute("insert or replace into league_extensions values (?, ?, ?)", (owner, at, utc_now()))
            self._note(who, EXTENDED, f"{owner}: submissions end at {at}")

    def extensions(self) -> dict[str, datetime]:
        """Return when the submissions of owners end that have an extension."""
        rows = self._select("select owner, until from league_extensions")
        return {row["owner"]: datetime.fromisoformat(row["until"]) for row in rows}

    def set_group(self, owner: str, persons: Sequence[str], who: str) -> None:
        """Say who is in a group: these, and nobody else. None: it is no group any more.

        Raises:
            ConfigError: one of them is in another group.
        """
        persons = [*{fold_name(person): person for person in persons}.values()]
        with self._writing():
            others = {fold_name(person): group for person, group in self.members().items() if group != owner}
            for person in persons:
                if other := others.get(fold_name(person)):
                    raise ConfigError(f"{person!r} is in the group {other!r} already; say first who is left in that")
            self._db.execute("delete from league_members where owner = ?", (owner,))
            rows = [(person, owner, utc_now()) for person in persons]
            self._db.executemany("insert into league_members values (?, ?, ?)", rows)
            self._note(who, GROUPED, f"{owner}: {join_words(persons, 'and') or 'nobody'}")

    def members(self) -> dict[str, str]:
        """Return the group of each person that is in one: an owner."""
        rows = self._select("select person, owner from league_members order by owner, rowid")
        return {row["person"]: row["owner"] for row in rows}

    def graded_members(self) -> dict[str, str] | None:
        """Return the group of each person by which final grades go; None: no groups were frozen."""
        if self.find_snapshot("rubric", dict[str, Any]) is None:
            return None
        rows = self._select("select person, owner from league_graded_members order by owner, rowid")
        return {row["person"]: row["owner"] for row in rows}

    def grade_members(self, who: str) -> None:
        """Let final grades go by the groups of now."""
        with self._writing():
            self._freeze_members()
            self._note(who, FROZEN, "groups, for grades that are final")

    def freeze_standings(self, standings: object, rubric: object, about: str, who: str) -> None:
        """Freeze the standings of a class, with the rubric and the groups of now."""
        with self._writing():
            self.add_snapshot("standings", standings, about, who)
            row = (utc_now(), "rubric", msgspec.json.encode(rubric).decode())
            self._db.execute("insert into league_snapshots (at, kind, content) values (?, ?, ?)", row)
            self._freeze_members()

    def _freeze_members(self) -> None:
        self._db.execute("delete from league_graded_members")
        self._db.execute(
            "insert into league_graded_members select person, owner, ? from league_members order by owner, rowid",
            (utc_now(),),
        )

    def find_owner(self, said: str) -> str:
        """Return the owner that a person means: one of this name, or the group in which somebody of this name is.

        Raises:
            ConfigError: there is none.
        """
        owners = {str(row["name"]) for row in self._select("select name from league_owners")}
        known: dict[str, str] = {**{fold_name(name): name for name in owners}, **fold_members(self.members())}
        found = known.get(fold_name(said))
        if found is None:
            near = suggest_nearest(said, [*owners, *self.members()])
            raise ConfigError(f"the league has no owner {said!r}{near}; `pitboss token list` lists them")
        return found

    def list_uploads(self, owner: str | None = None) -> list[Upload]:
        """Return when uploads began, in their order; of one owner if that is given."""
        rows = self._select(
            "select owner, at from league_uploads where ? is null or owner = ? order by at, number", owner, owner
        )
        return [Upload(row["owner"], row["at"]) for row in rows]

    def list_barred(self) -> set[int]:
        """Return the numbers of the submissions that were taken out for good."""
        return {int(row["submission"]) for row in self._select("select submission from league_barred")}

    def add_snapshot(self, kind: SnapshotKind, content: object, about: str, who: str) -> None:
        """Freeze something, with a line in the audit trail."""
        row = (utc_now(), kind, msgspec.json.encode(content).decode())
        with self._writing():
            self._db.execute("insert into league_snapshots (at, kind, content) values (?, ?, ?)", row)
            self._note(who, FROZEN, f"{kind}: {about}")

    def find_snapshot(self, kind: SnapshotKind, content: type[Content]) -> Content | None:
        """Return what was frozen last; None if nothing was."""
        rows = self._select("select content from league_snapshots where kind = ? order by number desc limit 1", kind)
        return next((read_json(row["content"], content) for row in rows), None)


def fold_name(name: str) -> str:
    """Return a name as it is compared: without what readers do not see, and in small letters."""
    return clean_name(name).casefold()


def fold_members(members: Mapping[str, str]) -> dict[str, str]:
    """Return the group of each person, by the folded name."""
    return {fold_name(person): owner for person, owner in members.items()}
