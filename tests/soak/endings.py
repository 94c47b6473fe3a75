"""Tournaments with misbehaving bots on a machine that is loaded many times over: `python -m tests.soak.endings` shows
how long each takes to its end, and to stop after Ctrl-C.

Limits count a bot's own time, and the machine takes its share on top. So docs/fairness.md promises that a question
ends after WALL_FACTOR times its limit and WALL_SECONDS, and that a game is tried MAX_VOID_TRIES times. In each try a
bot here does what it was made for in one question, which may last so long; the others take no more than their limits.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from pitboss_tournament.processes.clocks import WALL_FACTOR, WALL_SECONDS
from pitboss_tournament.running.worker import MAX_VOID_TRIES
from pitboss_tournament.store.store import Store
from tests.bots.zoo_catalogue import ZOO_BOTS, ZooBot
from tests.bots.zoo_entrants import ZooBuilder, open_zoo
from tests.soak.kills import RunnerProcess, describe_exit, run_tournament, write_bot_folder, write_tournament
from tests.soak.load import load_processors
from tests.soak.process_watch import ProcessWatch
from tests.soak.promises import PromiseTally, format_row
from tests.soak.zoo_match import SANDBOX

MARK: Final = f"soak-endings-{os.getpid()}"
START_S: Final = 10
DECISION_S: Final = 2
QUESTIONS: Final = 10  # to the misbehaving bot in a game: five turns, each of a draw and a drop
LIMIT_S: Final = START_S + QUESTIONS * DECISION_S  # of a bot that uses all of its time in both games, played at once
WALL_S: Final = WALL_FACTOR * DECISION_S + WALL_SECONDS  # of one question on the wall clock
GRACE_S: Final = 10
STOP_S: Final = 5
PLAY_S: Final = 1.0  # between the first process of a bot and Ctrl-C
PATIENCE_S: Final = 240.0  # after which a tournament is killed
WIDTHS: Final = (29, 9, 7, 6, 9, 7)


def main(words: Sequence[str] | None = None) -> int:
    """Play, stop and time; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.endings", description=__doc__)
    parser.add_argument("--busy", type=int, default=60, help="busy processes (default: %(default)s)")
    parser.add_argument("--only", nargs="*", metavar="BOT", help="these bots and no others")
    given = parser.parse_args(words)
    promises = PromiseTally()
    bots = [bot for bot in ZOO_BOTS if bot.name in (given.only or [bot.name for bot in ZOO_BOTS])]
    bots = [bot for bot in bots if SANDBOX != "none" or bot.is_safe_without_sandbox]
    print(f"{given.busy} busy processes, sandbox: {SANDBOX}; a start may take {START_S} s, a decision {DECISION_S}")
    print(format_row(("bot", "ended, s", "status", "voids", "Ctrl-C, s", "status"), WIDTHS))
    with (
        tempfile.TemporaryDirectory(prefix="pitboss-endings-") as home,
        open_zoo(Path(home), MARK) as keeper,
        load_processors(given.busy),
    ):
        os.chmod(home, 0o755)  # noqa: PTH101 - in a sandbox the bots are somebody else
        time_bots(keeper, Path(home), bots, promises)
    return promises.exit_status()


def time_bots(keeper: ZooBuilder, home: Path, bots: Sequence[ZooBot], promises: PromiseTally) -> None:
    """Let each bot play a tournament to its end, and another one that is stopped; print a line for each."""
    endless, beyond, late, left = list[str](), list[str](), list[str](), list[str]()
    slowest_end = slowest_stop = 0.0
    clock = [f"start_ms = {START_S * 1000}", f"decision_ms = {DECISION_S * 1000}"]
    for bot in bots:
        partner = "good" if bot.name == "watches" else "watches"
        folders = [write_bot_folder(keeper, name) for name in (partner, bot.name)]
        whole = write_tournament(home / f"{bot.name}-whole.toml", folders, max(1, bot.min_deals), SANDBOX, clock)
        ended, end_status, end_text = time_tournament(whole, wait_for_end, left)
        long = write_tournament(home / f"{bot.name}-long.toml", folders, 100_000, SANDBOX, clock)
        stopped, stop_status, stop_text = time_tournament(long, stop_at_play, left)
        with closing(Store(whole.with_suffix(".pitboss"))) as store:
            voids = Counter(void.game_id for void in store.voids())
        row = (bot.name, round(ended, 1), end_status, voids.total(), round(stopped, 1), stop_status)
        print(format_row(row, WIDTHS), flush=True)
        slowest_end, slowest_stop = max(slowest_end, ended), max(slowest_stop, stopped)
        limits = bot.min_deals * LIMIT_S
        most = max(voids.values(), default=0)  # void games in a row at one table
        tries = min(most + 1, MAX_VOID_TRIES)
        on_the_wall = limits + tries * WALL_S + (tries - 1) * START_S
        right = (0, 1, 3) if most == MAX_VOID_TRIES else (0, 3)
        if end_status not in right or ended > on_the_wall + GRACE_S:
            endless.append(f"{bot.name}: {ended:.0f} s, {voids.total()} voids, {end_text}")
        if ended > limits + GRACE_S:
            beyond.append(f"{bot.name} {ended:.0f} s")
        if stop_status != 130 or stopped > STOP_S:
            late.append(f"{bot.name}: {stopped:.1f} s, {stop_text}")
    promises.check(
        not endless,
        f"a tournament ends within its limits on the wall clock and {GRACE_S} s: {slowest_end:.1f} s at the worst "
        f"{'; '.join(endless)}",
    )
    print(f"{len(bots) - len(beyond)} of {len(bots)} within their limits in their own time and {GRACE_S} s", *beyond)
    promises.check(not late, f"Ctrl-C stops it within {STOP_S} s: {slowest_stop:.1f} s at the worst {'; '.join(late)}")
    promises.check(not left, f"no process outlives a runner: {len(left)} {left[:5]}")


def time_tournament(
    file: Path, wait: Callable[[RunnerProcess, ProcessWatch], float], left: list[str]
) -> tuple[float, int, str]:
    """Run a tournament; return what `wait` returns, the exit status, and that in words. `left` gets who outlives it."""
    with run_tournament(file) as runner:
        watch = ProcessWatch(runner.pid, MARK)
        seconds = wait(runner, watch)
        runner.wait()
    left += [process.command_line for process in watch.wait_leftovers(STOP_S)]
    return seconds, runner.returncode, describe_exit(file, runner)


def wait_for_end(runner: RunnerProcess, _: ProcessWatch) -> float:
    """Return the seconds to the end of a tournament."""
    return wait_exit(runner)


def stop_at_play(runner: RunnerProcess, watch: ProcessWatch) -> float:
    """Send Ctrl-C while bots are at play; return the seconds to the end of the runner."""
    until = monotonic() + PATIENCE_S
    while runner.poll() is None and not watch.bot_processes() and monotonic() < until:
        sleep(0.01)
    sleep(PLAY_S)
    watch.scan()
    runner.send_signal(signal.SIGINT)
    return wait_exit(runner)


def wait_exit(runner: RunnerProcess) -> float:
    """Return the seconds to the end of a runner; one that lives on after PATIENCE_S is killed."""
    began = monotonic()
    try:
        runner.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        runner.kill()
    return monotonic() - began


if __name__ == "__main__":
    sys.exit(main())
