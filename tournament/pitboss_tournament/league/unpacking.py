"""Unpacking of a submission: regular files and folders, below one folder, within bounds.

What is written is decided by this module alone: no name, mode or kind of an archive reaches the disk as it is. A tar
archive is read once, as a stream, with some blocks in memory; of a zip archive the directory is in memory, too.
"""

from __future__ import annotations

import lzma
import os
import shutil
import zlib
from pathlib import Path
from typing import IO, Final, NamedTuple
from unicodedata import normalize

from pitboss_tournament.league.tar_reader import BLOCK, READ_CHUNK, ArchiveMember, ArchiveRefused, TarReader
from pitboss_tournament.league.zip_reader import FREE_BYTES, MAX_RATIO, ZIP_SIGNS, ZipReader
from pitboss_tournament.plan.limits import MEBIBYTE
from pitboss_tournament.plan.paths import BOT_FILE

MAX_FOLDER_DEPTH: Final = 16  # folders in one another
MAX_PATH_BYTES: Final = 240  # a file system takes 255 for one name, and the league's own path stands before it
XZ_MEMORY: Final = 128 << 20  # of its dictionary; `xz -9` needs half as much
FILES_ONLY: Final = ".gitignore"  # the name of a file, for git; a folder of that name is a trap for whoever reads it
BYTES_BESIDE: Final = 3 * BLOCK  # in the archive, for each file, beside its content


class UnpackBounds(NamedTuple):
    """How much a submission may be."""

    max_mb: int
    max_files: int

    @property
    def max_bytes(self) -> int:
        """Of its files together."""
        return self.max_mb * MEBIBYTE

    @property
    def max_archive_bytes(self) -> int:
        """Of its archive, compressed or not."""
        return self.max_bytes + self.max_files * BYTES_BESIDE + MEBIBYTE


def unpack_archive(archive: Path, folder: Path, bounds: UnpackBounds) -> None:
    """Write the files of an archive into a folder that exists and is empty, readable for everybody.

    The folder has the files of the bot, also if the archive has them in one folder at its top.

    Raises:
        ArchiveRefused: the archive is damaged, too large, or holds what no submission may hold; the folder then has
            some of the files.
        OSError: a file cannot be written.
    """
    with archive.open("rb") as file:
        is_zip = file.read(4) in ZIP_SIGNS
        file.seek(0)
        reader = (
            ZipReader(file, bounds.max_files, bounds.max_archive_bytes)
            if is_zip
            else TarReader(Decompressor(file, bounds.max_archive_bytes).read)
        )
        tree = _Tree(folder, bounds)
        for member in reader.members():
            tree.add(member, reader)
    _lift_single_folder(folder)
    if not (folder / BOT_FILE).is_file():
        raise ArchiveRefused(f"there is no {BOT_FILE} in it; a bot's folder says there how to start it")


class Decompressor:
    """The plain bytes of a file that is plain or compressed by gzip or xz: how many there may be is bounded."""

    def __init__(self, file: IO[bytes], max_bytes: int) -> None:
        self._file = file
        self._max_bytes = max_bytes
        self._taken = 0  # of the file
        self._given = 0
        self._pending = self._take()
        self._engine = self._new_engine()

    def read(self, size: int) -> bytes:
        """Return at most a number of bytes; none at the end.

        Raises:
            ArchiveRefused: the file is damaged, or there are too many.
        """
        try:
            part = self._read_plain(size) if self._engine is None else self._decompress(size)
        except (zlib.error, lzma.LZMAError, EOFError) as error:
            raise ArchiveRefused(f"its compression is damaged: {str(error)[:200]}") from None
        self._given += len(part)
        if self._given > self._max_bytes:
            raise ArchiveRefused(f"there are more than {self._max_bytes:,} bytes in it")
        if self._engine is not None and self._given > FREE_BYTES + MAX_RATIO * self._taken:
            raise ArchiveRefused(f"it is compressed to less than 1/{MAX_RATIO} of its size")
        return part

    def _read_plain(self, size: int) -> bytes:
        if not self._pending:
            self._pending = self._take()
        part, self._pending = self._pending[:size], self._pending[size:]
        return part

    def _decompress(self, size: int) -> bytes:
        assert self._engine is not None
        while True:
            if self._engine.eof:
                self._pending = self._engine.unused_data or self._take()
                if not self._pending.strip(b"\0"):  # xz and tapes fill up with them
                    return b""
                self._engine = self._new_engine()
                if self._engine is None:
                    raise ArchiveRefused("its compression is damaged: other bytes follow")
            part = self._feed(size)
            if part:
                return part
            if not self._engine.eof:
                self._pending = self._pending or self._take()
                if not self._pending:
                    raise ArchiveRefused("the archive ends before its end: was it cut off?")

    def _feed(self, size: int) -> bytes:
        """Return what comes out of the engine for what is pending, at most `size` bytes."""
        engine = self._engine
        given, self._pending = self._pending, b""
        if isinstance(engine, lzma.LZMADecompressor):
            return engine.decompress(given, size)
        assert engine is not None
        part = engine.decompress(given, size)
        self._pending = engine.unconsumed_tail
        return part

    def _take(self) -> bytes:
        part = self._file.read(READ_CHUNK)
        self._taken += len(part)
        return part

    def _new_engine(self) -> lzma.LZMADecompressor | zlib._Decompress | None:
        if self._pending.startswith(b"\x1f\x8b"):
            return zlib.decompressobj(16 + zlib.MAX_WBITS)
        if self._pending.startswith(b"\xfd7zXZ\0"):
            return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY)
        return None


