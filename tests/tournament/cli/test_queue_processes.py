"""A queue that several processes use, and whose processes are killed: nothing is lost, and nothing is played twice."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import sleep
from typing import Any, Final

import pytest

from pitboss_tournament.store.store import Store
from tests.tournament.command_line import COMMAND, run_pitboss
from tests.tournament.queue_repository import add_entry, list_entries, make_repository, run_queue, write_version
from tests.tournament.run_processes import wait_for

pytestmark = pytest.mark.once

ADDS: Final = 5  # at the same time
KILLS: Final = 6
LOOK_AGAIN_S: Final = 0.1  # between looks into a store
KILL_WINDOW_S: Final = 0.6  # an `add` is killed at a random moment within so many seconds

RESTING_BOT: Final = """
import time
from polite import answer, questions
for number in questions():
    time.sleep(0.02)
    answer(number)
"""


@contextmanager
def begin_run(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Start `pitboss queue run`; kill it at the end."""
    command = [*COMMAND, "queue", "run", *words]
    with subprocess.Popen(command, cwd=folder, stdout=-1, stderr=-1, text=True) as runner:
        try:
            yield runner
        finally:
            runner.kill()


def add_long(folder: Path, games: int = 60) -> None:
    """Queue a comparison of two equal bots that has no verdict for a while; the second one rests before it answers."""
    write_version(folder / "one", "good")
    write_version(folder / "two", "good")
    (folder / "two" / "bot.py").write_text(RESTING_BOT)
    add_entry(folder, "one", "two", "--games", str(games))


def wait_for_games(folder: Path, games: int, runner: subprocess.Popen[str]) -> None:
    """Wait until so many games of the first comparison are kept."""
    store = folder / ".pitboss-queue" / "0001.pitboss"

    def has_games() -> bool:
        sleep(LOOK_AGAIN_S)
        return len(list(store.parent.glob("0001.pitboss-wal"))) > 0 and count_games(store) >= games

    wait_for(has_games, runner)


def count_games(store: Path) -> int:
    """Return the games of a store that may just be being made."""
    try:
        return Store(store).count_games()
    except Exception:  # noqa: BLE001 - whatever a store that is being made says
        return 0


def reports(folder: Path) -> list[dict[str, Any]]:
    """Return the reports of a queue without where their stores lie, and what was in play at the verdict."""
    return [entry["report"] | {"store": None, "games": 0} for entry in list_entries(folder)]


@pytest.mark.long
def test_a_run_that_is_killed(tmp_path: Path) -> None:
    """The comparison is stopped, and the next run carries it on from its store to the result of a queue that nobody
    killed.
    """
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    for folder in (whole, killed):
        add_long(folder, games=32)
        add_entry(folder, "one", "house:first", "--games", "4")
    assert run_queue(whole, "run").status == 2

    for games in (4, 12):
        with begin_run(killed) as runner:
            wait_for_games(killed, games, runner)
            runner.kill()
        [stopped, waiting] = list_entries(killed)
        assert (stopped["state"], waiting["state"]) == ("stopped", "waits")
        assert stopped["games"] >= games
        assert f"stopped after {stopped['games']} games" in run_queue(killed, "list").out
    ran = run_queue(killed, "run")

    assert ran.status == 2, ran.err
    assert "games are already played" in ran.err
    assert reports(killed) == reports(whole)
    assert len(ran.out.splitlines()) == 2


@pytest.mark.long
def test_ctrl_c(tmp_path: Path) -> None:
    """Ctrl-C ends a queue with status 130, and SIGTERM with 143: finished games are kept, the comparison is stopped."""
    add_long(tmp_path)
    for games, number, status in ((2, signal.SIGINT, 130), (10, signal.SIGTERM, 143)):
        with begin_run(tmp_path) as runner:
            wait_for_games(tmp_path, games, runner)
            runner.send_signal(number)
            out, err = runner.communicate()

        [entry] = list_entries(tmp_path)
        assert (runner.returncode, out) == (status, "")
        assert "Traceback" not in err
        assert entry["state"] == "stopped"
        assert entry["games"] >= games


