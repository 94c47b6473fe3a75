"""Mistakes on a command line are answered with what was meant."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.cli.exit_status import NO_VERDICT
from tests.mistakes import each_mistake
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

MATCH: Final = ("match", "magpie", "house:first", "house:random", "-o", "turns=1", "--deals", "1", "--seed", "s")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a store and a tournament file."""
    folder = tmp_path_factory.mktemp("meant")
    assert run_pitboss(*MATCH, "--sandbox", "none", "--store", "x.pitboss", cwd=folder).status == 0
    (folder / "x.toml").write_text('game = "magpie"\nsandbox = "none"\nbots = ["house:first", "house:random"]\n')
    return folder


@each_mistake(__file__)
def test_a_mistake_is_answered(folder: Path, written: str, said: str) -> None:
    """The command says what was meant, and ends with status 2; `compare`, where that is a verdict, with 3."""
    ran = run_pitboss(*written.split(), cwd=folder)

    assert said in " ".join(ran.err.split())
    assert ran.status == (NO_VERDICT if written.startswith("compare") else 2)


@pytest.mark.long
def test_a_seed_with_other_bots(tmp_path: Path) -> None:
    """A seed names a store; one in which other bots have played is not played on by that."""
    first = run_pitboss(*MATCH, "--sandbox", "none", cwd=tmp_path)
    other = run_pitboss("match", "magpie", "house:first", "house:first", *MATCH[4:], "--sandbox", "none", cwd=tmp_path)
    again = run_pitboss(*MATCH, "--sandbox", "none", cwd=tmp_path)

    assert (first.status, again.status, other.status) == (0, 0, 2)
    assert "magpie-s.pitboss has the games of this seed, without house:first-2 and with house:random: " in other.err
    assert "take another --seed, or another file by --store FILE" in other.err
