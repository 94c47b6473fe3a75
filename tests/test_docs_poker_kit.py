"""The page about twists of poker tells the truth: its game keeps every promise, and each name in its tables exists."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from pitboss.parts.betting import acts, messages, rankings
from pitboss.parts.betting.betting_state import BettingState
from pitboss.parts.betting.game import BETTING_PRESENTATION
from pitboss.parts.betting.messages import BettingOptions
from pitboss.parts.betting.variant import BettingStreet
from tests import ROOT
from tests.tournament.command_line import install_plugin, run_pitboss

PAGE: Final = (ROOT / "docs" / "poker-kit.md").read_text(encoding="utf-8")
MAX_LINES: Final = 80


def read_listing(name: str) -> str:
    """Return a file that the page shows."""
    (text,) = re.findall(rf"<!-- file: {re.escape(name)} -->\n```\w+\n(.*?)```", PAGE, re.DOTALL)
    assert isinstance(text, str)
    return text


def read_rows(head: str) -> list[str]:
    """Return the first column of the table of the page that has this head."""
    rows = PAGE.partition(f"| {head} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [row.split("|")[1] for row in rows]


@pytest.mark.once
@pytest.mark.long
def test_the_commands_of_the_page_run(tmp_path: Path) -> None:
    """Each command ends with status 0 where the game of the page is installed; `check-game` is one of them."""
    env = install_plugin(tmp_path, "show_holdem", read_listing("show_holdem.py"))
    commands = re.findall(r"^\$ pitboss (.+)$", PAGE, re.MULTILINE)
    assert commands[0].startswith("check-game show-holdem")

    for command in commands:
        ran = run_pitboss(*shlex.split(command), cwd=tmp_path, env=env)
        assert ran.status == 0, f"{command}\n{ran.out}{ran.err}"


def test_the_project_file_of_the_page_names_the_hook() -> None:
    """The entry point is the module that the page lists, and the wheel holds it."""
    project = tomllib.loads(read_listing("pyproject.toml"))

    assert project["project"]["entry-points"]["pitboss"] == {"show-holdem": "show_holdem"}
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["include"] == ["show_holdem.py"]


def test_the_tables_of_the_page_name_what_exists() -> None:
    """Fields of a street, acts with parameters and actions, names and moments of a state are those of the code."""
    fields = {name for row in read_rows("field") for name in re.findall(r"`(\w+)`", row)}
    assert fields == {*BettingStreet._fields} - {"name"}

    for row in read_rows("act"):
        name, parameters = re.findall(r"`(\w+)\(([\w, ]*)\)`", row)[0]
        assert {*parameters.split(", ")} <= {*getattr(acts, name).__dataclass_fields__}
    for action in re.findall(r"^\| `\w+Act\(.*?\| `(\w+)\(", PAGE, re.MULTILINE):
        assert hasattr(messages, action)
    offered = {*BettingState.__dataclass_fields__, *dir(BettingState)}
    named = {name for head in ("name", "method") for row in read_rows(head) for name in re.findall(r"`(\w+)", row)}
    assert named - {"SEATS_IN"} <= offered
    assert all(hasattr(rankings, name) for name in ("HIGH", "SHORT_DECK", "OMAHA", "LOW", "EIGHT_LOW", "OMAHA_LOW"))
    stakes = PAGE.partition("`BettingOptions` has every stake:")[2].partition("Fields that you add")[0]
    assert {*re.findall(r"`(\w+)`", stakes)} == {*BettingOptions.__struct_fields__} - {"cards"}


def test_the_act_of_the_page_is_that_of_the_example() -> None:
    """The lines of the auction that the page shows are lines of the example, but for docstrings and the bids."""
    example = (ROOT / "examples/plugins/pitboss-poker-twists/peek_holdem.py").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```python\n(class Auction.*?)```", PAGE, re.DOTALL)

    lines = [line for line in shown.splitlines() if line.strip() and "100, 200, 400" not in line]
    assert [line for line in lines if line not in example.splitlines()] == []


def test_the_events_of_the_page_are_those_of_the_presentation() -> None:
    """The page names each event of `BETTING_PRESENTATION`, and its lines that extend them can be run."""
    (listed,) = re.findall(r"^The events of `BETTING_PRESENTATION` are (.*?)\.\n", PAGE, re.MULTILINE | re.DOTALL)
    assert re.findall(r"`(\w+)`", listed) == [*BETTING_PRESENTATION.events]

    (lines,) = re.findall(r"```python\n(presentation = .*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {"msgspec": msgspec, "BETTING_PRESENTATION": BETTING_PRESENTATION}
    exec(lines, names)
    assert {*names["presentation"].events} == {*BETTING_PRESENTATION.events, "bid", "peek"}


def test_the_twists_are_short() -> None:
    """Each example of a twist has at most 80 lines, and the page names it."""
    files = sorted((ROOT / "examples/plugins/pitboss-poker-twists").glob("*_holdem.py"))

    assert len(files) == 5
    assert [file.name for file in files if len(file.read_text(encoding="utf-8").splitlines()) > MAX_LINES] == []
    assert [file.name for file in files if file.name not in PAGE] == []
