"""The soak commands in their short forms: each promise is kept in a small count. What is about speed is only said, not
judged, by tests.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT
from tests.bots.zoo_catalogue import ZOO_BOTS
from tests.soak import (
    calibration,
    cluster,
    comparison,
    conformance,
    deaths,
    endings,
    kills,
    load,
    resumes,
    stop_rule,
    worlds,
    zoo,
)
from tests.soak.process_watch import ProcessWatch

pytestmark = [pytest.mark.once, pytest.mark.long]

AT_LEISURE = ("--settle-ms", "60000")  # how busy the machine is, is not judged here


def test_the_verdicts_and_the_memory(capsys: pytest.CaptureFixture[str]) -> None:
    """`zoo` prints a line for each bot, and keeps its promises."""
    status = zoo.main(
        [*AT_LEISURE, "--count", "1", "--rounds", "1", "--repeats", "0", "--only", "segfaults", "duplicate_keys"]
    )
    lines = capsys.readouterr().out.splitlines()

    assert status == 0, lines
    assert {line.split()[0] for line in lines} >= {"bot", "segfaults", "duplicate_keys", "kept"}


def test_a_bot_with_the_wrong_verdict_breaks_a_promise(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot with the wrong verdict breaks a promise: the exit status says so, and the table shows which bot."""
    monkeypatch.setattr(
        zoo,
        "ZOO_BOTS",
        [
            animal._replace(sandbox_verdict="late", bare_verdict="late")
            for animal in ZOO_BOTS
            if animal.name == "segfaults"
        ],
    )
    status = zoo.main([*AT_LEISURE, "--count", "1", "--rounds", "0", "--repeats", "0"])

    assert status == 1
    assert "BROKEN every verdict is right: " in capsys.readouterr().out


def test_deaths(capsys: pytest.CaptureFixture[str]) -> None:
    """The runner outlives every death, and calls it one."""
    assert deaths.main([*AT_LEISURE, "--count", "60", "--deals", "15"]) == 0, capsys.readouterr().out


def test_endings(capsys: pytest.CaptureFixture[str]) -> None:
    """Tournaments with misbehaving bots end, and stop."""
    assert endings.main(["--busy", "4", "--only", "segfaults", "sleeps"]) == 0, capsys.readouterr().out


def test_kills(capsys: pytest.CaptureFixture[str]) -> None:
    """Bots and runners are killed, nobody is left, the store is whole."""
    assert kills.main(["--count", "15", "--runners", "2", "--deals", "4"]) == 0, capsys.readouterr().out


def test_resumes(capsys: pytest.CaptureFixture[str]) -> None:
    """However often its runner was killed, a tournament has the games of one that was not."""
    assert resumes.main(["--count", "3", "--deals", "3"]) == 0, capsys.readouterr().out


def test_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    """A tournament on a cluster has the games of one on this machine, whatever part of the cluster was killed."""
    pytest.importorskip("distributed")
    assert cluster.main(["--count", "3", "--deals", "4"]) == 0, capsys.readouterr().out


def test_load(capsys: pytest.CaptureFixture[str]) -> None:
    """With a limit that even the slowest machine keeps, no honest bot is late."""
    assert load.main(["--count", "80", "--limit-ms", "60000"]) == 0, capsys.readouterr().out


def test_calibration(capsys: pytest.CaptureFixture[str]) -> None:
    """Ratings put bots in the right order, also with a tenth of the trials."""
    assert calibration.main(["--trials", "10", "--only", "order"]) == 0, capsys.readouterr().out


def test_stop_rule(capsys: pytest.CaptureFixture[str]) -> None:
    """Few rankings are settled wrongly."""
    assert stop_rule.main(["--trials", "4", "--only", "rankings"]) == 0, capsys.readouterr().out


def test_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    """Few simulated comparisons end with a wrong verdict."""
    assert comparison.main(["--trials", "4", "--runs", "0"]) == 0, capsys.readouterr().out


def test_worlds(capsys: pytest.CaptureFixture[str]) -> None:
    """Each sampled world has a legal history."""
    assert worlds.main(["racko", "--worlds", "60"]) == 0, capsys.readouterr().out


def test_conformance(capsys: pytest.CaptureFixture[str]) -> None:
    """A game keeps every promise in all its variants."""
    assert conformance.main(["lucky-maker", "--seats", "3", "--count", "1"]) == 0, capsys.readouterr().out


def test_ctrl_c(tmp_path: Path) -> None:
    """A soak that is interrupted leaves no process and no file."""
    mark = f"from-the-zoo-{os.getpid()}"
    command = [sys.executable, "-m", "tests.soak.deaths", "--count", "100000", "--deals", "5"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as soak:
        watch = ProcessWatch(soak.pid, mark)
        assert soak.stdout and soak.stderr
        with watch.scanning():
            soak.stdout.readline()
            soak.send_signal(signal.SIGINT)
            soak.communicate()

    assert soak.returncode not in (0, 1)
    assert watch.wait_leftovers(20.0) == []
    assert list(tmp_path.iterdir()) == []
