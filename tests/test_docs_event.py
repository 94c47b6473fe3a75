"""The page about an event: its file and its commands, as they stand there, with five teams."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests import ROOT

PAGE: Final = (ROOT / "docs/event.md").read_text(encoding="utf-8")
BLOCKS: Final = [block for block in re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL) if "pitboss " in block]
BOT_FILE: Final = 'name = "{}"\ncommand = ["python3", "bot.py"]\ngames = ["racko"]\n'
CODE: Final = "from pitboss.bot import run\nrun(lambda question: 0)\n"
TEAMS: Final = {"ada": "ada", "grace": "grace", "alan": "ada", "linus": "linus", "ken": "ken"}


@pytest.mark.once
@pytest.mark.long
def test_the_commands_of_the_page(tmp_path: Path) -> None:
    """The event is played, a team is taken out, and the headline and the places are of the others."""
    for folder, name in TEAMS.items():
        made = tmp_path / "submissions" / folder
        made.mkdir(parents=True)
        (made / "bot.toml").write_text(BOT_FILE.format(name))
        (made / "bot.py").write_text(CODE)
    [file] = re.findall(r"<!-- file: event.toml -->\n```toml\n(.*?)```", PAGE, re.DOTALL)
    [out] = re.findall(r"```toml\n(\[\[out\]\].*?)```", PAGE, re.DOTALL)
    few = file.replace("groups = 4", "groups = 2").replace("deals = 20", "deals = 1")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    said = []
    for block in BLOCKS:
        (tmp_path / "event.toml").write_text(few if block is BLOCKS[0] else f"{few}\n{out}")
        script = block.replace("pitboss check", "pitboss check --only chooses-what-is-legal")
        ran = subprocess.run(
            ["bash", "-ec", script],
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, f"{script}\n{ran.stdout}{ran.stderr}"
        said.append(ran.stdout + ran.stderr)

    assert len(BLOCKS) == 3
    assert "submissions/alan plays as 'ada-2', as there is another 'ada'" in said[1]
    assert "Out: grace: it opened the folder of another team; no game with it counts" in said[1]
    assert re.search(r"(Winner: |Not decided )", said[2])
    assert "house:racko" not in re.findall(r"(?m)^\d+(?:–\d+)?: .*$", said[2])[0]
    assert (tmp_path / "report.html").exists()
