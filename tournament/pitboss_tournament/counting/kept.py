"""What was computed once and is kept: sealed with the version of the code, by which a value that is stale is known.

The version is one checksum of all code whose values are kept: of counts, findings, statistics, formats and rounds, and
of the order in which this machine writes the bytes of numbers. A kept value of another version is not used.
"""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

import msgspec

VERSION_BYTES: Final = 16
PACKAGES: Final = ("counting", "formats", "rounds", "statistics")  # of this distribution, whose values are kept

T = TypeVar("T")


@cache
def compute_code_version() -> bytes:
    """Return the checksum of the code that makes what is kept."""
    version = hashlib.blake2b(sys.byteorder.encode(), digest_size=VERSION_BYTES)
    folder = Path(__file__).parent.parent
    for file in sorted(file for package in PACKAGES for file in (folder / package).glob("*.py")):
        version.update(file.read_bytes())
    return version.digest()


def seal_kept(value: object) -> bytes:
    """Return a value as it is kept: encoded, behind the version of the code."""
    return compute_code_version() + msgspec.msgpack.encode(value)


def open_kept(sealed: bytes | None, kind: type[T]) -> T | None:
    """Return a value that was kept; None if there is none, or none that this code has made."""
    if sealed is None or sealed[:VERSION_BYTES] != compute_code_version():
        return None
    try:
        return msgspec.msgpack.decode(memoryview(sealed)[VERSION_BYTES:], type=kind)
    except msgspec.MsgspecError:
        return None
