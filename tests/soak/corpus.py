"""How many games of a folder of files are read, by format: `python -m tests.soak.corpus FOLDER`.

A file's format is that of its ending. For each format a line says how many files and games there are, and how many of
the games are read; then each reason of refusals, with how often it is given and where first. Numbers and quoted words
of reasons are left out.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import UNSET

from pitboss.errors import PitbossError, RefusedGame
from pitboss.records.record import StoppedGame, verify
from pitboss_tournament.exchange.importers import IMPORTERS, Importer, decode_lines, list_own_importers, read_games
from tests.plugins import load_registry

FORMATS: Final = {
    ".pbn": "pbn", ".lin": "lin", ".phh": "phh", ".phhs": "phh", ".log": "acpc", ".json": "hanab-live",
    ".jsonl": "hanab-live", ".notation": "notation",
}  # fmt: skip
VARYING: Final = re.compile(r"'[^']*'|\"[^\"]*\"|\([^)]*\)|\[[^\]]*\]|[-+]?\d[\d.,:]*|\bp?[NESW0-9]\b|\.\.\.")
SHOWN_REASONS: Final = 12


class FileReading(NamedTuple):
    """What was read of a file: the number of its games, and the refusals."""

    format: str
    path: Path
    games: int
    unended: int  # of these, without a result
    refused: list[RefusedGame]
    unfinished: int = 0  # of these, right as far as they go


def read_folder(folder: Path) -> Iterator[FileReading]:
    """Yield what is read of each file whose ending is one of a format."""
    registry = load_registry()
    importers = {one.name: one for one in IMPORTERS} | list_own_importers(registry)
    for path in sorted(folder.rglob("*")):
        name = FORMATS.get(path.suffix.lower())
        if name is not None and path.is_file():
            yield read_file(path, importers[name])


def read_file(path: Path, importer: Importer) -> FileReading:
    """Return what is read of a file.

    Raises:
        ReplayDiffers: what is there of an unfinished game does not replay.
    """
    games, unended, refused = 0, 0, list[RefusedGame]()
    try:
        with path.open("rb") as file:
            lines = decode_lines(file, importer, path)
            for found in read_games(importer, lines, load_registry(), lambda _number: None):
                if isinstance(found, RefusedGame):
                    refused.append(found)
                else:
                    games += 1
                    unended += found.record.broken is not UNSET
    except PitbossError as wrong:
        refused.append(RefusedGame(None, str(wrong)))
    records = [one.record for one in refused if isinstance(one, StoppedGame)]
    for record in records:
        verify(record, load_registry().find_game(record.game))
    return FileReading(importer.name, path, games, unended, refused, len(records))


def describe_readings(readings: Iterable[FileReading]) -> Iterator[str]:
    """Yield the lines of the report."""
    files, games, unended, refused = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    unfinished = Counter[str]()
    reasons, first = Counter[tuple[str, str]](), dict[tuple[str, str], str]()
    for reading in readings:
        files[reading.format] += 1
        games[reading.format] += reading.games
        unended[reading.format] += reading.unended
        refused[reading.format] += len(reading.refused)
        unfinished[reading.format] += reading.unfinished
        for one in reading.refused:
            reason = reading.format, VARYING.sub("…", one.why)
            reasons[reason] += 1
            first.setdefault(reason, f"{reading.path.name}: {one}")
    for name in sorted(files):
        found = games[name] + refused[name]
        rate = f"{games[name] / found:.1%}" if found else "nothing"
        open_end = f", {unended[name]:,} of them without a result" if unended[name] else ""
        yield f"{name}: {files[name]:,} files, {found:,} games, {games[name]:,} read ({rate}){open_end}"
        if unfinished[name]:
            yield f"    {unfinished[name]:6,} of the others stop early: `pitboss ask` and `play --resume` read them"
        own = [(reason, count) for reason, count in reasons.most_common() if reason[0] == name]
        for reason, count in own[:SHOWN_REASONS]:
            yield f"    {count:6,} {reason[1][:100]}"
            yield f"           first {first[reason][:160]}"


def main(words: Sequence[str] | None = None) -> None:
    """Print the report of a folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    for line in describe_readings(read_folder(parser.parse_args(words).folder)):
        print(line)


if __name__ == "__main__":
    main()
