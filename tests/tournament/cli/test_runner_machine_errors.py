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
    """A machine on which no process can be started makes the games void: they are tried again, and then given up with a
    sentence; no bot forfeits.
    """
    run = run_match(tmp_path / "x.pitboss", "ulimit -n 20", deals=1)

    assert run.returncode == 1
    assert "cannot be started: Too many open files" in run.stderr
    assert "Traceback" not in run.stderr
    assert Store(tmp_path / "x.pitboss").count_games() == 0


@pytest.mark.long
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

    where = "pitboss-other 7.0, other_plugin.py, line 9, in view"
    broken = "ZeroDivisionError: division by zero; game 'other', seed 's/good+good-2/0', decision 1"
    assert (ran.status, ran.error_lines) == (1, [f"pitboss: the plugin of 'other' failed ({where}): {broken}"])


def test_a_view_that_is_no_json(tmp_path: Path) -> None:
    """A view that cannot be sent to a bot is the plugin's fault: no bot forfeits, and no worker dies."""
    env = install_plugin(tmp_path, "other", OTHER_VIEW_PLUGIN.format(view="return object()"))
    ran = run_pitboss("match", "other", GOOD, GOOD, "--seed", "s", "-o", "turns=3", cwd=tmp_path, env=env)

    where = "pitboss-other 7.0, other_plugin.py, line 8, OtherState.view"
    what = "the view cannot be written as JSON: TypeError: Encoding objects of type object is unsupported"
    [line] = ran.error_lines
    assert (ran.status, line.split(";")[0]) == (1, f"pitboss: the plugin of 'other' failed ({where}): {what}")


def test_two_plugins_with_one_game(tmp_path: Path) -> None:
    """The game of two plugins is not played: whoever asks for it is told the distributions of both, and other games go
    on.
    """
    code = "from pitboss.plugins.hookspec import hookimpl\nfrom pitboss_magpie.magpie import Magpie\n"
    env = install_plugin(tmp_path, "magpie", f"{code}@hookimpl\ndef pitboss_games(): return [Magpie()]\n")
    # the test's own distribution of this name would hide the other one: both are called pitboss-magpie
    (tmp_path / "pitboss_magpie-7.0.dist-info").rename(info := tmp_path / "pitboss_newcomer-7.0.dist-info")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pitboss-newcomer\nVersion: 7.0\n")

    played = run_pitboss("match", "magpie", GOOD, GOOD, cwd=tmp_path, env=env)
    listed = run_pitboss("games", env=env)

    clash = (
        "the game 'magpie' is offered by the plugins 'magpie' (from pitboss-magpie 1) and 'magpie' "
        "(from pitboss-newcomer 7.0); both were left out: uninstall all but one"
    )
    assert (played.status, set(played.error_lines)) == (2, {f"pitboss: {clash}"})
    assert (listed.status, listed.error_lines) == (0, [f"pitboss: {clash}"])
    assert "racko" in listed.out


def test_a_game_that_is_another_in_the_worker(tmp_path: Path) -> None:
    """A plugin that changes while the tournament begins is noticed where a worker imports it anew, as in a process that
    has threads, which forks none: the two are named, and nothing is played.
    """
    code = OTHER_VIEW_PLUGIN.format(view="return super().view(seat)")
    code += """
    import sys, threading
    threading.Thread(target=threading.Event().wait, daemon=True).start()
    if "worker" in sys.argv[0]:
        Other.version = "8"
    """
    ran = run_pitboss(
        "match", "other", GOOD, GOOD, "--seed", "s", cwd=tmp_path, env=install_plugin(tmp_path, "other", code)
    )

    assert ran.status == 2
    assert (
        "the tournament plays other 1 (other_plugin.Other), but a worker process has found other 8 (other_plugin.Other)"
        in ran.err
    )
