"""The recipes for courses: their files run, against a real league."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from tests import ROOT
from tests.league.archives import BOT_TOML, GOOD_BOT
from tests.league.league_process import LeagueProcess, make_league, run_league

pytestmark = [pytest.mark.once, pytest.mark.long]

FILES: Final = ROOT / "examples" / "league"
PATH: Final = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def write_bot(folder: Path, name: str, build: str = "") -> Path:
    """Write a bot, with a build step if one is given."""
    folder.mkdir(parents=True)
    (folder / "bot.toml").write_bytes(BOT_TOML + f'name = "{name}"\n{build}'.encode())
    (folder / "bot.py").write_bytes(GOOD_BOT)
    return folder


def autograde(tmp_path: Path, league: LeagueProcess, student: str, build: str = "") -> dict[str, Any]:
    """Run what Gradescope runs, in folders as it has them; return the results."""
    root = tmp_path / f"autograder-{student}"
    shutil.copytree(FILES, root / "source")
    shutil.copy(tmp_path / "tokens.csv", root / "source")
    write_bot(root / "submission", f"bot of {student}", build)
    (root / "results").mkdir()
    (root / "submission_metadata.json").write_text(json.dumps({"users": [{"name": student, "email": "x@y.example"}]}))
    script = (root / "source" / "run_autograder").read_text().replace("https://league.example.org", league.url)
    (root / "run_autograder").write_text(script)
    subprocess.run(["bash", "run_autograder"], cwd=root, env={**os.environ, "PATH": PATH}, check=True)
    found: dict[str, Any] = json.loads((root / "results" / "results.json").read_text())
    return found


def test_gradescope(tmp_path: Path) -> None:
    """A submission to Gradescope gets its points from the league: all for a good bot, those of the steps that it passed
    for a bad one, none for a student without a token.
    """
    tokens = make_league(tmp_path / "course")
    with (tmp_path / "tokens.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("owner", "token"), *tokens.items()])
    with run_league(tmp_path / "course") as league:
        good = autograde(tmp_path, league, "Ada")
        bad = autograde(tmp_path, league, "bob", 'build = ["false"]\n')
        stranger = autograde(tmp_path, league, "Eve")

    assert [(one["score"], one["max_score"], one["status"]) for one in good["tests"]] == [
        (1.0, 1.0, "passed"),
        (2.0, 2.0, "passed"),
        (2.0, 2.0, "passed"),
    ]
    assert good["output"].endswith(") is placing")
    assert [one["score"] for one in bad["tests"]] == [0.0, 0.0, 0.0]
    assert bad["tests"][2]["output"] == "this step was not reached"
    assert all(one["visibility"] == "visible" and one["output"] for one in bad["tests"])
    assert (stranger["score"], stranger["tests"]) == (0.0, [])
    assert "no token" in stranger["output"]


def test_github_classroom(tmp_path: Path) -> None:
    """The step of the workflow submits the repository, and fails if the bot is refused."""
    workflow = yaml.safe_load((FILES / "classroom.yml").read_text())
    [step] = [one for one in workflow["jobs"]["submit"]["steps"] if "Submit" in one.get("name", "")]
    tokens = make_league(tmp_path / "course")
    with run_league(tmp_path / "course") as league:
        ran = [
            subprocess.run(
                ["bash", "-e", "-c", step["run"]],
                cwd=write_bot(tmp_path / name, name, build),
                env={**os.environ, "PATH": PATH, "PITBOSS_LEAGUE": league.url, "PITBOSS_TOKEN": tokens["ada"]},
                check=False,
            ).returncode
            for name, build in (("good", ""), ("bad", 'build = ["false"]\n'))
        ]

    assert ran == [0, 1]
    assert set(step["env"]) == {"PITBOSS_LEAGUE", "PITBOSS_TOKEN"}
    assert json.loads((tmp_path / "good" / "verdict.json").read_text())["state"] == "placing"
    assert json.loads((tmp_path / "bad" / "verdict.json").read_text())["state"] == "refused"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
def test_the_service(tmp_path: Path) -> None:
    """Systemd accepts the unit, and the unit takes away nothing that the sandbox needs."""
    text = (FILES / "pitboss-league.service").read_text()
    unit = tmp_path / "pitboss-league.service"
    unit.write_text(text.replace("/opt/pitboss/bin/pitboss", str(Path("/bin/true").resolve())))

    ran = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)

    assert (ran.returncode, ran.stderr) == (0, "")
    keys = {line.partition("=")[0] for line in text.splitlines() if line[:1].isalpha()}
    assert not keys & {"RestrictNamespaces", "ProtectProc", "ProtectKernelTunables", "ProtectKernelLogs", "DynamicUser"}
