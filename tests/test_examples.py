"""The tournaments of `examples/` can be played, each with one deal, by the real command line."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.formats.selection import load_built_in_formats
from tests import ROOT
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

QUICK: Final = {"racko"}
EXAMPLES: Final = sorted((ROOT / "examples").glob("*.toml"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder for examples with the bots that they name beside it."""
    shutil.copytree(ROOT / "bots", tmp_path / "bots", ignore=shutil.ignore_patterns("build", "__pycache__"))
    (tmp_path / "examples").mkdir()
    return tmp_path / "examples"


def copy_with_one_deal(example: Path, folder: Path) -> Path:
    """Copy an example to a folder, with one deal in place of many, and a budget of few games."""
    text, times = re.subn(r"(?m)^deals = \d+$", "deals = 1", example.read_text(encoding="utf-8"))
    assert times
    text = re.sub(r"(?m)^games = \d+$", "games = 24", text)
    copy = folder / example.name
    copy.write_text(text, encoding="utf-8")
    return copy


@pytest.mark.long
@pytest.mark.parametrize(
    "example",
    [pytest.param(one, id=one.stem, marks=() if one.stem in QUICK else pytest.mark.long) for one in EXAMPLES],
)
def test_an_example_is_played_to_its_end(example: Path, folder: Path) -> None:
    """An example ends with status 0 and standings of all its bots, which played without a fault."""
    bots = tomllib.loads(example.read_text(encoding="utf-8"))["bots"]

    ran = run_pitboss("run", "--json", copy_with_one_deal(example, folder).name, cwd=folder)

    assert ran.status == 0, ran.err
    standings = json.loads(ran.out.splitlines()[-1])["standings"]
    assert len(bots) == len(standings)
    assert all(line["faults"] == {} and line["games"] > 0 for line in standings)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_an_example_says_what_it_is(example: Path) -> None:
    """The first line of an example is a comment that says what it is."""
    assert example.read_text(encoding="utf-8").startswith("# ")


@pytest.mark.long
def test_partners_of_the_team_example_stay_partners(folder: Path) -> None:
    """In all rotations north and south have the same points and place, and so have east and west, the other team."""
    example = copy_with_one_deal(ROOT / "examples" / "ragamaru-teams.toml", folder)

    ran = run_pitboss("run", "--json", example.name, cwd=folder)

    games = [line for line in map(json.loads, ran.out.splitlines()) if line["event"] == "game"]
    assert len(games) == 4
    for game in games:
        points = dict(zip(game["bots"], game["points"], strict=True))
        assert points["north"] == points["south"] != points["east"] == points["west"]


def test_there_is_an_example_of_each_format() -> None:
    """Each format has an example that is played here, and at least one has an early end."""
    files = [tomllib.loads(example.read_text(encoding="utf-8")) for example in EXAMPLES]

    assert set(load_built_in_formats()) - {"round-robin"} == {
        file["format"]["name"] for file in files if "format" in file
    }
    assert any("stop" in file for file in files)


def test_there_is_an_example_of_each_game() -> None:
    """A person who wants to play one of these ten games finds a tournament of it to begin with."""
    games = {tomllib.loads(example.read_text(encoding="utf-8"))["game"] for example in EXAMPLES}

    named = {"bridge", "cribbage", "dou-dizhu", "eights", "fireworks", "gin-rummy"}
    assert games == named | {"lucky-maker", "racko", "ragamaru", "rummy"}
