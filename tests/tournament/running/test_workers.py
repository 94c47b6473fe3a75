"""Worker processes: killed, hung, pinned, few or many. The games that are played, and how they end, stay the same;
nobody is left behind.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import pytest

from tests.marks import first_rows
from tests.tournament.command_line import COMMAND, OTHER_VIEW_PLUGIN, CommandResult, install_plugin, run_pitboss
from tests.tournament.run_processes import (
    bot_processes,
    limit_lead,
    run_processes,
    wait_exited,
    wait_for,
    worker_processes,
)
from tests.tournament.small_tournaments import BOT_TESTS

pytestmark = pytest.mark.once

GOOD = f"{sys.executable} -S {BOT_TESTS / 'zoo' / 'good.py'}"
SHORT = ["--sandbox", "none", "--seats", "2", "--seed", "s", "-o", "turns=3"]
DEALS = 12
HANGING_VIEW = "(Path(__file__).parent / 'hangs').touch()\n            while True: pass"


def match_arguments(game: str, deals: int, *more: str) -> list[str]:
    """Return the words of a match of three good bots."""
    return ["match", game, GOOD, GOOD, GOOD, *SHORT, "--deals", str(deals), *more]


def export_games(store: Path) -> list[str]:
    """Return all games of a store, without their times."""
    return run_pitboss("export", str(store), "--no-times").out.splitlines()


@contextmanager
def run_match(*said: str, env: dict[str, str] | None = None) -> Iterator[tuple[int, IO[str], subprocess.Popen[str]]]:
    """Run a match in a process group of its own; give its process id and what it says in JSON, after the first line."""
    environment = {**os.environ, **(env or {})}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*COMMAND, *said, "--json"], stdout=pipe, stderr=pipe, text=True, env=environment, start_new_session=True
    ) as runner:
        assert runner.stdout
        limit_lead(runner)
        json.loads(runner.stdout.readline())
        try:
            yield runner.pid, runner.stdout, runner
        finally:
            runner.kill()


@contextmanager
def run_endless_match(*more: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a long match to which nobody listens: as it waits for no reader, bots are there most of the time."""
    words = match_arguments("magpie", 100_000, "--workers", "2", *more)
    with subprocess.Popen([*COMMAND, *words, "--json"], stdout=subprocess.DEVNULL, start_new_session=True) as runner:
        try:
            yield runner
        finally:
            runner.kill()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the games of the match, played by one worker without any trouble."""
    store = tmp_path_factory.mktemp("whole") / "x.pitboss"
    ran = run_pitboss(*match_arguments("magpie", DEALS, "--workers", "1", "--store", str(store)))
    assert ran.status == 0, ran.err
    return export_games(store)


@pytest.mark.long
@pytest.mark.parametrize(
    "more",
    [
        ["--workers", "2", "-s", "games_at_once=7"],
        *(
            pytest.param(words, marks=pytest.mark.long)
            for words in (["--workers", "3"], ["--workers", "4", "-s", "pinned=false"])
        ),
    ],
)
def test_more_workers_play_the_same_games(tmp_path: Path, whole: list[str], more: list[str]) -> None:
    """However the games are spread, each is played once, and ends as it does with one worker."""
    assert run_pitboss(*match_arguments("magpie", DEALS, "--store", str(tmp_path / "x.pitboss"), *more)).status == 0

    assert whole == export_games(tmp_path / "x.pitboss")
    assert len(whole) == 3 * DEALS * 2


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
def test_a_worker_is_killed_again_and_again(tmp_path: Path, whole: list[str], number: signal.Signals) -> None:
    """The games of a worker that is killed again and again are played by a fresh one: all are there, none twice, and
    they end as they would have.
    """
    store, killed = tmp_path / "x.pitboss", list[int]()
    with run_match(*match_arguments("magpie", DEALS, "--workers", "2", "--store", str(store))) as (
        runner,
        said,
        process,
    ):
        for at, _ in enumerate(said):
            fresh = (
                [worker.pid for worker in worker_processes(runner) if worker.pid not in killed] if at % 15 == 5 else []
            )
            with suppress(ProcessLookupError):  # it has just ended, as the match has
                for pid in fresh[:1]:
                    os.kill(pid, number)
                    killed.append(pid)
        assert process.wait() == 0

    assert len(killed) >= 3
    assert whole == export_games(store)


@pytest.mark.long
def test_all_workers_are_killed_at_once(tmp_path: Path, whole: list[str]) -> None:
    """Workers that are all killed at once are replaced; their bots do not outlive them."""
    store = tmp_path / "x.pitboss"
    with run_match(*match_arguments("magpie", DEALS, "--workers", "3", "--store", str(store))) as (
        runner,
        said,
        process,
    ):
        for _ in range(20):
            said.readline()
        found = wait_for(lambda: workers if len(workers := worker_processes(runner)) == 3 else None, process)
        everybody = run_processes(runner)
        for worker in found:
            os.kill(worker.pid, signal.SIGKILL)
        said.read()
        assert process.wait() == 0

    wait_exited(everybody)
    assert whole == export_games(store)


@first_rows(1)("sandbox", ["none", "auto"])
def test_the_runner_is_killed(tmp_path: Path, sandbox: str) -> None:
    """A runner that is killed by `kill -9` leaves no worker, no reaper and no bot."""
    with run_endless_match("--store", str(tmp_path / "x.pitboss"), "--sandbox", sandbox) as runner:
        wait_for(lambda: bot_processes(runner.pid), runner)
        everybody = run_processes(runner.pid)
        runner.kill()

    wait_exited(everybody)


@first_rows(1)(("number", "status"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)])
def test_a_game_that_never_returns(tmp_path: Path, number: signal.Signals, status: int) -> None:
    """A worker that hangs in a plugin's code ends with its runner, and its bots with it, whether the runner is killed
    or told to stop.
    """
    env = install_plugin(tmp_path, "other", OTHER_VIEW_PLUGIN.format(view=HANGING_VIEW))
    with run_match(*match_arguments("other", 2, "--workers", "1", "--store", str(tmp_path / "x.pitboss")), env=env) as (
        runner,
        _,
        process,
    ):
        wait_for((tmp_path / "hangs").exists, process)
        everybody, ours = run_processes(runner), (worker_processes(runner), bot_processes(runner))
        process.send_signal(number)
        assert process.wait() == status

    assert all(ours)
    wait_exited(everybody)


@pytest.mark.long
def test_ctrl_c_at_the_terminal_reaches_everybody(tmp_path: Path, whole: list[str]) -> None:
    """The whole process group hears it; the workers leave it to the runner, which stops in good order, and the match
    can be carried on.
    """
    store = tmp_path / "x.pitboss"
    match = match_arguments("magpie", DEALS, "--workers", "2", "--store", str(store))
    with run_match(*match) as (runner, said, process):
        for _ in range(10):
            said.readline()
        os.killpg(runner, signal.SIGINT)
        assert process.stderr
        last, errors = said.read().splitlines()[-1], process.stderr.read()
        assert process.wait() == 130

    assert (json.loads(last)["stopped"], errors) == (True, "")
    assert run_pitboss(*match).status == 0
    assert whole == export_games(store)


WAITING_BOT = """
import os, signal, sys
sys.path.insert(0, {zoo!r})
from polite import answer, messages
for kind, number in messages():
    if kind in ("decide", "bye"):
        os.close(os.open(f"{folder}/{{sys.argv[1]}}-{{kind}}-{{os.getpid()}}", os.O_CREAT))
    if kind == "decide" and sys.argv[1] == "thinks":
        signal.pause()
    if kind == "decide":
        answer(number)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_told_to_stop_the_bots_hear_their_bye(tmp_path: Path, number: signal.Signals) -> None:
    """A bot at a table when the match is stopped hears its bye if it does not owe an answer, also where the workers
    hear the signal too, as at a terminal.
    """
    file = tmp_path / "waits.py"
    file.write_text(WAITING_BOT.format(zoo=str(BOT_TESTS / "zoo"), folder=tmp_path))
    pair = [f"{sys.executable} -S {file} {name}" for name in ("thinks", "polite")]
    match = [
        "match",
        "magpie",
        *pair,
        *SHORT,
        "--deals",
        "1",
        "--workers",
        "1",
        "-s",
        "games_at_once=2",
        "-s",
        "clock.decision_ms=600000",
    ]
    with run_match(*match, "--store", str(tmp_path / "x.pitboss"), "-s", "pinned=false") as (runner, _, process):
        wait_for(lambda: len(list(tmp_path.glob("thinks-decide-*"))) == 2, process)
        os.killpg(runner, number)
        assert process.wait() == 128 + number

    assert len(list(tmp_path.glob("polite-bye-*"))) == 2


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system does not pin processes")
def test_workers_and_their_bots_keep_to_a_processor(tmp_path: Path) -> None:
    """Each worker has one processor, another one than the next if there is one, and its bots have the same; with
    -s pinned=false all may use all.
    """
    ours = os.sched_getaffinity(0)
    pinned, bots_there = measure_affinities(tmp_path / "a.pitboss")
    free, _ = measure_affinities(tmp_path / "b.pitboss", "-s", "pinned=false")

    assert [len(cores) for cores in pinned] == [1, 1]
    assert len(set.union(*pinned)) == min(2, len(ours))
    assert bots_there and all(cores in pinned for cores in bots_there)
    assert free == [ours, ours]


