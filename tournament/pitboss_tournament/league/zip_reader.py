"""A reader of zip archives from strangers: a file in, its regular files and folders out.

The directory at the end of the file says what is in the archive. What stands before each file must say the same, no
two files may share bytes, and each content must have the length and the checksum that the directory names: all
programs that read the archive then see the same files. `zipfile` is not used: it holds the whole directory in memory
before it asks how long that is, and takes archives that different programs read differently.
"""

from __future__ import annotations

import re
import stat
import struct
import zlib
from collections.abc import Iterator
from typing import IO, Final, NamedTuple

from pitboss_tournament.league.tar_reader import READ_CHUNK, ArchiveMember, ArchiveRefused, quote_name

ZIP_SIGNS: Final = (b"PK\x03\x04", b"PK\x05\x06")  # how a zip archive begins; the second one is empty
FREE_BYTES: Final = 1 << 20  # that may come out before the ratio is looked at
MAX_RATIO: Final = 200  # of what comes out to the size of the archive

_END_SIGN: Final = b"PK\x05\x06"
_END: Final = struct.Struct("<4s4H2IH")
_ENTRY: Final = struct.Struct("<4s6H3I5H2I")
_LOCAL: Final = struct.Struct("<4s5H3I2H")
_LONGEST_COMMENT: Final = 0xFFFF
_ENCRYPTED: Final = 0x2041  # flags: encrypted, strongly encrypted, with a hidden directory
_SIZES_FOLLOW: Final = 0x0008  # a flag: size and checksum stand behind the content
_IS_UTF8: Final = 0x0800  # a flag
_STORED, _DEFLATED = 0, 8
_UNKNOWN: Final = 0xFFFFFFFF  # zip64 stands elsewhere
_FOR_LARGE_FILES: Final = "a zip64 archive, which is for more than 4 GiB; send a plain zip or a tar archive"
_LONGEST_NAME: Final = 4096  # bytes that are read
_DRIVE: Final = re.compile(rb"[A-Za-z]:")
_MAC_FOLDER: Final = b"__MACOSX/"  # what macOS puts beside the files: icons and dates
_FOLDER_OF_DOS: Final = 0x10  # an attribute


class _Entry(NamedTuple):
    """An entry of the directory."""

    name: bytes  # in UTF-8
    raw_name: bytes
    flags: int
    method: int
    crc: int
    packed: int  # bytes in the archive
    size: int
    attributes: int
    offset: int


