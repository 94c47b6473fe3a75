"""A copy of a league, made while it runs: its store as of one moment, and the files that this store needs.

The files come first, the store last and by a rename, so that a kill leaves the earlier copy whole. The folders in bots/
never change; those that are there are not copied again. Files may vanish while they are copied, as those of a version
that is refused meanwhile: then the store is copied again, which does not need them any more.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from time import sleep
from typing import Any, Final

from msgspec import Struct

from pitboss.errors import ConfigError
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.intake import UPLOAD_ENDING
from pitboss_tournament.league.league_folder import LEAGUE_FILE, LEAGUE_STORE, LeagueFolder, hold_league
from pitboss_tournament.league.submission import Submission
from pitboss_tournament.processes.bot_contents import is_sealed, measure_folder, remove_folder, seal_folder, sync_folder
from pitboss_tournament.store.database import StoreError, open_database, require_file, translate_errors
from pitboss_tournament.store.schema import has_table
from pitboss_tournament.store.store_lock import is_locked

PART: Final = ".part"  # begins the name of what is not complete
COPIED_PAGES: Final = 16_384  # of the store at a time: so long Ctrl-C has to wait
ATTEMPTS: Final = 5
ATTEMPT_SECONDS: Final = 0.2
AUDIT_TABLE: Final = "league_audit"
ERASED: Final = "erased"  # in the audit trail: names in earlier lines may be others since
GROWING_TABLES: Final = (
    AUDIT_TABLE,
    "runs",
)  # whose rows never change: they tell an earlier copy from another league
SEASON_STORES: Final = "season-*.pitboss"
NEEDS_UPLOAD: Final = ("received", "building")


class BackupSizes(Struct, frozen=True, kw_only=True):
    """What a copy of a league consists of. Sizes are in bytes."""

    target: str
    store_bytes: int
    versions: int
    versions_copied: int  # by this command: the others were there
    versions_bytes: int
    uploads: int
    uploads_bytes: int
    missing: list[str]  # what the league's book names, and its folder has not


def back_up_league(folder: LeagueFolder, target: Path) -> BackupSizes:
    """Copy a league into a new folder, or bring an earlier copy up to date.

    Raises:
        ConfigError: the folder holds something else, or is a league that is running.
        StoreError: a store cannot be read or written.
        OSError: the files cannot be copied.
    """
    require_file(folder.store)
    copy = LeagueFolder(target.absolute())
    _check_target(folder, copy)
    for place in (copy.root, copy.bots, copy.uploads):
        place.mkdir(parents=True, exist_ok=True)
    copy.uploads.chmod(0o700)
    with hold_league(copy, "this is a league that is running, and no place for a copy of another one"):
        if copy.store.exists():
            if is_locked(copy.store):
                raise ConfigError(f"{copy.store}: a run is playing it; choose another folder for the copy")
            _check_is_earlier(folder, copy)
        _clear_parts(copy)
        with suppress(StoreError), closing(Book(folder.store)) as book:  # a copy is needed most when the disk is full
            book.note_copy(copy.root)
        return _copy_all(folder, copy)


def _copy_all(folder: LeagueFolder, copy: LeagueFolder) -> BackupSizes:
    part, copied, missing = _name_part(copy.store), set[str](), list[str]()
    for _ in range(ATTEMPTS):
        before = missing
        for path in folder.uploads.glob(f"*{UPLOAD_ENDING}"):
            _copy_upload(folder, copy, path.name)
        _copy_store(folder.store, part)
        with closing(Book(part)) as book:
            needed = [one for one in book.submissions() if one.state != "refused"]
        digests = {one.digest for one in needed}
        copied |= {digest for digest in sorted(digests) if copy_version(folder, copy, digest)}
        for one in needed:
            if one.upload and not _has_upload(copy, one):
                _copy_upload(folder, copy, one.upload)
        missing = [what for one in needed if (what := _tell_missing(copy, one))]
        if not missing or missing == before:  # what is missing twice is missing in the league
            break
        sleep(ATTEMPT_SECONDS)
    for path in folder.root.glob(SEASON_STORES):  # which change only when a name is erased
        if not _is_same_file(path, copy.root / path.name):
            _copy_file(path, copy.root / path.name)
    _copy_file(folder.file, copy.file)
    _put_in_place(part, copy.store)
    _remove_unneeded(copy, needed)
    kept = [copy.bots / digest for digest in digests if is_sealed(copy.bots / digest)]
    uploads = list(copy.uploads.iterdir())
    return BackupSizes(
        target=str(copy.root),
        store_bytes=copy.store.stat().st_size,
        versions=len(kept),
        versions_copied=len(copied & digests),
        versions_bytes=sum(map(measure_folder, kept)),
        uploads=len(uploads),
        uploads_bytes=sum(path.stat().st_size for path in uploads),
        missing=missing,
    )


def _check_target(folder: LeagueFolder, copy: LeagueFolder) -> None:
    """Check that a folder is new, empty, or a copy of a league, which may be unfinished.

    Raises:
        ConfigError: it is something else, or lies in the league's own folder.
    """
    if copy.root.resolve().is_relative_to(folder.root.resolve()):
        raise ConfigError(f"{copy.root}: this lies in the league's own folder; give the copy another folder")
    if not copy.root.exists():
        return
    if copy.root.is_dir():
        names = {path.name for path in copy.root.iterdir()}
        own = {LEAGUE_FILE, LEAGUE_STORE, copy.bots.name, copy.uploads.name}
        is_unfinished = all(name in own or name.startswith(PART) for name in names)
        if is_unfinished or {LEAGUE_FILE, LEAGUE_STORE} <= names:
            return
    raise ConfigError(f"{copy.root}: this exists and is not a copy of a league; name another folder for the copy")


def _check_is_earlier(folder: LeagueFolder, copy: LeagueFolder) -> None:
    """Check that a folder holds an earlier copy of this league: the league has all that the copy has.

    Raises:
        ConfigError: it is another league, or has been run since.
    """
    with (
        translate_errors(copy.store, "read"),
        closing(open_database(copy.store)) as there,
        closing(open_database(folder.store)) as here,
    ):
        has_rows = False
        for table in (name for name in GROWING_TABLES if has_table(there, name)):
            last = there.execute(f"select rowid, * from {table} order by rowid desc limit 1").fetchone()
            has_rows = has_rows or last is not None
            if last is not None and not (has_table(here, table) and _has_row(here, table, last)):
                raise ConfigError(
                    f"{copy.root}: this is no copy of {folder.root}: it is another league, or has been run since"
                )
    if not has_rows and copy.file.exists() and copy.file.read_bytes() != folder.file.read_bytes():
        raise ConfigError(f"{copy.root}: this is another league; give the copy a folder of its own")


def _copy_store(store: Path, part: Path) -> None:
    """Copy a store as it is at one moment, on the disk when this returns."""
    _remove_store(part)
    with (
        translate_errors(store, "copied"),
        closing(open_database(store)) as source,
        closing(open_database(part, for_writing=True)) as target,
    ):
        source.execute("begin")
        source.execute("select count(*) from sqlite_master").fetchone()  # from now on it sees this moment
        source.backup(target, pages=COPIED_PAGES)
        source.execute("rollback")
    shutil.copymode(store, part)


def copy_version(folder: LeagueFolder, copy: LeagueFolder, digest: str) -> bool:
    """Copy the files of a version, if they are complete and not there; return whether they were copied."""
    source, target = folder.bots / digest, copy.bots / digest
    if is_sealed(target) or not is_sealed(source):
        return False
    part = _name_part(target)
    remove_folder(part)
    try:
        shutil.copytree(source, part, symlinks=True)
    except (FileNotFoundError, shutil.Error):
        if source.exists():
            raise
        remove_folder(part)  # it was refused meanwhile
        return False
    seal_folder(part)
    remove_folder(target)
    part.rename(target)
    sync_folder(copy.bots)
    return True


def _copy_upload(folder: LeagueFolder, copy: LeagueFolder, name: str) -> None:
    """Copy an archive, which may still be on its way; one that is gone is needed no more."""
    with suppress(FileNotFoundError):
        _copy_file(folder.uploads / name, copy.uploads / name)


def _has_upload(copy: LeagueFolder, one: Submission) -> bool:
    """Whether a copy has the whole archive of a submission."""
    path = copy.uploads / one.upload
    return bool(one.upload) and path.exists() and path.stat().st_size == one.bytes


def _tell_missing(copy: LeagueFolder, one: Submission) -> str | None:
    """Return what a copy lacks of a submission; None if nothing. A host may delete the files of retired versions."""
    if one.state == "retired" or is_sealed(copy.bots / one.digest):
        return None
    if one.state in NEEDS_UPLOAD:
        what = f"the archive of {one.label} of {one.owner}, uploads/{one.upload}"
        return None if _has_upload(copy, one) else what
    return f"the files of {one.label} of {one.owner}, bots/{one.digest}"


def _has_row(db: sqlite3.Connection, table: str, row: tuple[Any, ...]) -> bool:
    """Whether a league has a row of an earlier copy, in which a name may have been erased since."""
    found = db.execute(f"select rowid, * from {table} where rowid = ?", row[:1]).fetchone()
    if found is None or found == row or table != AUDIT_TABLE:
        return bool(found == row)
    erased = db.execute(f"select 1 from {AUDIT_TABLE} where what = ? and number > ?", (ERASED, row[0])).fetchone()
    columns = [column for _, column, *_ in db.execute(f"pragma table_info({AUDIT_TABLE})")]
    kept = [1 + number for number, column in enumerate(columns) if column in ("number", "at", "what")]
    return erased is not None and [found[at] for at in kept] == [row[at] for at in kept]


def _is_same_file(one: Path, other: Path) -> bool:
    """Whether a copy has a file as it is now, by its size and the time of its last change."""
    if not other.exists():
        return False
    now, was = one.stat(), other.stat()
    return (now.st_size, now.st_mtime_ns) == (was.st_size, was.st_mtime_ns)


def _copy_file(source: Path, target: Path) -> None:
    """Copy a file, which is whole and on the disk when it has its name."""
    part = _name_part(target)
    shutil.copy2(source, part)
    _put_in_place(part, target)


def _put_in_place(part: Path, target: Path) -> None:
    """Give a file its name, in place of what is there; of a store all that SQLite has beside it goes first."""
    with part.open("rb") as file:
        os.fsync(file.fileno())
    if target.name == LEAGUE_STORE and target.exists():
        with translate_errors(target, "replaced"), closing(open_database(target, for_writing=True)) as db:
            db.execute("pragma journal_mode = delete")
    part.replace(target)
    sync_folder(target.parent)


def _remove_unneeded(copy: LeagueFolder, needed: Iterable[Submission]) -> None:
    digests, uploads = {one.digest for one in needed}, {one.upload for one in needed}
    for path in copy.bots.iterdir():
        if path.is_dir() and path.name not in digests:
            remove_folder(path)
    for path in copy.uploads.iterdir():
        if path.name not in uploads:
            path.unlink()


def _clear_parts(copy: LeagueFolder) -> None:
    """Remove what a killed command has left."""
    _remove_store(_name_part(copy.store))
    for path in (*copy.root.glob(f"{PART}*"), *copy.bots.glob(f"{PART}*"), *copy.uploads.glob(f"{PART}*")):
        if path.is_dir():
            remove_folder(path)
        else:
            path.unlink()


def _name_part(path: Path) -> Path:
    return path.with_name(f"{PART}-{path.name}")


def _remove_store(path: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