def measure_affinities(store: Path, *more: str) -> tuple[list[set[int]], list[set[int]]]:
    """Return the processors of the workers and of the bots of a match."""
    with run_endless_match("--store", str(store), *more) as runner:
        found = wait_for(lambda: find_affinities(runner.pid), runner)
        runner.send_signal(signal.SIGINT)
        runner.wait()
    return found


def find_affinities(runner: int) -> tuple[list[set[int]], list[set[int]]] | None:
    """Return the processors of two workers and of their bots; None if they are not all there."""
    workers = worker_processes(runner)
    if len(workers) != 2 or not all(bot_processes(one.pid) for one in workers):
        return None
    theirs = [cores for one in bot_processes(runner) if (cores := affinity_of(one.pid))]
    return ([affinity_of(one.pid) for one in workers], theirs) if theirs else None


def affinity_of(pid: int) -> set[int]:
    """Return the processors of a process; none if it has just ended."""
    try:
        return os.sched_getaffinity(pid)
    except ProcessLookupError:
        return set()


@pytest.mark.long
def test_a_game_that_brings_its_worker_down_each_time(tmp_path: Path) -> None:
    """A game that brings its worker down each time is tried three times; then the match stops with a sentence that
    names the game and how the worker ended. The other games are kept.
    """
    env = install_plugin(tmp_path, "other", OTHER_VIEW_PLUGIN.format(view="os.kill(os.getpid(), signal.SIGSEGV)"))
    ran = run_pitboss(*match_arguments("other", 2, "--workers", "2"), cwd=tmp_path, env=env)

    assert ran.status == 1
    assert re.search(
        r"game [01] \(seed 's/good\+good-2/0', bots good(-2)?, good(-2)?\) has brought down 3 worker processes", ran.err
    )
    assert "in which the plugin of 'other' (pitboss-other 7.0) runs" in ran.err
    assert "the last one was ended by signal 11 (Segmentation fault)" in ran.err
    assert len(ran.error_lines) == 1


