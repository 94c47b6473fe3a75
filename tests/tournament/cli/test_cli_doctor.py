"""`pitboss doctor`: what it says of this machine, and of worse ones."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from pitboss_tournament.doctor.machine import check_plugins
from pitboss_tournament.processes.sandbox_probe import probe_landlock
from tests.tournament.command_line import install_plugin, run_pitboss
from tests.tournament.sandbox_programs import needs_bubblewrap

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def points() -> dict[str, Any]:
    """Return what it says of this machine, by point."""
    return {finding["point"]: finding for finding in run_pitboss("doctor", "--json").json_value}


@pytest.mark.long
def test_every_point(points: dict[str, Any]) -> None:
    """Each point of the doctor says how it is, and a point that is not well says how to mend it."""
    assert {
        "Python",
        "system",
        "processors",
        "memory",
        "disk",
        "open files",
        "clock",
        "SQLite",
        "bubblewrap",
        "prlimit",
    } <= points.keys()
    assert {
        "setpriv",
        "system calls",
        "memory limit",
        "pidfd",
        "accounts",
        "guardian",
        "games",
        "bots by name",
        "languages",
    } <= points.keys()
    for finding in points.values():
        assert finding["state"] in ("ok", "note", "problem")
        assert finding["text"]
        assert finding["state"] == "ok" or finding["cure"] or finding["point"] in ("memory", "bots")


@needs_bubblewrap
def test_promises_of_the_sandbox(points: dict[str, Any]) -> None:
    """Each promise of the sandbox has been tried, and is kept; those of the level `landlock` too, where that works."""
    tried = {point: finding["state"] for point, finding in points.items() if point.startswith("bots: ")}

    assert len([point for point in tried if "(landlock)" not in point]) == 15
    assert len([point for point in tried if "(landlock)" in point]) == (0 if probe_landlock().problem else 15)
    assert set(tried.values()) == {"ok"}


def test_what_is_installed(points: dict[str, Any]) -> None:
    """The games, the bots and the languages are named."""
    assert "magpie" in points["games"]["text"]
    assert "house:random" in points["bots by name"]["text"]
    assert "bash " in points["languages"]["text"]


@pytest.mark.long
@needs_bubblewrap
def test_text_for_people() -> None:
    """A line has at most 80 columns and no colour; the last one counts; without a problem the status is 0."""
    ran = run_pitboss("doctor")

    lines = ran.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in ran.out
    assert lines[0].startswith("ok      Python: 3.")
    assert " 0 problems" in lines[-1]
    assert (ran.status, ran.err) == (0, "")


def test_machine_without_bubblewrap(tmp_path: Path) -> None:
    """A machine without bubblewrap has a problem with its cure, unless bots have the next level; what depends on
    bubblewrap is not tried, the rest is.
    """
    if os.uname().sysname != "Linux":
        pytest.skip("elsewhere it is only a note")
    for program in ("bash", "prlimit", "setpriv"):
        if path := shutil.which(program):
            (tmp_path / program).symlink_to(path)

    ran = run_pitboss("doctor", "--json", env={"PATH": str(tmp_path)})

    found = {finding["point"]: finding for finding in ran.json_value}
    has_landlock = not probe_landlock().problem
    assert ran.status == (0 if has_landlock else 1)
    assert found["bubblewrap"] == {
        "point": "bubblewrap",
        "state": "note" if has_landlock else "problem",
        "text": "bwrap is not installed; "
        + ("bots run at the level landlock" if has_landlock else "bots can read and change what you can"),
        "cure": "install the package bubblewrap (for instance: apt install bubblewrap)",
    }
    assert has_landlock or found["bots"]["state"] == "note"
    assert not [point for point in found if point.startswith("bots: ") and not point.endswith("(landlock)")]
    assert found["guardian"]["state"] == "ok"


@pytest.mark.long
def test_broken_plugin(tmp_path: Path) -> None:
    """A broken plugin is a problem of its own, reported once."""
    ran = run_pitboss("doctor", "--json", env=install_plugin(tmp_path, "sour", "import no_such_module"))

    [broken] = [finding for finding in ran.json_value if finding["point"] == "plugin"]
    assert broken["state"] == "problem"
    assert "no_such_module" in broken["text"]
    assert ran.status == 1
    assert ran.err == ""


def test_the_finding_on_a_broken_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plugin that cannot be loaded is a problem, not a note, and the finding names the plugin."""
    install_plugin(tmp_path, "tart", "import no_such_module")
    monkeypatch.syspath_prepend(str(tmp_path))

    [broken] = [finding for finding in check_plugins() if finding.point == "plugin"]

    assert (broken.state, broken.cure) == ("problem", "mend it, or uninstall it")
    assert "tart" in broken.text
