"""The GitHub Action: its steps, run here one after the other as GitHub would run them, without its network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import ROOT
from tests.tournament.command_line import TIMEOUT_S

pytestmark = pytest.mark.once
EXPRESSION = re.compile(r"\$\{\{ (.*?) \}\}")


class ActionRun:
    """One run of the action in a folder, with its inputs; `summary` and `outputs` as GitHub reads them."""

    def __init__(self, folder: Path, **inputs: str) -> None:
        self._folder = folder
        self._action: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
        assert set(inputs) <= set(self._action["inputs"])
        self._values: dict[str, str] = {
            f"inputs.{name}": inputs.get(name, one["default"]) for name, one in self._action["inputs"].items()
        }
        self.outputs: dict[str, str] = {}
        self.printed = ""
        self.failed = False
        self._files = {name: folder / f"{name}.txt" for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for path in self._files.values():
            path.touch()
        for step in self._action["runs"]["steps"]:
            if step.get("name") != "Install Pitboss" and (not self.failed or step.get("if") == "always()"):
                self._run_step(step)

    @property
    def summary(self) -> str:
        """Return what the page of the run shows."""
        return self._files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")

    def _run_step(self, step: dict[str, Any]) -> None:
        """Run a step of the shell; the steps of other actions are GitHub's own."""
        if "run" not in step:
            assert step["uses"].split("@")[0] in ("actions/setup-python", "actions/upload-artifact")
            return
        assert not EXPRESSION.search(step["run"]), "an input within the script could run as a command"
        given = {name: EXPRESSION.sub(self._evaluate, value) for name, value in step.get("env", {}).items()}
        ran = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
            cwd=self._folder,
            env=os.environ
            | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
            | {name: str(path) for name, path in self._files.items()}
            | given,
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_S,
        )
        self.printed += ran.stdout + ran.stderr
        self.failed |= ran.returncode != 0
        lines = self._files["GITHUB_OUTPUT"].read_text(encoding="utf-8").splitlines()
        for name, _, value in (line.partition("=") for line in lines):
            self.outputs[name] = self._values[f"steps.{step.get('id')}.outputs.{name}"] = value
        self._files["GITHUB_OUTPUT"].write_text("")

    def _evaluate(self, expression: re.Match[str]) -> str:
        return self._values[expression[1]]


def _write_bot(folder: Path, name: str, text: str) -> None:
    bot = folder / "submissions" / name
    bot.mkdir(parents=True)
    (bot / "bot.toml").write_text(f'name = "{name}"\ncommand = ["{{python}}", "bot.py"]\n')
    (bot / "bot.py").write_text(text)


def test_submissions(tmp_path: Path) -> None:
    """Bots of a pattern of folders play; a folder without a program is left out; the summary has the table."""
    _write_bot(tmp_path, "ada", "from pitboss.bot import run\n\nrun(lambda decision: 0)\n")
    (tmp_path / "submissions" / "empty").mkdir()
    ran = ActionRun(
        tmp_path, game="rummy", bots="submissions/* house:random house:rummy", arguments="--deals 2 --seats 2"
    )

    assert (ran.failed, ran.outputs) == (False, {"status": "0", "store": "tournament.pitboss"}), ran.printed
    assert "| ada |" in ran.summary
    assert ran.summary.startswith("## rummy")
    assert "empty" in ran.printed
    assert (tmp_path / "pitboss-report" / "index.html").is_file()


@pytest.mark.long
def test_a_tournament_file(tmp_path: Path) -> None:
    """A tournament file is played; the games lie beside the file."""
    (tmp_path / "league").mkdir()
    (tmp_path / "league" / "friday.toml").write_text(
        'game = "rummy"\nbots = ["house:rummy", "house:random"]\ndeals = 1\n'
    )
    ran = ActionRun(tmp_path, file="league/friday.toml")

    assert (ran.failed, ran.outputs["store"]) == (False, "league/friday.pitboss"), ran.printed
    assert "house:rummy" in ran.summary


@pytest.mark.parametrize(
    ("inputs", "status", "said"),
    [
        ({}, "2", "::error::Name a tournament file"),
        ({"game": "rumy", "bots": "house:random"}, "2", "did you mean"),
        ({"game": "rummy", "bots": "house:random $(touch owned)"}, "2", "there is no bot"),
    ],
    ids=("nothing", "another game", "a command"),
)
def test_a_run_that_fails(tmp_path: Path, inputs: dict[str, str], status: str, said: str) -> None:
    """The run fails with the message of the tournament, and the summary says where the message stands."""
    ran = ActionRun(tmp_path, **inputs)

    assert (ran.failed, ran.outputs["status"]) == (True, status)
    assert said in ran.printed
    assert ran.summary.startswith("No game was played")
    assert not (tmp_path / "owned").exists()
