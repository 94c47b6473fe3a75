"""The page about learning tells the truth: its snippets and commands run, and its picture is that of the runs."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.exchange.decision_export import TYPES, WIDTHS, LetterRow
from tests import ROOT
from tests.learning_curve import CURVES, draw_curves, read_curves
from tests.marks import first_rows
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

PAGE: Final = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")
SNIPPETS: Final = re.findall(r"(?<!-->\n)```python\n(.*?)```", PAGE, re.DOTALL)
[IMITATE] = re.findall(r"<!-- file: imitate.py -->\n```python\n(.*?)```", PAGE, re.DOTALL)
COMMANDS: Final = re.findall(r"^\$ (.+)$", PAGE, re.MULTILINE)
QUICK: Final = "--letters 1 --games 8 --hidden 8 --lines 1 --results 8"


def run_python(*words: str, cwd: Path) -> str:
    """Run a program; return what it says."""
    ran = subprocess.run([sys.executable, *words], cwd=cwd, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@first_rows(1)("snippet", SNIPPETS, ids=range(len(SNIPPETS)))
def test_a_snippet_of_the_page(snippet: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A snippet of the page runs as it stands there, and prints something."""
    exec(compile(snippet, "learning.md", "exec"), {})

    assert capsys.readouterr().out


def test_imitation(tmp_path: Path) -> None:
    """The program of the page learns what a bot chooses, from the decisions of a few games."""
    (tmp_path / "imitate.py").write_text(IMITATE)
    few = ("--preset", "short", "--deals", "5", "--seed", "x", "--store", "few.pitboss", "--sandbox", "none")
    assert run_pitboss("match", "racko", "house:racko", "house:first", *few, cwd=tmp_path).status == 0
    words = ("--what", "decisions", "--output", "few.npz")
    assert run_pitboss("export", "few.pitboss", *words, cwd=tmp_path).status == 0

    said = run_python("imitate.py", "few.npz", "house:racko", cwd=tmp_path)

    [(hits, by_chance)] = re.findall(r"one in (\d+)% of new decisions, by chance in (\d+)%", said)
    assert int(hits) > int(by_chance) + 10


@pytest.mark.long
def test_the_commands_of_the_page(tmp_path: Path) -> None:
    """The commands of the page run: the training for one update and the matches for a few deals."""
    (tmp_path / "imitate.py").write_text(IMITATE)
    assert len(COMMANDS) == 6
    for command in COMMANDS:
        program, *words = shlex.split(command)
        if program == "python":
            quick = shlex.split(QUICK) if "train.py" in words[0] else []
            run_python(*words, *quick, cwd=tmp_path)
        else:
            few = ["--deals", "8"] if words[0] == "match" else []
            ran = run_pitboss(*words, *few, cwd=tmp_path)
            assert ran.status == 0, ran.err


def test_the_columns_of_the_page() -> None:
    """The columns of the page are those that are exported, in their order, with their types."""
    rows = re.findall(r"^\| `(\w+)` \| (\w+)[^|]* \| .+ \|$", PAGE.partition("## Records")[2], re.MULTILINE)

    assert rows == [(name, {**TYPES, **WIDTHS}[name]) for name in LetterRow._fields]


def test_the_picture_of_the_page() -> None:
    """The page's picture is what `python -m tests.learning_curve > docs/static/learning.svg` makes from the runs in
    `tests/curves`.
    """
    picture = (ROOT / "docs" / "static" / "learning.svg").read_text(encoding="utf-8")

    assert picture == draw_curves(read_curves(CURVES))
    assert "static/learning.svg" in PAGE


def test_the_learning_table_of_the_page() -> None:
    """The page's table of learners is what `python bench/learning_figures.py` prints from the measured figures."""
    printed = run_python(str(ROOT / "bench" / "learning_figures.py"), cwd=ROOT)

    assert f"<!-- learning table -->\n{printed}<!-- end of the learning table -->" in PAGE
