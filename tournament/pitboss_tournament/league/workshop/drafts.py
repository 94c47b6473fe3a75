"""Drafts: bots that owners write in the browser, kept in the league's store until they are submitted, and after."""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss_tournament.league.book_file import BookFile
from pitboss_tournament.league.tar_reader import ArchiveRefused
from pitboss_tournament.league.unpacking import split_name
from pitboss_tournament.plan.paths import BOT_FILE
from pitboss_tournament.store.database import translate_errors
from pitboss_tournament.store.rows import utc_now

MAX_DRAFTS: Final = 5  # of an owner
MAX_DRAFT_BYTES: Final = 256 << 10  # of the files of one together
MAX_DRAFT_FILES: Final = 20
DRAFTS_TABLE: Final = (
    "create table if not exists league_drafts (number integer primary key autoincrement, owner text not null, bot "
    "text not null, files text not null, revision integer not null, changed text not null) strict"
)


class DraftRefused(PitbossError):
    """A draft cannot be kept as it is; the text is for its owner."""


class DraftMoved(PitbossError):
    """A draft was changed elsewhere since it was read."""


class Draft(Struct, frozen=True):
    """A bot on its way. `changed` is in UTC."""

    number: int
    owner: str
    bot: str
    files: dict[str, str]  # by path
    revision: int  # how often it was changed
    changed: str


class DraftBook(BookFile):
    """The drafts in the store of a league. Threads may share it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        with self._writing():
            self._db.execute(DRAFTS_TABLE)

    def list_drafts(self, owner: str) -> list[Draft]:
        """Return the drafts of an owner, the one that was changed last first."""
        return self._find("where owner = ? order by changed desc, number desc", owner)

    def find_draft(self, owner: str, number: int) -> Draft | None:
        """Return a draft of an owner; None if this owner has none of this number."""
        return next(iter(self._find("where owner = ? and number = ?", owner, number)), None)

    def add_draft(self, owner: str, bot: str, files: Mapping[str, str]) -> Draft:
        """Keep a new draft.

        Raises:
            DraftRefused: the owner has as many as an owner may have, or it is too large.
        """
        check_draft_files(files)
        with self._writing():
            if len(self.list_drafts(owner)) >= MAX_DRAFTS:
                raise DraftRefused(f"there are {MAX_DRAFTS} drafts of yours already; throw one of them away first")
            number = self._db.execute(
                "insert into league_drafts (owner, bot, files, revision, changed) values (?, ?, ?, 0, ?)",
                (owner, bot, msgspec.json.encode(files).decode(), utc_now()),
            ).lastrowid
            assert number is not None
            [added] = self._find("where number = ?", number)
        return added

    def save_draft(self, was: Draft, bot: str, files: Mapping[str, str]) -> Draft:
        """Keep a draft as it is now.

        Raises:
            DraftMoved: it has another revision than `was`, or is gone.
            DraftRefused: it is too large.
        """
        check_draft_files(files)
        with self._writing():
            found = self.find_draft(was.owner, was.number)
            if found is None or found.revision != was.revision:
                raise DraftMoved("this draft was changed in another window; what you see here is not saved")
            if (bot, files) == (found.bot, found.files):
                return found
            self._db.execute(
                "update league_drafts set bot = ?, files = ?, revision = revision + 1, changed = ? where number = ?",
                (bot, msgspec.json.encode(files).decode(), utc_now(), was.number),
            )
            [saved] = self._find("where number = ?", was.number)
        return saved

    def remove_draft(self, owner: str, number: int) -> None:
        """Throw a draft of an owner away; nothing happens if there is none."""
        with self._writing():
            self._db.execute("delete from league_drafts where owner = ? and number = ?", (owner, number))

    def _find(self, which: str, *values: object) -> list[Draft]:
        with translate_errors(self.path, "read"):
            names = ", ".join(Draft.__struct_fields__)
            rows = self._select(f"select {names} from league_drafts {which}", *values)
            return [msgspec.convert({**row, "files": msgspec.json.decode(row["files"])}, Draft) for row in rows]


def check_draft_files(files: Mapping[str, str]) -> None:
    """Check that a draft may have these files.

    Raises:
        DraftRefused: they are too many or too large together, or one has a path that no file of a bot may have.
    """
    if len(files) > MAX_DRAFT_FILES:
        raise DraftRefused(f"a draft has {MAX_DRAFT_FILES} files at most; submit a larger bot as an archive")
    for path in files:
        check_path(path)
    total = sum(len(path.encode()) + len(text.encode()) for path, text in files.items())
    if total > MAX_DRAFT_BYTES:
        raise DraftRefused(
            f"the files of a draft have {MAX_DRAFT_BYTES >> 10} KiB together at most, and these have {total:,} bytes; "
            "submit a larger bot as an archive"
        )


def check_path(path: str) -> None:
    """Check the path of a file of a draft.

    Raises:
        DraftRefused: no file of a bot may have it, or it would be hidden.
    """
    try:
        parts = split_name(path.encode("utf-8", "replace"))
    except ArchiveRefused as error:
        raise DraftRefused(str(error)) from None
    if "/".join(parts) != path or not parts:
        raise DraftRefused(f"{path!r} is no name of a file; it is like bot.py or lib/cards.py")
    if any(part.startswith(".") for part in parts):
        raise DraftRefused(f"{path!r} is a hidden file, which is no part of a bot")


def tidy_text(text: str) -> str:
    """Return the text of a file as a form has brought it, with the ends of lines of this system."""
    return re.sub(r"\r\n?", "\n", text).replace("\0", "")


def pack_files(files: Mapping[str, str]) -> bytes:
    """Return the archive of a draft's files: what its owner would upload."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, text in files.items():
            content = text.encode("utf-8", "replace")
            member = tarfile.TarInfo(path)
            member.size = len(content)
            member.mode = 0o755 if text.startswith("#!") else 0o644
            archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


def list_ordered(files: Mapping[str, str], first: str = "") -> list[str]:
    """Return the paths of a draft: the file to change first, the others by name, bot.toml last."""
    return sorted(files, key=lambda path: (path == BOT_FILE, path != first, path.endswith(".md"), path))
