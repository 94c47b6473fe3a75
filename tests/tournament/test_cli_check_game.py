"""`pitboss check-game`: a verdict on every promise."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tournament.command_line import OTHER_GAME_PLUGIN, install_plugin, run_pitboss

pytestmark = pytest.mark.once

QUICK = ("--seats", "2", "--preset", "graves", "-o", "turns=3", "-n", "1")


def test_a_good_game_keeps_all_promises() -> None:
    """Each check has a line with its verdict, its name and its promise; the status is 0."""
    ran = run_pitboss("check-game", "magpie", *QUICK)

    assert ran.status == 0, ran.out
    assert ran.out.startswith("Magpie, seed conformance: ")
    assert "FAILED" not in ran.out
    assert len([line for line in ran.out.splitlines() if line.startswith(("ok ", "n/a "))]) >= 30
    assert ran.out.endswith(" not applicable\n")


def test_a_bad_game_is_told_what_it_broke(tmp_path: Path) -> None:
    """A broken promise is a line and what it takes to see it again; the status is 1."""
    deal = "from pitboss import Random; import time; return super().deal(seats, options, Random(str(time.time_ns())))"
    env = install_plugin(tmp_path, "other", OTHER_GAME_PLUGIN.format(deal=deal))

    ran = run_pitboss("check-game", "other", *QUICK, env=env)

    failed = [line.split()[1].rstrip(":") for line in ran.out.splitlines() if line.startswith("FAILED ")]
    assert ran.status == 1
    assert failed
    assert all(f"\n{name} failed: " in ran.out for name in failed)
    assert f" {len(failed)} failed" in ran.out.splitlines()[-1]


def test_verdicts_as_json() -> None:
    """The report is an object with its checks, each with name, promise, outcome and detail."""
    found = run_pitboss("check-game", "magpie", *QUICK, "--seed", "s", "--json").json_value

    assert (found["game"], found["seed"]) == ("magpie", "s")
    assert {tuple(check) for check in found["checks"]} == {("name", "promise", "outcome", "detail")}
    assert {check["outcome"] for check in found["checks"]} <= {"passed", "not applicable"}
