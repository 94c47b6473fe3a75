"""The README tells the truth: its files are written, and its commands run, as a newcomer would."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
FILES = re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", README, re.DOTALL)
COMMANDS = re.findall(r"^\$ (.+)$", README, re.MULTILINE)


def test_the_commands_of_the_readme_run(tmp_path: Path) -> None:
    """Each command ends with status 0, in order, in a folder that holds just the README's files."""
    for name, text in FILES:
        (tmp_path / name).write_text(text, encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    for command in COMMANDS:
        run = subprocess.run(
            shlex.split(command), cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, f"{command}\n{run.stderr}"
        assert run.stdout


def test_the_readme_has_a_bot_and_a_tournament() -> None:
    """A bot in ten lines, a tournament that can be run."""
    assert {"mybot.py", "sdkbot.py", "friday.toml"} == {name for name, _ in FILES}
    assert len(dict(FILES)["mybot.py"].splitlines()) <= 10
    assert len(COMMANDS) >= 5


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "bots/README.md"])
def test_links_lead_somewhere(page: str) -> None:
    """What a page links to within the project exists."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        if not target.startswith("http"):
            assert ((ROOT / page).parent / target).exists(), target
