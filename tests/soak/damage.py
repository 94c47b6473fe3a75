"""Files of other programs, damaged at random and read: `python -m tests.soak.damage [TIMES]`, by default 600 a format.

A line for each format says how many games were read of the damaged files and how many were refused. What is neither, a
traceback, ends the run: the file that made it is kept, and its path printed.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from pitboss import Random
from pitboss_tournament.exchange.importers import list_own_importers
from tests.foreign_files import list_foreign_files
from tests.plugins import load_registry
from tests.soak.corpus import FORMATS, FileReading, read_file

TIMES: Final = 600
LONGEST_CUT: Final = 12  # bytes
ODD_BYTES: Final = (
    b"\x00",
    b"\xff",
    b"\n",
    b'"',
    b"[",
    b"]",
    b"{",
    b"|",
    b":",
    b"-",
    b"9" * 5_000,
    b"[" * 2_000,
    b"1e999",
)


class DamagedFile(NamedTuple):
    """A damaged file, and what is read of it."""

    path: Path
    reading: FileReading


def damage_file(data: bytes, rng: Random) -> bytes:
    """Return a file with one to three damages: bytes cut out, doubled, exchanged or put in, or a line elsewhere."""
    for _ in range(1 + rng.randbelow(3)):
        at, length = rng.randbelow(len(data) + 1), 1 + rng.randbelow(LONGEST_CUT)
        kind = rng.randbelow(5)
        if kind == 0:
            data = data[:at] + data[at + length :]
        elif kind == 1:
            data = data[:at] + data[at : at + length] + data[at:]
        elif kind == 2:
            data = data[:at] + bytes([32 + rng.randbelow(95)]) + data[at + 1 :]
        elif kind == 3:
            data = data[:at] + rng.choice(ODD_BYTES) + data[at:]
        else:
            lines = data.split(b"\n")
            lines.insert(rng.randbelow(len(lines)), lines.pop(rng.randbelow(len(lines))))
            data = b"\n".join(lines)
    return data


def damage_format(name: str, times: int, folder: Path, seed: str) -> Iterator[DamagedFile]:
    """Yield `times` damaged files of a format, each with what is read of it."""
    importer, rng = list_own_importers(load_registry())[name], Random(f"{seed}/{name}")
    files = [file for file in list_foreign_files() if FORMATS[Path(file.name).suffix] == name]
    for number in range(times):
        file = files[number % len(files)]
        path = folder / f"{number}-{file.name}"
        path.write_bytes(damage_file(file.data, rng))
        yield DamagedFile(path, read_file(path, importer))
        path.unlink()


def main(words: Sequence[str] | None = None) -> None:
    """Damage files of each format, and print a line for each."""
    given = sys.argv[1:] if words is None else words
    times = int(given[0]) if given else TIMES
    folder = Path(tempfile.mkdtemp(prefix="damage-"))
    print(f"damaged files lie in {folder} while they are read", flush=True)
    for name in sorted(list_own_importers(load_registry())):
        readings = [one.reading for one in damage_format(name, times, folder, "soak")]
        games, refused = sum(one.games for one in readings), sum(len(one.refused) for one in readings)
        print(f"{name}: {times} damaged files, {games:,} games read, {refused:,} refused, no traceback", flush=True)
    folder.rmdir()


if __name__ == "__main__":
    main()