class ZipReader:
    """Reads the files of an archive in the order in which they stand in it."""

    def __init__(self, file: IO[bytes], max_files: int, max_bytes: int) -> None:
        """Read the directory of an archive with at most `max_files` files and folders, and `max_bytes` in them.

        Raises:
            ArchiveRefused: the archive is damaged, or holds what no submission may hold.
        """
        self._file = file
        self._archive_bytes = file.seek(0, 2)
        self._max_bytes = max_bytes
        self._given = 0
        self._entries = sorted(self._read_directory(max_files), key=lambda entry: entry.offset)
        self._current: _Entry | None = None
        self._data_at = 0

    def members(self) -> Iterator[ArchiveMember]:
        """Yield each file and folder; the content of a file may be read before the next one is asked for.

        Raises:
            ArchiveRefused: as the class says.
        """
        before = 0
        for entry in self._entries:
            if entry.offset < before:
                raise ArchiveRefused(f"two files of the zip archive share bytes, one of them {quote_name(entry.name)}")
            self._data_at = self._find_data(entry)
            before = self._data_at + entry.packed
            if before > self._directory_at:
                raise _tell_damage(f"{quote_name(entry.name)} ends behind the place where its directory begins")
            if entry.name.startswith(_MAC_FOLDER):
                continue
            self._current = entry
            is_folder = entry.name.endswith(b"/")
            may_run = bool((entry.attributes >> 16) & 0o111)
            yield ArchiveMember(entry.name, 0 if is_folder else entry.size, is_folder, may_run)

    def read_content(self) -> Iterator[bytes]:
        """Yield the content of the current file.

        Raises:
            ArchiveRefused: it is not as the directory says.
        """
        entry = self._current
        assert entry is not None
        size, crc = 0, 0
        for part in self._unpack(entry):
            size, crc = size + len(part), zlib.crc32(part, crc)
            self._given += len(part)
            if size > entry.size:
                raise _tell_damage(f"{quote_name(entry.name)} has more than the {entry.size:,} bytes that it promises")
            if self._given > FREE_BYTES + MAX_RATIO * self._archive_bytes:
                raise ArchiveRefused(f"it is compressed to less than 1/{MAX_RATIO} of its size")
            yield part
        if (size, crc) != (entry.size, entry.crc):
            raise _tell_damage(f"{quote_name(entry.name)} has another length or checksum than it promises")

    def _unpack(self, entry: _Entry) -> Iterator[bytes]:
        self._file.seek(self._data_at)
        left = entry.packed
        engine = zlib.decompressobj(-zlib.MAX_WBITS) if entry.method == _DEFLATED else None
        pending = b""
        while True:
            if not pending and left:
                pending = self._file.read(min(left, READ_CHUNK))
                if not pending:
                    raise _tell_damage("it ends before its end")
                left -= len(pending)
            if engine is None:
                if not pending:
                    return
                yield pending
                pending = b""
                continue
            try:
                part = engine.decompress(pending, READ_CHUNK)
            except zlib.error as error:
                raise _tell_damage(f"{quote_name(entry.name)}: {error}") from None
            pending = engine.unconsumed_tail
            if part:
                yield part
            if engine.eof:
                if left or pending or engine.unused_data:
                    raise _tell_damage(f"other bytes follow the content of {quote_name(entry.name)}")
                return
            if not part and not pending and not left:
                raise _tell_damage(f"the content of {quote_name(entry.name)} is cut off")

    def _read_directory(self, max_files: int) -> Iterator[_Entry]:
        end, at = self._find_end()
        _, disk, first_disk, here, count, size, offset, _ = end
        if _UNKNOWN in (size, offset) or 0xFFFF in (here, count):
            raise ArchiveRefused(
                "it is a zip64 archive, which is for more than 4 GiB; send a plain zip or a tar archive"
            )
        if disk or first_disk or here != count:
            raise ArchiveRefused("it is a part of a zip archive of several parts; send a whole one")
        if offset + size != at:
            raise _tell_damage("its directory is not where it says")
        most = 2 * max_files + 1  # macOS doubles each file in a folder that is not read
        if count > most:
            raise ArchiveRefused(f"there are more than {max_files:,} files and folders in it")
        self._directory_at = offset
        self._file.seek(offset)
        left, promised = size, 0
        for _ in range(count):
            head = self._file.read(_ENTRY.size)
            if len(head) < _ENTRY.size or not head.startswith(b"PK\x01\x02"):
                raise _tell_damage("its directory has fewer entries than it says")
            fields = _ENTRY.unpack(head)
            lengths = fields[10:13]  # of name, extra field, comment
            raw_name = self._file.read(lengths[0])
            if len(raw_name) > _LONGEST_NAME:
                raise ArchiveRefused(f"the name {quote_name(raw_name)}… is longer than {_LONGEST_NAME:,} bytes")
            self._file.seek(lengths[1] + lengths[2], 1)
            left -= _ENTRY.size + sum(lengths)
            entry = _Entry(_decode(raw_name, fields[3]), raw_name, fields[3], *fields[4:5], *fields[7:10], *fields[15:])
            _check_entry(entry)
            promised += entry.size
            if promised > self._max_bytes:
                raise ArchiveRefused(f"there are more than {self._max_bytes:,} bytes in it")
            yield entry
        if left:
            raise _tell_damage("its directory has another length than it says")

    def _find_end(self) -> tuple[tuple[int, ...], int]:
        """Return the record at the end of the archive, and where it begins."""
        if self._archive_bytes < _END.size:
            raise _tell_damage("it has no directory at its end")
        length = min(self._archive_bytes, _END.size + _LONGEST_COMMENT)
        first = self._archive_bytes - length
        self._file.seek(first)
        tail = self._file.read(length)
        before = len(tail) - _END.size + len(_END_SIGN)
        while (at := tail.rfind(_END_SIGN, 0, before)) >= 0:
            found = _END.unpack_from(tail, at)
            if at + _END.size + found[7] == len(tail):
                return found, first + at
            before = at + len(_END_SIGN) - 1
        raise _tell_damage("it has no directory at its end")

    def _find_data(self, entry: _Entry) -> int:
        """Return where the content of a file begins; what stands before that must say what the directory says."""
        self._file.seek(entry.offset)
        head = self._file.read(_LOCAL.size)
        if len(head) < _LOCAL.size or not head.startswith(b"PK\x03\x04"):
            raise _tell_damage(f"there is no file where {quote_name(entry.name)} should be")
        _, _, flags, method, _, _, crc, packed, size, name_bytes, extra_bytes = _LOCAL.unpack(head)
        sizes = (crc, packed, size)
        is_same = sizes == (entry.crc, entry.packed, entry.size) or (flags & _SIZES_FOLLOW and not any(sizes))
        if self._file.read(name_bytes) != entry.raw_name or method != entry.method or not is_same:
            raise _tell_damage(f"what stands before {quote_name(entry.name)} differs from the directory")
        if flags & _ENCRYPTED:
            raise _tell_password(entry)
        return int(entry.offset + _LOCAL.size + name_bytes + extra_bytes)


def _check_entry(entry: _Entry) -> None:
    shown = quote_name(entry.name)
    if entry.flags & _ENCRYPTED:
        raise _tell_password(entry)
    if _UNKNOWN in (entry.packed, entry.size, entry.offset):
        raise ArchiveRefused(
            f"{shown} is written as zip64, which is for more than 4 GiB; send a plain zip or a tar archive"
        )
    if entry.method not in (_STORED, _DEFLATED):
        raise ArchiveRefused(f"{shown} is compressed by method {entry.method}; only deflate, the usual one, is read")
    if entry.method == _STORED and entry.packed != entry.size:
        raise _tell_damage(f"{shown} has two lengths")
    if _DRIVE.match(entry.name):
        raise ArchiveRefused(f"the name {shown} begins with a drive; names begin at the bot's folder")
    kind = stat.S_IFMT(entry.attributes >> 16)
    is_folder = entry.name.endswith(b"/")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        what = "a symbolic link" if kind == stat.S_IFLNK else "neither a file nor a folder"
        raise ArchiveRefused(f"{shown} is {what}; a submission holds regular files and folders only")
    if (is_folder and entry.size) or (not is_folder and (kind == stat.S_IFDIR or entry.attributes & _FOLDER_OF_DOS)):
        raise _tell_damage(f"{shown} is a file and a folder")


def _decode(name: bytes, flags: int) -> bytes:
    """Return a name in UTF-8: programs of old write it in the letters of the first PC."""
    if flags & _IS_UTF8:
        return name
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return name.decode("cp437").encode()
    return name


def _tell_password(entry: _Entry) -> ArchiveRefused:
    return ArchiveRefused(f"{quote_name(entry.name)} is encrypted; send an archive without a password")


def _tell_damage(why: str) -> ArchiveRefused:
    return ArchiveRefused(f"the zip archive is damaged, or was cut off: {why}")
