"""What no bot is to blame for: the tournament stops with a sentence, nobody forfeits, and what was written stays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pitboss_tournament.store.store import Store
from tests.tournament.command_line import OTHER_VIEW_PLUGIN, install_plugin, run_pitboss
from tests.tournament.small_tournaments import BOT_TESTS

pytestmark = pytest.mark.once

GOOD = f"{sys.executable} -S {BOT_TESTS / 'zoo' / 'good.py'}"


def run_match(store: Path, limit: str, deals: int) -> subprocess.CompletedProcess[str]:
    """Play a match in a shell with a resource limit."""
    words = [
        "match",
        "magpie",
        f'"{GOOD}"',
        f'"{GOOD}"',
        "--deals",
        str(deals),
        "-o",
        "turns=3",
        "--seed",
        "s",
        "--store",
        str(store),
    ]
    script = f"{limit}; exec {sys.executable} -m pitboss_tournament.cli {' '.join(words)}"
    return subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)


def test_no_descriptors_left(tmp_path: Path) -> None:
    """Where no process can be started the games are void: tried again, and then given up with a sentence; no bot
    forfeits.
    """
    run = run_match(tmp_path / "x.pitboss", "ulimit -n 20", deals=1)

    assert run.returncode == 1
    assert "cannot be started: Too many open files" in run.stderr
    assert "Traceback" not in run.stderr
    assert Store(tmp_path / "x.pitboss").count_games() == 0


def test_the_disk_fills_up(tmp_path: Path) -> None:
    """A store that cannot grow stops the run with a sentence that names it; the games that were written are whole."""
    run = run_match(tmp_path / "x.pitboss", "ulimit -S -f 300", deals=2000)

    assert run.returncode == 1
    assert f"pitboss: {tmp_path / 'x.pitboss'}: cannot be written:" in run.stderr
    assert "Traceback" not in run.stderr
    store = Store(tmp_path / "x.pitboss")
    assert store.count_games() == len(list(store.records())) == len(list(store.results()))


def test_a_game_that_fails_in_the_middle(tmp_path: Path) -> None:
    """A plugin's bug ends the tournament and is reported with the seed and the decision that show it again; finished
    games are kept.
    """
    env = install_plugin(tmp_path, "other", OTHER_VIEW_PLUGIN.format(view="return 1 / 0"))
    ran = run_pitboss("match", "other", GOOD, GOOD, "--seed", "s", "-o", "turns=3", cwd=tmp_path, env=env)

    broken = "ZeroDivisionError: division by zero; game 'other', seed 's/good+good-2/0', decision 1"
    assert (ran.status, ran.error_lines) == (1, [f"pitboss: the plugin failed: {broken}"])


def test_a_game_that_is_another_in_the_worker(tmp_path: Path) -> None:
    """A plugin that changes while the tournament begins is noticed: the two are named, and nothing is played."""
    code = OTHER_VIEW_PLUGIN.format(view="return super().view(seat)")
    code += """
    import sys
    if "worker" in sys.argv[0]:
        Other.version = "8"
    """
    ran = run_pitboss(
        "match", "other", GOOD, GOOD, "--seed", "s", cwd=tmp_path, env=install_plugin(tmp_path, "other", code)
    )

    assert ran.status == 2
    assert "the runner plays other 1 (other_plugin.Other), its worker has found other 8 (other_plugin.Other)" in ran.err