@pytest.mark.long
def test_a_game_that_brought_its_worker_down_once(tmp_path: Path, whole: list[str]) -> None:
    """The game is played again, and all games are as they should be."""
    falls = "if not (Path(__file__).parent / 'fell').exists(): (Path(__file__).parent / 'fell').touch(); os._exit(7)"
    falls += "\n            return super().view(seat)"
    env = install_plugin(tmp_path, "other", OTHER_VIEW_PLUGIN.format(view=falls))
    ran = run_pitboss(
        *match_arguments("other", DEALS, "--workers", "2", "-s", "games_at_once=5", "--store", "x"),
        cwd=tmp_path,
        env=env,
    )

    assert (ran.status, ran.error_lines) == (0, [])
    assert [line.replace('"other"', '"magpie"') for line in export_games(tmp_path / "x")] == whole


@pytest.mark.long
def test_workers_that_die_before_they_play(tmp_path: Path) -> None:
    """A match stops after some workers in a row died before they played, with how the last one ended and what it said.
    The runner has a thread, so that it forks no workers, which have imported the plugin.
    """
    code = OTHER_VIEW_PLUGIN.format(view="return super().view(seat)")
    code += """
    import threading
    threading.Thread(target=threading.Event().wait, daemon=True).start()
    if "worker" in sys.argv[0]:
        print("no room in here", file=sys.stderr, flush=True)
        os._exit(3)
    """
    ran = run_pitboss(
        *match_arguments("other", 2, "--workers", "2"), cwd=tmp_path, env=install_plugin(tmp_path, "other", code)
    )

    assert ran.status == 1
    assert "6 worker processes have died without finishing a game; the last one exited with status 3" in ran.err
    assert "the end of its standard error: no room in here" in ran.err


def test_a_folder_with_a_file_called_as_a_module(tmp_path: Path) -> None:
    """A match that is started from a folder with a `trio.py` plays: the workers do not take that file for trio."""
    (tmp_path / "trio.py").write_text("raise SystemExit('not this one')")
    match = [sys.executable, "-P", *COMMAND[1:], *match_arguments("magpie", 1, "--workers", "1")]
    done = subprocess.run(match, cwd=tmp_path, capture_output=True, text=True, check=False)
    ran = CommandResult(done.returncode, done.stdout, done.stderr)

    assert (ran.status, ran.error_lines) == (0, [])


@pytest.mark.long
def test_a_game_that_prints(tmp_path: Path, whole: list[str]) -> None:
    """The output of a plugin goes to the worker's standard error, and spoils nothing."""
    prints = "print('[', flush=True)\n            return super().view(seat)"
    env = install_plugin(tmp_path, "other", OTHER_VIEW_PLUGIN.format(view=prints))
    ran = run_pitboss(*match_arguments("other", DEALS, "--store", "x"), cwd=tmp_path, env=env)

    assert (ran.status, ran.error_lines) == (0, [])
    assert [line.replace('"other"', '"magpie"') for line in export_games(tmp_path / "x")] == whole
