"""The intake: an upload that lies on the disk becomes a submission, or is refused.

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
from pathlib import Path
from typing import IO, Final

from pitboss.errors import ConfigError
from pitboss_tournament.config.bot_file import read_bot_file
from pitboss_tournament.league.book import Book, Received
from pitboss_tournament.league.league_folder import League, LeagueFolder
from pitboss_tournament.league.tar_reader import ArchiveRefused
from pitboss_tournament.league.unpacking import UnpackBounds, unpack_archive
from pitboss_tournament.league.version_folder import strip_folder
from pitboss_tournament.processes.bot_contents import digest_contents
from pitboss_tournament.processes.sealed_folder import remove_folder, sync_folder

TRIAL_PREFIX: Final = ".trial-"  # of a folder in bots/ that is there for a moment
UPLOAD_ENDING: Final = ".upload"


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
