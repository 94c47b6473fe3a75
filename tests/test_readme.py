"""The README, and the pages that one follows step by step, tell the truth: their files are written, and their commands
run, as a newcomer would.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT

pytestmark = pytest.mark.once

README = (ROOT / "README.md").read_text(encoding="utf-8")
FILES = re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", README, re.DOTALL)
COMMANDS = re.findall(r"^\$ (.+)$", README, re.MULTILINE)

# The steps of a page, in its order: a file saved, a function of a file replaced, a command called, perhaps with the
# status that it ends with.
STEP = re.compile(
    r"<!-- file: (?P<file>\S+) -->\n```\w+\n(?P<text>.*?)```|<!-- function: (?P<name>\w+) in (?P<where>\S+) "
    r"-->\n```python\n(?P<code>.*?)```"
    r"|^\$ (?P<command>.+?)(?:  # status (?P<status>\d))?$",
    re.DOTALL | re.MULTILINE,
)
PAGES = (
    *("first-bot", "why-lost", "protocol", "compare", "versions", "debugging", "play", "poker", "existing-bot"),
    "agents",
)
IDENTITY = {f"GIT_{who}_{what}": "ann@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
VERDICT = re.compile(r"^Verdict .+ sure: .+\.$", re.MULTILINE)


@pytest.mark.parametrize(
    "page",
    ["README.md", *(pytest.param(f"docs/{page}.md", id=page, marks=pytest.mark.long) for page in PAGES)],
)
def test_the_steps_of_a_page(page: str, tmp_path: Path) -> None:
    """Each command ends with status 0, or the one that is said, in order, in a folder that holds just what the page has
    put there; a verdict that the page shows is one of them.
    """
    said = ""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    text = (ROOT / page).read_text(encoding="utf-8")
    for step in STEP.finditer(text):
        if step["file"]:
            (tmp_path / step["file"]).write_text(step["text"], encoding="utf-8")
        elif step["name"]:
            replace_function(tmp_path / step["where"], step["name"], step["code"])
        else:
            run = subprocess.run(
                shlex.split(step["command"]),
                cwd=tmp_path,
                env={**os.environ, **IDENTITY, "PATH": path},
                capture_output=True,
                text=True,
                check=False,
            )
            assert run.returncode == int(step["status"] or 0), f"{step['command']}\n{run.stdout}{run.stderr}"
            assert run.stdout
            said += run.stdout
    assert [verdict for verdict in VERDICT.findall(text) if verdict not in said] == []


def replace_function(file: Path, name: str, code: str) -> None:
    """Put a function in the place of the one of this name."""
    was = file.read_text(encoding="utf-8")
    now, count = re.subn(rf"^def {name}\(.*?\n(?=\n\n)", lambda _: code, was, count=1, flags=re.DOTALL | re.MULTILINE)
    assert count == 1
    file.write_text(now, encoding="utf-8")


def test_the_readme_has_a_bot_and_a_tournament() -> None:
    """The README has a bot in ten lines and a tournament that can be run."""
    assert {"mybot.py", "sorter.py", "friday.toml"} == {name for name, _ in FILES}
    assert len(dict(FILES)["mybot.py"].splitlines()) <= 10
    assert len(COMMANDS) >= 5


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "bots/README.md"])
def test_links_lead_somewhere(page: str) -> None:
    """The files to which a page links exist."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        if not target.startswith("http"):
            assert ((ROOT / page).parent / target).exists(), target
