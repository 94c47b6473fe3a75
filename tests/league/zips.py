"""Zip archives to submit: good ones, and those of somebody who means harm, written byte by byte."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tests.league.archives import BOT_TOML


class ZipMember(NamedTuple):
    """A file in an archive; what is None follows from the content."""

    name: bytes
    content: bytes = b""
    flags: int = 0
    method: int = 8
    attributes: int = 0o100644 << 16
    size: int | None = None
    crc: int | None = None
    packed: bytes | None = None
    local_name: bytes | None = None
    offset: int | None = None


def make_bot_zip(files: Mapping[str, bytes] = {}, method: int = zipfile.ZIP_DEFLATED, top: str = "") -> bytes:
    """Return the archive of a bot with these files beside its bot.toml, as programs of today write it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in {"bot.toml": BOT_TOML, **files}.items():
            archive.writestr(f"{top}{name}", content)
    return out.getvalue()


def write_zip(members: Sequence[ZipMember], count: int | None = None, comment: bytes = b"") -> bytes:
    """Return an archive of these members, whose directory says that there are `count`."""
    out, directory = bytearray(), bytearray()
    for one in members:
        deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        packed = one.packed
        if packed is None:
            packed = deflate.compress(one.content) + deflate.flush() if one.method == 8 else one.content
        size = len(one.content) if one.size is None else one.size
        crc = zlib.crc32(one.content) if one.crc is None else one.crc
        local_name = one.name if one.local_name is None else one.local_name
        offset = len(out) if one.offset is None else one.offset
        common = (one.flags, one.method, 0, 0, crc, len(packed), size)
        out += struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, *common, len(local_name), 0) + local_name + packed
        directory += struct.pack(
            *("<4s6H3I5H2I", b"PK\x01\x02", 0x0314, 20, *common, len(one.name)), *(0, 0, 0, 0, one.attributes, offset)
        )
        directory += one.name
    said = len(members) if count is None else count
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, said, said, len(directory), len(out), len(comment))
    return bytes(out + directory + end + comment)


def add_to_zip(*members: ZipMember) -> bytes:
    """Return the archive of a bot that has these members, too."""
    return write_zip([ZipMember(b"bot.toml", BOT_TOML), *members])