class _Tree:
    """The folder that is filled, and the names that are taken in it."""

    def __init__(self, folder: Path, bounds: UnpackBounds) -> None:
        self._folder = folder
        self._bounds = bounds
        self._bytes = 0
        self._kinds: dict[tuple[str, ...], tuple[tuple[str, ...], bool]] = {}  # by folded name: name, is a folder

    def add(self, member: ArchiveMember, reader: TarReader | ZipReader) -> None:
        parts = split_name(member.name)
        if not parts and member.is_folder:
            return  # `./`
        if not parts:
            raise ArchiveRefused("a file in it has no name")
        for depth in range(1, len(parts)):
            self._add_folder(parts[:depth])
        if member.is_folder:
            self._add_folder(parts)
            return
        self._claim(parts, is_folder=False)
        self._bytes += member.size
        if self._bytes > self._bounds.max_bytes:
            raise ArchiveRefused(f"its files are larger than {self._bounds.max_mb} MiB together")
        mode = 0o755 if member.may_run else 0o644
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        descriptor = os.open(self._folder.joinpath(*parts), flags, mode)
        with open(descriptor, "wb") as out:  # noqa: PTH123 - a descriptor
            os.fchmod(descriptor, mode)  # whatever the umask
            for part in reader.read_content():
                out.write(part)

    def _add_folder(self, parts: tuple[str, ...]) -> None:
        if self._claim(parts, is_folder=True):
            path = self._folder.joinpath(*parts)
            path.mkdir()
            path.chmod(0o755)

    def _claim(self, parts: tuple[str, ...], *, is_folder: bool) -> bool:
        """Take a name; return whether it is new.

        Raises:
            ArchiveRefused: it is taken, or there are too many.
        """
        folded = tuple(normalize("NFC", part).casefold() for part in parts)
        if is_folder and folded[-1] == FILES_ONLY:
            raise ArchiveRefused(f"{'/'.join(parts)!r} in it is a folder; only a file is called {FILES_ONLY}")
        known = self._kinds.get(folded)
        if known is not None:
            name, was_folder = known
            if name == parts and is_folder and was_folder:
                return False
            if name == parts and is_folder == was_folder:
                raise ArchiveRefused(f"there are two files {'/'.join(parts)!r} in it")
            if name == parts:
                raise ArchiveRefused(f"{'/'.join(parts)!r} is a file and a folder in it")
            raise ArchiveRefused(
                f"{'/'.join(name)!r} and {'/'.join(parts)!r} in it are one name for some disks: rename one of them"
            )
        if len(self._kinds) >= self._bounds.max_files:
            raise ArchiveRefused(f"there are more than {self._bounds.max_files:,} files and folders in it")
        self._kinds[folded] = parts, is_folder
        return True


def split_name(name: bytes) -> tuple[str, ...]:
    """Return the parts of a name in an archive; none for `./`.

    Raises:
        ArchiveRefused: it leads out of the folder, is no text, or is too long.
    """
    shown = repr(name[:MAX_PATH_BYTES].decode("utf-8", "backslashreplace"))
    try:
        text = name.decode("utf-8")
    except UnicodeDecodeError:
        raise ArchiveRefused(f"the name {shown} is not UTF-8") from None
    if len(name) > MAX_PATH_BYTES:
        raise ArchiveRefused(f"the name {shown}… is longer than {MAX_PATH_BYTES} bytes")
    if text.startswith("/"):
        raise ArchiveRefused(f"the name {shown} is absolute; names begin at the bot's folder")
    parts = text.split("/")
    if parts[0] == ".":
        parts = parts[1:]
    if parts and not parts[-1]:
        parts = parts[:-1]
    if not all(part.isprintable() and part not in ("", ".", "..") and "\\" not in part for part in parts):
        raise ArchiveRefused(f"the name {shown} has a part that no file of a submission may have")
    if len(parts) > MAX_FOLDER_DEPTH:
        raise ArchiveRefused(f"the name {shown} is more than {MAX_FOLDER_DEPTH} folders deep")
    return tuple(parts)


def _lift_single_folder(folder: Path) -> None:
    """Put the files in place of the one folder that has all of them, as archives from a forge have."""
    found = list(folder.iterdir())
    if len(found) != 1 or not (found[0] / BOT_FILE).is_file():
        return
    [top] = found
    aside = folder / ".top"  # hidden names are no part of a bot: none of those that are needed is this one
    top.rename(aside)
    for path in list(aside.iterdir()):
        if not path.name.startswith("."):
            path.rename(folder / path.name)
    shutil.rmtree(aside)
