"""The intake: an upload is admitted; once it lies on the disk it becomes a submission, or is refused.

Admission is one step, before a byte is read: a place, one of the owner's uploads of the day, and room on the disk are
reserved together, or nothing is. An upload of the day stays used, however the upload ends.

The archive is what is kept first: its file and its folder are on the disk before the book says that there is a
submission, and only then is the sender answered. It is unpacked for a moment, to see that it can be and to know its
digest; the validator unpacks it again, where the bot stays.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import IO, Final

from pitboss.errors import ConfigError, PitbossError
from pitboss_tournament.config.bot_file import read_bot_file
from pitboss_tournament.league.book import Book, ComeAgain, Received
from pitboss_tournament.league.league_folder import League, LeagueFolder
from pitboss_tournament.league.tar_reader import ArchiveRefused
from pitboss_tournament.league.unpacking import UnpackBounds, unpack_archive
from pitboss_tournament.league.version_folder import strip_folder
from pitboss_tournament.plan.limits import MEBIBYTE
from pitboss_tournament.processes.bot_contents import digest_contents, remove_folder, sync_folder

TRIAL_PREFIX: Final = ".trial-"  # of a folder in bots/ that is there for a moment
UPLOAD_ENDING: Final = ".upload"
UPLOADS_AT_ONCE: Final = 4
KEPT_PLACES: Final = 1  # of them, for owners who have sent nothing within KEPT_FROM
KEPT_FROM: Final = timedelta(hours=1)  # longer than an upload may take, so that nobody holds a kept place for long
BUSY_SECONDS: Final = 5  # to wait, if no place is free


class DiskCrowded(PitbossError):
    """There is too little room on the disk for an upload."""


class Admissions:
    """The uploads that are in progress, and what is reserved for them. Threads may share it."""

    def __init__(self, league: League, book: Book) -> None:
        self._league = league
        self._book = book
        self._lock = Lock()
        self._reserved: dict[str, int] = {}  # bytes on the disk, by owner

    def reserve(self, owner: str, bot: str, archive_bytes: int) -> None:
        """Reserve all that an upload needs, or nothing; `release` gives back all but the upload of the day.

        Raises:
            ComeAgain: the owner is uploading already, or no place is free, or the uploads of the day are used.
            NameTaken: it is the name of another owner's bot.
            DiskCrowded: as the class says.
        """
        rules = self._league.file.submissions
        needed = archive_bytes + find_unpack_bounds(self._league).max_bytes
        with self._lock:
            if owner in self._reserved:
                raise ComeAgain(f"another upload of {owner} is in progress", BUSY_SECONDS)
            is_last = len(self._reserved) >= UPLOADS_AT_ONCE - KEPT_PLACES
            is_kept = is_last and self._book.has_sent_since(owner, datetime.now(UTC) - KEPT_FROM)
            if is_kept or len(self._reserved) >= UPLOADS_AT_ONCE:
                raise ComeAgain("many uploads are in progress", BUSY_SECONDS)
            free = self._league.folder.free_bytes() - sum(tuple(self._reserved.values()))
            if free - needed < rules.free_mb * MEBIBYTE:
                raise DiskCrowded("the league has too little room on its disk; tell its host")
            self._book.begin_upload(owner, bot, rules.a_day)
            self._reserved[owner] = needed

    def release(self, owner: str) -> None:
        """Give back what an upload needed, at its end. It does not wait for the lock: the event loop calls it."""
        del self._reserved[owner]


def find_unpack_bounds(league: League) -> UnpackBounds:
    """Return how much a submission may be."""
    return UnpackBounds(league.file.submissions.max_mb, league.file.submissions.max_files)


@contextmanager
def open_upload(folder: LeagueFolder) -> Iterator[tuple[Path, IO[bytes]]]:
    """Context manager: a new file for an upload, and its path; it is removed if the block fails."""
    path = folder.uploads / f"{secrets.token_hex(16)}{UPLOAD_ENDING}"
    try:
        with path.open("xb") as file:
            yield path, file
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def take_in(league: League, book: Book, owner: str, bot: str, upload: Path) -> Received:
    """Make a submission of an upload. It is on the disk when this returns; the upload is removed if it is not needed.

    Raises:
        ArchiveRefused: it is not taken; the text is for its sender.
        NameTaken: it is the name of another owner's bot.
        OSError, StoreError: it cannot be kept.
    """
    try:
        digest = _try_archive(league, upload)
        with upload.open("rb") as file:
            os.fsync(file.fileno())
        sync_folder(upload.parent)
        received = book.receive(owner, bot, digest, upload.stat().st_size, upload.name)
    except BaseException:
        upload.unlink(missing_ok=True)
        raise
    if not received.is_queued:
        upload.unlink(missing_ok=True)
    return received


def _try_archive(league: League, upload: Path) -> str:
    """Unpack an archive for a moment, and return the digest of what is in it."""
    trial = Path(tempfile.mkdtemp(prefix=TRIAL_PREFIX, dir=league.folder.bots))
    try:
        unpack_archive(upload, trial, find_unpack_bounds(league))
        contents = strip_folder(trial)
        try:
            read_bot_file(trial)
        except ConfigError as error:
            raise ArchiveRefused(str(error).replace(f"{trial}/", "")) from None
        return digest_contents(contents)
    finally:
        remove_folder(trial)


def drop_folder(league: League, book: Book, digest: str) -> None:
    """Remove the folder of a version that was refused, unless the same files are of another one that was not."""
    if digest not in _list_kept_digests(book):
        remove_folder(league.folder.bots / digest)


def clear_remains(league: League, book: Book) -> None:
    """Remove what a killed league has left: uploads and folders that no submission needs."""
    uploads = {one.upload for one in book.list_waiting()}
    for path in league.folder.uploads.iterdir():
        if path.suffix == UPLOAD_ENDING and path.name not in uploads:
            path.unlink()
    kept = _list_kept_digests(book)
    for path in league.folder.bots.iterdir():
        if path.is_dir() and path.name not in kept:
            remove_folder(path)


def _list_kept_digests(book: Book) -> set[str]:
    """Return the digests whose folders stay: of what is not refused, or was valid once and may be in play."""
    valid = book.list_valid()
    return {one.digest for one in book.submissions() if one.state != "refused" or one.number in valid}
