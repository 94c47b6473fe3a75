"""Files of other programs: each habit is read, and damage ends in a game or in a sentence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pitboss_tournament.exchange.importers import list_own_importers
from tests import ROOT
from tests.foreign_files import ForeignFile, list_foreign_files
from tests.plugins import load_registry
from tests.soak.corpus import FORMATS, describe_readings, read_file, read_folder
from tests.soak.damage import damage_format

FILES = list_foreign_files()


@pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])
def test_a_habit(file: ForeignFile, tmp_path: Path) -> None:
    """Of a file as another program writes it the games are read, and those that are wrong refused with a sentence."""
    path = tmp_path / file.name
    path.write_bytes(file.data)

    reading = read_file(path, list_own_importers(load_registry())[FORMATS[path.suffix]])

    assert (reading.games, len(reading.refused)) == (file.games, file.refused), [*map(str, reading.refused)]
    assert all(one.line for one in reading.refused)


def test_each_format_has_files() -> None:
    """The files show habits of every format that a game reads."""
    assert {FORMATS[Path(file.name).suffix] for file in FILES} == {*list_own_importers(load_registry())}


def test_the_report_of_a_folder(tmp_path: Path) -> None:
    """The report has a line for each format, with the share of games that are read, and the reasons of refusals."""
    for file in FILES:
        (tmp_path / file.name).write_bytes(file.data)

    lines = [*describe_readings(read_folder(tmp_path))]
    found = [file for file in FILES if file.name.endswith(".pbn")]
    games, refused = sum(file.games for file in found), sum(file.refused for file in found)

    share = games / (games + refused)
    assert (
        f"pbn: {len(found)} files, {games + refused} games, {games} read ({share:.1%}), 2 of them without a result"
        in lines
    )
    assert any("it is a deal, and no game" in line for line in lines)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted({*FORMATS.values()} - {"notation"}))
def test_damage(name: str, tmp_path: Path) -> None:
    """Of 60 damaged files of a format each is read to games and refusals, and every refusal is a sentence."""
    refused = [str(one) for damaged in damage_format(name, 60, tmp_path, "test") for one in damaged.reading.refused]

    assert refused
    assert all(len(one) > 10 and "\n" not in one for one in refused)


@pytest.mark.once
@pytest.mark.long
def test_the_command(tmp_path: Path) -> None:
    """The soak command prints the report of a folder."""
    (tmp_path / FILES[0].name).write_bytes(FILES[0].data)
    words = [sys.executable, "-m", "tests.soak.corpus", str(tmp_path)]

    ran = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT)
    assert ran.stdout == f"pbn: 1 files, {FILES[0].games} games, {FILES[0].games} read (100.0%)\n"
