"""docs/results.md, statistics.md and integrity.md tell the truth.

Its table has the columns that are exported, its commands run, its notebook gives the standings.
"""

from __future__ import annotations

import csv
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, get_type_hints

import pytest

from pitboss_tournament.cli.commands.export import KINDS
from pitboss_tournament.exchange.export import SeatRow
from tests import ROOT
from tests.plugins import magpie_installed
from tests.tournament.command_line import run_pitboss
from tests.tournament.small_tournaments import make_plan, play_tournament, zoo_entrant

pytestmark = pytest.mark.once

PAGE: Final = "\n".join(
    (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("results", "statistics", "integrity")
)
KIND_ROWS, COLUMN_ROWS = (
    re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \|$", text, re.MULTILINE)
    for text in PAGE.split("## The columns of CSV and Parquet")
)
TYPES: Final = {
    int: "int",
    float: "float",
    str: "str",
    str | None: "str or empty",
    float | None: "float or empty",
    int | None: "int or empty",
}


@pytest.fixture(scope="module", autouse=True)
def magpie_for_processes() -> Iterator[None]:
    """Let all commands of these tests know the game Magpie."""
    with magpie_installed():
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the store of a small tournament, all logs kept, and the exports of the page's commands."""
    folder = tmp_path_factory.mktemp("results")
    play_tournament(
        make_plan(
            folder / "x.pitboss",
            zoo_entrant("good", "a"),
            zoo_entrant("good", "b"),
            zoo_entrant("exits_with_3", "c"),
            keep_logs="all",
        )
    )
    for command in re.findall(r"^\$ pitboss (.+)$", PAGE, re.MULTILINE):
        ran = run_pitboss(*shlex.split(command), cwd=folder)
        assert ran.status == 0, f"{command}\n{ran.err}"
    return folder


def test_the_columns_of_the_page() -> None:
    """The columns of the page are those that are exported, in their order, with their types."""
    hints = get_type_hints(SeatRow)

    assert [(name, kind) for name, kind, _ in COLUMN_ROWS] == [
        (name, TYPES[hints[name]]) for name in SeatRow.__struct_fields__
    ]


def test_what_can_be_exported() -> None:
    """The page has a row for each choice of --what."""
    assert sorted(name for name, _, _ in KIND_ROWS) == sorted(KINDS)


def test_the_heading_of_the_csv(folder: Path) -> None:
    """The heading of the CSV is the table of the page; only columns that the page calls possibly empty have empty
    cells.
    """
    with (folder / "x.csv").open() as lines:
        rows = list(csv.DictReader(lines))

    assert list(rows[0]) == [name for name, _, _ in COLUMN_ROWS]
    needed = [name for name, kind, _ in COLUMN_ROWS if "empty" not in kind]
    assert all(row[name] != "" for row in rows for name in needed)


@pytest.mark.parametrize("what", ["records", "events", "incidents", "logs"])
def test_the_keys_of_the_lines(folder: Path, what: str) -> None:
    """Each key that the page names is in every line."""
    [told] = [meaning for name, _, meaning in KIND_ROWS if name == what]
    keys = re.findall(r"`(\w+)`", told)
    lines = [json.loads(line) for line in run_pitboss("export", "x.pitboss", "-w", what, cwd=folder).out.splitlines()]

    assert lines
    assert "game_id" in keys
    assert all(key in line for line in lines for key in keys)


def test_the_notebook(folder: Path) -> None:
    """The page's example runs as it stands, and finds the means that the standings have."""
    pytest.importorskip("polars")
    code = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
    code += "\nprint('!', *table.select('bot', 'blocks', 'win', 'points').row(0), sep='\\t')"
    ran = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stderr
    bot, blocks, win, points = ran.stdout.splitlines()[-1].split("\t")[1:]
    lines = {
        line["name"]: line
        for line in run_pitboss("standings", "x.pitboss", "--json", cwd=folder).json_value["standings"]
    }
    assert int(blocks) == lines[bot]["blocks"]
    assert float(win) == pytest.approx(lines[bot]["wins"]["mean"])
    assert float(points) == pytest.approx(lines[bot]["points"]["mean"])
