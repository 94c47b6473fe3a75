"""`pitboss check-game`: a verdict on every promise."""

from __future__ import annotations

import json
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from time import sleep

import pytest

from pitboss_tournament.cli.time_limit import TimeUp, time_limit
from tests.marks import first_rows
from tests.soak.process_watch import list_processes
from tests.tournament.command_line import COMMAND, OTHER_GAME_PLUGIN, OTHER_VIEW_PLUGIN, install_plugin, run_pitboss

pytestmark = pytest.mark.once

QUICK = ("--seats", "2", "--preset", "graves", "-o", "turns=3", "-n", "1", "--seconds", "0")


@pytest.mark.long
def test_a_good_game_keeps_all_promises() -> None:
    """Each check has a line with its verdict, its name and its promise; the status is 0."""
    ran = run_pitboss("check-game", "magpie", *QUICK)

    assert ran.status == 0, ran.out
    assert ran.out.startswith("Magpie, seed conformance: ")
    assert "FAILED" not in ran.out
    assert len([line for line in ran.out.splitlines() if line.startswith(("ok ", "n/a "))]) >= 30
    assert ran.out.endswith(" not applicable\n")


def test_a_bad_game_is_told_what_it_broke(tmp_path: Path) -> None:
    """A broken promise is a line; each cause follows once, with what it takes to see it again; the status is 1."""
    deal = "from pitboss import Random; import time; return super().deal(seats, options, Random(str(time.time_ns())))"
    env = install_plugin(tmp_path, "other", OTHER_GAME_PLUGIN.format(deal=deal))

    ran = run_pitboss("check-game", "other", *QUICK, env=env)

    failed = [line.split()[1].rstrip(":") for line in ran.out.splitlines() if line.startswith("FAILED ")]
    assert ran.status == 1
    assert failed
    causes = ran.out.partition("\n\n")[2].partition("\n\n")[2]
    assert all(name in causes for name in failed)
    assert f"{failed[0]} failed: " in causes
    assert f" {len(failed)} failed" in ran.out.splitlines()[-1]


LEAK = "seen = super().view(seat); seen.nest.append(str(self.table.faces(self.board.hands[seat - 1])[:1])); return seen"


@first_rows(1)(
    ("view", "seen"),
    [(LEAK, "view-leaks-nothing"), ("return 1 // (self.turns_done != 2)", "ZeroDivisionError")],
)
def test_a_failed_game_is_kept(tmp_path: Path, view: str, seen: str) -> None:
    """With --keep the game of a failure is a store: replayed as a page, with what was seen in its log; and the command
    that was printed fails for the same reason.
    """
    env = install_plugin(tmp_path, "other", OTHER_VIEW_PLUGIN.format(view=view))
    folder = tmp_path / "kept files"

    ran = run_pitboss("check-game", "other", *QUICK, "--keep", str(folder), env=env)
    logs = {file: run_pitboss("log", str(file), env=env).out for file in sorted(folder.iterdir())}
    file = next(file for file, log in logs.items() if seen in log)
    page = run_pitboss("replay", str(file), "--html", str(tmp_path / "page.html"), env=env)
    again = run_pitboss("check-game", "other", "--again", str(file), env=env)

    assert f"again: pitboss check-game other --again '{file}'" in ran.out
    assert page.status == 0, page.err
    assert "<script" in (tmp_path / "page.html").read_text()
    assert again.status == 1
    assert seen in again.out


@pytest.mark.long
def test_verdicts_as_json() -> None:
    """The report is an object with its checks, each with name, promise, outcome and detail."""
    found = run_pitboss("check-game", "magpie", *QUICK, "--seed", "s", "--json").json_value

    assert (found["game"], found["seed"]) == ("magpie", "s")
    assert {tuple(check) for check in found["checks"]} == {("name", "promise", "outcome", "detail")}
    assert found["all_failures"] == []
    assert {check["outcome"] for check in found["checks"]} <= {"passed", "not applicable"}


