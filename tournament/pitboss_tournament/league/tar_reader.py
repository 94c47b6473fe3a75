"""A reader of tar archives from strangers: the bytes of one in, its regular files and folders out.

It reads the forms that tar, git and Python write: ustar, with pax headers, and GNU's long names. It keeps one block in
memory, and it has no answer but a refusal for what is neither a file nor a folder. `tarfile` is not used: it reads a
header of any size into memory, takes numbers below zero, and in some versions loops for ever at one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from pitboss.errors import PitbossError

BLOCK: Final = 512
MAX_HEADER_BYTES: Final = 64 << 10  # of a pax header or a long name
READ_CHUNK: Final = 64 << 10

_NUMBER: Final = re.compile(rb"[ \0]*([0-7]*)[ \0]*")
_OTHER_KINDS: Final = {
    b"1": "a hard link",
    b"2": "a symbolic link",
    b"3": "a device",
    b"4": "a device",
    b"6": "a named pipe",
    b"S": "a file with holes",
}


class ArchiveRefused(PitbossError):
    """An archive is damaged, or holds what no submission may hold. The culprit is who sent it."""


class ArchiveMember(NamedTuple):
    """A file or a folder in an archive, by the name that it has there."""

    name: bytes
    size: int
    is_folder: bool
    may_run: bool


class TarReader:
    """Reads an archive once, from its first byte to its last."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        """Take a function that returns at most a number of bytes, none at the end."""
        self._read = read
        self._left = 0  # bytes of the current member, with what fills its last block

    def members(self) -> Iterator[ArchiveMember]:
        """Yield each file and folder; the content of a file may be read before the next one is asked for.

        Raises:
            ArchiveRefused: as the class says.
        """
        path: bytes | None = None
        size: int | None = None
        while (header := self._next_header()) is not None:
            kind = header[156:157]
            if kind in (b"x", b"g", b"L", b"K"):
                body = self._read_header_body(_number(header[124:136]))
                if kind == b"L":
                    path = body.rstrip(b"\0")
                elif kind == b"x":
                    said = _read_pax(body)
                    path = said.get(b"path", path)
                    size = _whole_number(said[b"size"]) if b"size" in said else size
                continue
            name = _own_name(header) if path is None else path
            if kind not in (b"0", b"\0", b"5"):
                what = _OTHER_KINDS.get(kind, f"an entry of kind {kind!r}")
                raise ArchiveRefused(f"{quote_name(name)} is {what}; a submission holds regular files and folders only")
            is_folder = kind == b"5" or name.endswith(b"/")
            length = _number(header[124:136]) if size is None else size
            self._left = -(-length // BLOCK) * BLOCK
            if is_folder:
                self._skip()
                length = 0
            self._size_left = length
            yield ArchiveMember(name, length, is_folder, bool(_number(header[100:108]) & 0o111))
            path, size = None, None

    def read_content(self) -> Iterator[bytes]:
        """Yield the content of the current file.

        Raises:
            ArchiveRefused: the archive ends before it does.
        """
        while self._size_left:
            part = self._read_some(min(self._size_left, READ_CHUNK))
            self._size_left -= len(part)
            self._left -= len(part)
            yield part

    def _next_header(self) -> bytes | None:
        """Return the next header; None at the end of the archive, after which nothing is looked at."""
        self._skip()
        header = self._read_exactly(BLOCK)
        if not header.strip(b"\0"):
            while self._read(READ_CHUNK):
                pass  # to the end, so that a checksum of the compression is looked at
            return None
        said = _NUMBER.fullmatch(header[148:156])
        if said is None or int(said[1] or b"0", 8) != sum(header) - sum(header[148:156]) + 8 * ord(" "):
            raise ArchiveRefused(
                "it is no tar archive (plain, or compressed by gzip or xz) and no zip, or it is damaged"
            )
        return header

    def _read_header_body(self, size: int) -> bytes:
        if size > MAX_HEADER_BYTES:
            raise ArchiveRefused(f"it has a header of {size:,} bytes; {MAX_HEADER_BYTES:,} are allowed")
        self._left = -(-size // BLOCK) * BLOCK
        body = self._read_exactly(size)
        self._left -= size
        return body

    def _skip(self) -> None:
        while self._left:
            self._left -= len(self._read_some(min(self._left, READ_CHUNK)))

    def _read_exactly(self, size: int) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            parts += self._read_some(size - len(parts))
        return bytes(parts)

    def _read_some(self, size: int) -> bytes:
        part = self._read(size)
        if not part:
            raise ArchiveRefused("the archive ends before its end: was it cut off?")
        return part


def _own_name(header: bytes) -> bytes:
    name, _, _ = header[:100].partition(b"\0")
    prefix, _, _ = header[345:500].partition(b"\0")
    is_ustar = header[257:263] == b"ustar\0"  # elsewhere other things stand at the place of the prefix
    return prefix + b"/" + name if is_ustar and prefix else name


def _number(field: bytes) -> int:
    """Return a number of a header: in octal digits, or, as GNU writes large ones, in bytes after one of 0x80."""
    if field[:1] == b"\x80":
        return int.from_bytes(field[1:])
    found = _NUMBER.fullmatch(field)
    if found is None:
        raise ArchiveRefused(f"a header has {field!r} in place of a number")
    return int(found[1] or b"0", 8)


def _whole_number(text: bytes) -> int:
    if not (text.isdigit() and len(text) < 19):
        raise ArchiveRefused(f"a header has {text[:40]!r} in place of a number")
    return int(text)


def _read_pax(body: bytes) -> dict[bytes, bytes]:
    """Return the records of a pax header, each of which begins with its own length."""
    found: dict[bytes, bytes] = {}
    while body.rstrip(b"\0"):
        length, blank, _ = body.partition(b" ")
        size = _whole_number(length)
        record = body[len(length) + 1 : size]
        key, equals, value = record.removesuffix(b"\n").partition(b"=")
        if not (blank and equals and record.endswith(b"\n")):
            raise ArchiveRefused("it has a pax header that cannot be read")
        if key.startswith(b"GNU.sparse"):
            raise ArchiveRefused("it holds a file with holes; a submission holds regular files and folders only")
        found[key] = value
        body = body[size:]
    return found


def quote_name(name: bytes) -> str:
    """Return a name of an archive, of any bytes and length, for a sentence."""
    return repr(name[:200].decode("utf-8", "backslashreplace"))
