"""The page about leagues: its commands, as they stand there, and its file tree."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.audit.rejudging import OBJECTIONS
from pitboss_tournament.league.submission import NEXT_STATES
from tests import ROOT
from tests.league.league_process import run_league
from tests.tournament.command_line import run_pitboss

PAGE: Final = (ROOT / "docs/league.md").read_text(encoding="utf-8")
BLOCKS: Final = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)


def run_shell(script: str, folder: Path, **env: str) -> str:
    """Run commands of the page; return what they print."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        ["bash", "-ec", script],
        cwd=folder,
        env={**os.environ, "PATH": path, **env},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, f"{script}\n{ran.stdout}{ran.stderr}"
    return ran.stdout


@pytest.mark.once
@pytest.mark.long
def test_the_commands_of_the_page(tmp_path: Path) -> None:
    """The host's and the student's commands run, and print what the page shows."""
    (tmp_path / "class.csv").write_text("ada\nbob\n")
    host, tree, student, printed, other_student, *_ = BLOCKS
    assert run_pitboss("new", "bot", "python", "mybot", "--game", "racko", cwd=tmp_path).status == 0

    made, run = host.rstrip().rsplit("\n", 1)
    run_shell(made, tmp_path)
    assert run == "pitboss league run course --port 8000"
    tokens = dict(list(csv.reader((tmp_path / "tokens.csv").read_text().splitlines()))[1:])
    with run_league(tmp_path / "course") as league:
        said = run_shell(student.replace(":8000", f":{league.port}"), tmp_path, TOKEN=tokens["ada"])
        sent = other_student.replace(":8000", f":{league.port}").replace("submissions/mybot", "submissions/other")
        answer = run_shell(sent, tmp_path, TOKEN=tokens["bob"])

    shown = [line.split() for line in printed.splitlines()]
    assert [line.split()[0] for line in said.splitlines()] == [words[0] for words in shown]
    assert said.splitlines()[-1] == printed.splitlines()[-1]
    assert '"state":"received"' in answer
    names = {path.name for path in (tmp_path / "course").iterdir() if path.suffix not in (".log", "")}
    assert names | {"bots", "uploads", "people"} == {line.split()[0].rstrip("/") for line in tree.splitlines()[1:]}


@pytest.mark.once
@pytest.mark.long
def test_the_commands_of_an_open_ladder(tmp_path: Path) -> None:
    """A league runs with the options of the page, and the host's commands run beside it."""
    page = (ROOT / "docs/open-ladder.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    way_in, machine, daily = [block for block in blocks if block.startswith("pitboss ")]
    assert run_pitboss("league", "init", "ladder", "racko", cwd=tmp_path).status == 0
    options = []
    for line in (way_in, machine):
        start, words = line.split()[:4], line.split()[4:]
        assert start == ["pitboss", "league", "run", "ladder"]
        options += words
    with run_league(tmp_path / "ladder", *options[2:]):  # its port is a free one
        said = run_shell(daily.replace("/backups", str(tmp_path / "backups")), tmp_path)
    assert "Rack-O, 2 at a table" in said
    assert (tmp_path / "backups" / "ladder" / "league.pitboss").is_file()


def first_column(heading: str) -> set[str]:
    """Return the names in the first column of a table of the page."""
    table = PAGE.partition(f"| {heading} |")[2].partition("\n\n")[0]
    return set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))


def test_the_page_names_the_states() -> None:
    """Each state is explained."""
    assert first_column("state") == set(NEXT_STATES)


def test_the_page_names_what_a_new_version_changes() -> None:
    """The page explains each cause for which a new version makes a game void."""
    assert first_column("cause") == set(OBJECTIONS)
