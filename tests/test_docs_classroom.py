"""The page about sixty submissions: its commands, as they stand there, with three."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests import ROOT

PAGE: Final = (ROOT / "docs/classroom.md").read_text(encoding="utf-8")
BLOCKS: Final = [block for block in re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL) if "pitboss " in block]
BOT_FILE: Final = 'name = "{}"\ncommand = ["python3", "bot.py"]\ngames = ["racko"]\n'
CODE: Final = "from pitboss.bot import run\nrun(lambda question: {})\n"


@pytest.mark.once
@pytest.mark.long
def test_the_commands_of_the_page(tmp_path: Path) -> None:
    """The check names the broken bot, which never plays; all the others are played and written."""
    for name, choice in (("ada", "0"), ("grace", "len(question.legal) - 1"), ("linus", "99")):
        folder = tmp_path / "submissions" / name
        folder.mkdir(parents=True)
        (folder / "bot.toml").write_text(BOT_FILE.format(name))
        (folder / "bot.py").write_text(CODE.format(choice))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    said = []
    for block in BLOCKS:
        script = block.replace("pitboss check", "pitboss check --only chooses-what-is-legal")
        ran = subprocess.run(
            ["bash", "-c", script],
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        said.append(ran.stdout)
        wanted = {"check": 1, "match": 3}.get(block.split()[1], 0)
        assert ran.returncode == wanted, f"{script}\n{ran.stdout}{ran.stderr}"

    assert len(BLOCKS) == 3
    assert [line.split()[0] for line in said[0].splitlines()[1:4]] == ["ada", "grace", "linus"]
    assert "answers-questions: " in said[0].splitlines()[3]
    assert "20 games" in said[1]
    assert "linus: 8 games forfeited (crashed 8)" in said[2]
    assert {file.name for file in tmp_path.iterdir()} >= {
        "report.html",
        "report-games",
        "results.csv",
        "course.pitboss",
    }
