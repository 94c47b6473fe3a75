"""docs/results.md tells the truth: its table has the columns that are exported, its commands run, its notebook gives the standings."""

from __future__ import annotations

import csv
import importlib.util
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final, get_type_hints

import pytest

from pitboss_tournament.cli.results import What
from pitboss_tournament.results.export import SeatLine
from tests.tournament.commandline import pitboss
from tests.tournament.plans import entrant, plan, run

pytestmark = pytest.mark.once

PAGE: Final = (Path(__file__).resolve().parent.parent / "docs" / "results.md").read_text(encoding="utf-8")
ROWS: Final = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)
WHATS: Final = {what.value for what in What}
TYPES: Final = {int: "int", float: "float", str: "str", str | None: "str or empty", float | None: "float or empty"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the store of a small tournament, all logs kept, and what the page's commands export from it."""
    folder = tmp_path_factory.mktemp("results")
    run(plan(folder / "x.pitboss", entrant("good", "a"), entrant("good", "b"), entrant("exits_with_3", "c"), keep_logs="all"))
    for command in re.findall(r"^\$ pitboss (.+)$", PAGE, re.MULTILINE):
        ran = pitboss(*shlex.split(command), cwd=folder)
        assert ran.status == 0, f"{command}\n{ran.err}"
    return folder


def test_the_columns_of_the_page() -> None:
    """They are those that are exported, in their order, with their types."""
    hints = get_type_hints(SeatLine)

    assert [(name, kind) for name, kind, _ in ROWS if name not in WHATS] == [
        (name, TYPES[hints[name]]) for name in SeatLine.__struct_fields__
    ]


def test_what_can_be_exported() -> None:
    """The page has a row for each choice of --what."""
    assert sorted(name for name, _, _ in ROWS if name in WHATS) == sorted(WHATS)


def test_the_heading_of_the_csv(folder: Path) -> None:
    """It is the table of the page; what may be empty is empty somewhere or filled, everything else never is."""
    with (folder / "x.csv").open() as lines:
        rows = list(csv.DictReader(lines))

    assert list(rows[0]) == [name for name, _, _ in ROWS if name not in WHATS]
    needed = [name for name, kind, _ in ROWS if name not in WHATS and "empty" not in kind]
    assert all(row[name] != "" for row in rows for name in needed)


@pytest.mark.parametrize("what", ["records", "events", "incidents", "logs"])
def test_the_keys_of_the_lines(folder: Path, what: str) -> None:
    """Each key that the page names is in every line."""
    [told] = [meaning for name, _, meaning in ROWS if name == what]
    keys = re.findall(r"`(\w+)`", told)
    lines = [json.loads(line) for line in pitboss("export", "x.pitboss", "-w", what, cwd=folder).out.splitlines()]

    assert lines
    assert "game_id" in keys
    assert all(key in line for line in lines for key in keys)


def test_the_notebook(folder: Path) -> None:
    """The page's example runs as it stands, and finds the means that the standings have."""
    if importlib.util.find_spec("polars") is None:
        pytest.skip("polars is not installed")
    code = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
    code += "\nprint('!', *table.select('bot', 'blocks', 'win', 'points').row(0), sep='\\t')"
    ran = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stderr
    bot, blocks, win, points = ran.stdout.splitlines()[-1].split("\t")[1:]
    lines = {line["name"]: line for line in pitboss("standings", "x.pitboss", "--json", cwd=folder).value["standings"]}
    assert int(blocks) == lines[bot]["blocks"]
    assert float(win) == pytest.approx(lines[bot]["wins"]["mean"])
    assert float(points) == pytest.approx(lines[bot]["points"]["mean"])