@pytest.mark.long
def test_two_runs(tmp_path: Path) -> None:
    """The second of two runs is refused by a sentence, with status 3; what is played cannot be removed, what is added
    is played.
    """
    add_long(tmp_path)
    with begin_run(tmp_path) as runner:
        wait_for_games(tmp_path, 2, runner)
        runner.send_signal(signal.SIGSTOP)  # however slow this machine is, it plays on when the others have ended
        second, removed = run_queue(tmp_path, "run"), run_queue(tmp_path, "remove", "1")
        add_entry(tmp_path, "one", "house:first", "--games", "4")
        running, _ = list_entries(tmp_path)
        table = run_queue(tmp_path, "list").out
        runner.send_signal(signal.SIGCONT)
        out, _ = runner.communicate()

    holder = f"another `pitboss queue run` (process {runner.pid})"
    assert (second.status, second.out) == (3, "")
    assert second.err == (
        f"pitboss: {tmp_path}/.pitboss-queue: {holder} already plays this queue, and also plays what you add\n"
    )
    assert removed.err == f"pitboss: comparison 1 is being played by {holder}; stop that first\n"
    assert running["state"] == "runs"
    assert " games so far" in table
    assert len(out.splitlines()) == 2
    assert runner.returncode == 2


@pytest.mark.long
def test_the_time_is_up(tmp_path: Path) -> None:
    """The games in progress end when the time is up, the comparison is kept for the next run, and the status says that
    it has no verdict.
    """
    add_long(tmp_path)
    add_entry(tmp_path, "one", "house:first", "--games", "4")

    ran = run_queue(tmp_path, "run", "--for", "1s")
    states = [entry["state"] for entry in list_entries(tmp_path)]
    after = run_queue(tmp_path, "run", "--for", "1h")

    assert (ran.status, ran.out) == (2, "")
    assert "2 comparisons still to be played; `pitboss queue run` carries on" in ran.err
    assert states == ["stopped", "waits"]
    assert len(after.out.splitlines()) == 2


@pytest.mark.long
def test_adds_at_the_same_time(tmp_path: Path) -> None:
    """Each of the entries added at the same time has a number of its own, and the copies that they share are whole."""
    top = make_repository(tmp_path)
    words = [*COMMAND, "queue", "add", "magpie", "git:HEAD~1:mine", "git:HEAD:mine", "--seed"]
    adding = [subprocess.Popen([*words, str(number)], cwd=top, stdout=-1, stderr=-1) for number in range(ADDS)]

    for one in adding:
        assert one.communicate()[1] == b""

    entries = list_entries(top)
    assert [entry["number"] for entry in entries] == list(range(1, ADDS + 1))
    assert {entry["seed"] for entry in entries} == {str(number) for number in range(ADDS)}
    copies = list((top / ".pitboss-queue" / "bots").glob("*/mine/bot.toml"))
    assert len(copies) == 2


def test_adds_that_are_killed(tmp_path: Path) -> None:
    """An entry that `queue add` has confirmed survives a kill at any moment, each entry is whole, and the next one is
    added.
    """
    top, random = make_repository(tmp_path), Random(1)
    told = 0
    for _ in range(KILLS):
        words = [*COMMAND, "queue", "add", "magpie", "mine", "git:HEAD~1:mine"]
        with subprocess.Popen(words, cwd=top, stdout=-1, stderr=-1, text=True) as adding:
            sleep(random.random() * KILL_WINDOW_S)
            adding.kill()
            told += "waits in" in adding.communicate()[0]
    add_entry(top, "git:HEAD~1:mine", "git:HEAD:mine")

    entries = list_entries(top)
    copies = top / ".pitboss-queue" / "bots"
    assert len(entries) > told
    for entry in entries:
        assert json.loads((top / ".pitboss-queue" / f"{entry['number']:04}.json").read_text())["state"] == "waits"
        for side in ("old", "new"):
            names = sorted(path.name for path in (copies / entry[side]["copy"]).iterdir())
            assert names == ["bot.py", "bot.toml", "polite.py"]


def test_an_error_that_is_no_bots(tmp_path: Path) -> None:
    """The run ends with status 3 and the comparison can be carried on; with --keep-going it has failed, and the next
    one is played.
    """
    for _ in range(2):
        add_entry(tmp_path, "house:first", "house:random", "--games", "4")
    (tmp_path / ".pitboss-queue" / "0001.pitboss").write_bytes(b"SQLite format 3\0" + b"x" * 5000)  # a damaged disk

    ended = run_queue(tmp_path, "run")
    state = [entry["state"] for entry in list_entries(tmp_path)]
    went_on = run_queue(tmp_path, "run", "--keep-going")

    assert (ended.status, state) == (3, ["stopped", "waits"]), ended.err
    assert "Traceback" not in ended.err
    assert went_on.status == 3
    assert [entry["state"] for entry in list_entries(tmp_path)] == ["failed", "ended"]


def test_help_says_the_statuses() -> None:
    """The help of `queue run` says the statuses, as that of `compare` does."""
    said = " ".join(run_pitboss("queue", "run", "--help").out.split())

    assert "0 if NEW is better in all of them (or nothing waited), 1 if in one it is not better, 2 if one is" in said
    assert "3 if one has failed, or after an error. After Ctrl-C it is 130" in said
