"""Output in encodings that lack characters: whatever a command prints, it ends as it does in UTF-8."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.cli.exit_status import UNDECIDED
from tests.marks import first_rows
from tests.tournament.command_line import COMMAND, CommandResult, run_pitboss

pytestmark = pytest.mark.once

NAMES: Final = ("Фокс漢字", "Zoë")
FILE: Final = """
    game = "magpie"
    deals = 3
    seed = "é Ж"
    options = { turns = 3 }
    logs = { keep = "all" }
    [[bots]]
    name = "Фокс漢字"
    bot = "house:random"
    [[bots]]
    name = "Zoë"
    bot = "house:first"
"""
MATCH: Final = ("magpie", "house:first", "house:random", "--deals", "1", "--seed", "Ж", "-o", "turns=3")
LONG: Final = pytest.mark.long
FOR_PEOPLE: Final = (
    ("standings", "Ж.pitboss"),
    ("replay", "Ж.pitboss", "0"),
    ("report", "Ж.pitboss", "-o", "Ж.html"),
    ("play", "magpie", "--against", "house:first", "--name", "Фокс"),
    ("match", *MATCH, "--no-store"),
)
FOR_PEOPLE_TOO: Final = (
    ("standings", "Ж.pitboss", "--pairs", "--explain"),
    ("why", "Ж.pitboss", "Zoë"),
    ("log", "Ж.pitboss", "0"),
    ("integrity", "Ж.pitboss"),
    ("games",),
    ("games", "magpie"),
    ("plugins",),
    ("--help",),
    ("replay", "Ж.pitboss", "--check"),
    ("plan", "--from", "Ж.pitboss"),
    ("ask", "Ж.pitboss", "0", "1", "--bot", "house:first"),
    ("compare", "magpie", "house:first", "house:random", "--games", "4", "--seed", "Ж", "-o", "turns=3"),
    ("check", "Фокс", "--game", "magpie"),
    ("rules", "racko"),
    ("formats",),
    ("bots",),
    ("match", "--help"),
)
FOR_PROGRAMS: Final = (
    ("standings", "Ж.pitboss", "--json"),
    ("standings", "Ж.pitboss", "--csv"),
    ("why", "Ж.pitboss", "Zoë", "--json"),
    ("log", "Ж.pitboss", "0", "--json"),
    ("export", "Ж.pitboss", "--no-times"),
    ("replay", "Ж.pitboss", "0", "--brief"),
    ("report", "Ж.pitboss", "-o", "/dev/stdout"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the store of a tournament whose bots have names in several scripts."""
    folder = tmp_path_factory.mktemp("named")
    (folder / "t.toml").write_text(FILE)
    assert run_pitboss("run", "t.toml", cwd=folder).status == 0
    (folder / "t.pitboss").rename(folder / "Ж.pitboss")
    assert run_pitboss("new", "bot", "python", "Фокс", "--game", "magpie", cwd=folder).status == 0
    return folder


def environment(encoding: str) -> dict[str, str]:
    """Return the environment of a command whose output has an encoding."""
    return {**os.environ, "PYTHONIOENCODING": encoding}


def run_in(encoding: str, folder: Path, words: Sequence[str]) -> CommandResult:
    """Run a command whose output has an encoding; return what it wrote, read in that encoding."""
    ran = subprocess.run(
        [*COMMAND, *words],
        capture_output=True,
        cwd=folder,
        env=environment(encoding),
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return CommandResult(ran.returncode, ran.stdout.decode(encoding), ran.stderr.decode(encoding))


@pytest.mark.parametrize("encoding", ["latin-1", *(pytest.param(one, marks=LONG) for one in ("cp1252", "ascii"))])
@first_rows(1)("words", [*FOR_PEOPLE, *(pytest.param(one, marks=LONG) for one in FOR_PEOPLE_TOO)], ids=" ".join)
def test_what_people_read(folder: Path, words: tuple[str, ...], encoding: str) -> None:
    """Each command ends as it should, and writes nothing that the encoding lacks."""
    ran = run_in(encoding, folder, words)

    assert ran.status == (UNDECIDED if words[0] == "compare" else 0), ran.err
    assert ran.out
    assert "Traceback" not in ran.err


@first_rows(1)("words", FOR_PROGRAMS, ids=" ".join)
def test_what_programs_read(folder: Path, words: tuple[str, ...]) -> None:
    """JSON, CSV, notation and pages are UTF-8 whatever encoding the output has."""
    ran = subprocess.run(
        [*COMMAND, *words],
        capture_output=True,
        cwd=folder,
        env=environment("cp1252"),
        check=True,
    )

    assert "Фокс漢字" in ran.stdout.decode()


@pytest.mark.long
def test_events_of_a_run_are_utf_8(folder: Path) -> None:
    """The events of a run are UTF-8 for programs, too, whatever the encoding of the output."""
    ran = subprocess.run(
        [*COMMAND, "match", *MATCH, "--no-store", "--json"],
        capture_output=True,
        env=environment("latin-1"),
        check=True,
    )

    assert json.loads(ran.stdout.splitlines()[0])["seed"] == "Ж"


@pytest.mark.long
def test_own_signs_have_plain_ones(folder: Path) -> None:
    """A dash between two places, which each table of standings may have, stays one where the encoding lacks it."""
    for encoding, dash, name in (("latin-1", "-", "Zoë"), ("cp1252", "–", "Zoë"), ("ascii", "-", r"Zo\xeb")):
        out = run_in(encoding, folder, ("standings", "Ж.pitboss")).out

        assert f"1{dash}2" in out
        assert name in out
        assert r"\u0424\u043e\u043a\u0441" in out


@pytest.mark.parametrize("length", [248, 300])
def test_names_of_stores_that_no_file_can_have(tmp_path: Path, length: int) -> None:
    """A name of a store that leaves SQLite no room for its files beside it, or is too long itself, is an error of one
    sentence, and makes no file.
    """
    name = "x" * (length - len(".pitboss")) + ".pitboss"
    ran = run_pitboss("match", *MATCH, "--store", name, cwd=tmp_path)

    assert (ran.status, ran.out) == (2, "")
    assert "bytes at most" in ran.error_lines[-1]
    assert not list(tmp_path.iterdir())


@first_rows(1)("words", [("--store", "\udcff.pitboss"), ("--seed", "\udcff", "--no-store")], ids=["a store", "a seed"])
def test_words_that_are_no_utf_8(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Words that are no UTF-8 cannot be written into a record; the sentence shows the bytes."""
    ran = run_pitboss("match", "magpie", "house:first", "house:random", "--deals", "1", *words, cwd=tmp_path)

    assert ran.status == 2
    assert r"\udcff" in ran.error_lines[-1]