@pytest.mark.long
def test_progress_line_by_line() -> None:
    """Each game is a line of standard error as it ends, with its table, seed and decisions; the report has no such
    line.
    """
    ran = run_pitboss(
        "check-game", "magpie", "--seats", "2", "--seats", "3", "--preset", "graves", "-o", "turns=1", "--seconds", "0"
    )

    assert ran.error_lines[0].endswith(" decisions")
    assert " play-outs, " in ran.error_lines[0]
    games = [f"{seats} seats, preset 'graves', turns=1: seed conformance" for seats in (2, 3)]
    wanted = [f"{game}/{number}/{again}, " for again in range(2) for number, game in enumerate(games)]
    assert [line.startswith(want) for line, want in zip(ran.error_lines[1:], wanted, strict=True)] == [True] * 4
    assert "seed conformance/" not in ran.out


@pytest.mark.long
def test_who_plays_is_named() -> None:
    """Every second game is played by who is named; a name that nobody has is told as such, with what is allowed."""
    ran = run_pitboss("check-game", "magpie", *QUICK, "--player", "new")
    wrong = run_pitboss("check-game", "magpie", *QUICK, "--player", "nobody")

    assert (ran.status, ran.error_lines[1].endswith("played by a player")) == (0, True)
    assert (wrong.status, wrong.err.strip()) == (
        2,
        "pitboss: --player is 'nobody'; it is new, estimate, or a function as MODULE:FUNCTION",
    )


@pytest.mark.long
def test_interrupted_by_the_person() -> None:
    """Ctrl-C: the report has what was checked by then and which tables were not played; the status is 130."""
    words = [*COMMAND, "check-game", "magpie", "--seconds", "0", "-n", "1000", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stderr
        assert " play-outs, " in run.stderr.readline()
        first = run.stderr.readline()
        run.send_signal(signal.SIGINT)
        out, err = run.communicate()

    found = json.loads(out)
    assert (run.returncode, first.startswith("2 seats: seed conformance/0/0, ")) == (130, True)
    assert found["games"] >= 1
    assert found["tables"][-1] in found["not_played"]
    assert {check["outcome"] for check in found["checks"]} == {"passed", "not applicable"}
    assert "Traceback" not in err
    assert f"{len(found['not_played'])} of {len(found['tables'])} tables not played" in err.splitlines()[-1]
    assert err.splitlines()[-1].startswith("pitboss: interrupted")


@pytest.mark.long
def test_the_time_is_up(tmp_path: Path) -> None:
    """A call that does not return is broken off when the time is up, and its file and line are named. In another
    process it is ended.
    """
    env = install_plugin(tmp_path, "other", OTHER_VIEW_PLUGIN.format(view="while True: pass"))
    ran = run_pitboss("check-game", "other", "--seats", "2", "--preset", "graves", "--seconds", "2", env=env)

    where = "in the plugin of 'other' (pitboss-other 7.0, other_plugin.py, line 9, in view)"
    assert ran.status == 1
    assert ran.error_lines[-1].startswith(f"pitboss: the processor time of 2 s is up, {where}: ")
    assert ran.out.startswith("The other one, seed conformance: ")
    assert ran.out.splitlines()[-1].startswith("no game was checked to its end")
    assert [one.pid for one in list_processes().values() if has_variable(one.pid, env["PYTHONPATH"])] == []


def has_variable(pid: int, value: str) -> bool:
    """Tell whether a process has an environment variable with this value in it."""
    with suppress(OSError):  # it has ended
        return value.encode() in Path(f"/proc/{pid}/environ").read_bytes()
    return False


def test_a_game_that_waits_is_broken_off() -> None:
    """A time limit is processor time; a block that computes nothing for long is broken off, too."""
    with pytest.raises(TimeUp), time_limit(1_000_000, idle_seconds=0.5):
        sleep(600)
