"""Kills at random moments: `python -m tests.soak.kills` kills bots, then the runner, again and again, and looks for
what is left.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.store.store import Store
from tests.bots.zoo_entrants import ZooBuilder, open_zoo
from tests.plugins import magpie_installed
from tests.soak.process_watch import ProcessWatch
from tests.soak.promises import PromiseTally
from tests.soak.zoo_match import LEAVE_S, SANDBOX

MARK: Final = f"soak-kills-{os.getpid()}"
BOTS: Final = ("watches", "good", "forks_holders", "will_not_leave")
PAIRS: Final = len(BOTS) * (len(BOTS) - 1)  # each in both rotations
KILL_WINDOW_S: Final = (
    0.6  # a runner is killed at a random moment within so many seconds of its first word, or of its first bot
)
NO_BOT_TIMEOUT_S: Final = 60.0  # without a bot to be killed

RunnerProcess = subprocess.Popen[str]


def main(words: Sequence[str] | None = None) -> int:
    """Kill and count; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.kills", description=__doc__)
    parser.add_argument("--count", type=int, default=1_000, help="bots to kill (default: %(default)s)")
    parser.add_argument("--runners", type=int, default=100, help="runners to kill (default: %(default)s)")
    parser.add_argument(
        "--deals",
        type=int,
        default=20,
        help="deals of the tournament for each runner to be killed (default: %(default)s)",
    )
    parser.add_argument("--seed", default="kills", help="the moments follow from it (default: %(default)s)")
    parser.add_argument("--no-sandbox", action="store_true", help="without a sandbox, even where there is one")
    given = parser.parse_args(words)
    chance, promises = random.Random(given.seed), PromiseTally()
    sandbox = "none" if given.no_sandbox else SANDBOX
    print(f"sandbox: {sandbox}", flush=True)
    with tempfile.TemporaryDirectory(prefix="pitboss-kills-") as home, open_zoo(Path(home), MARK) as keeper:
        os.chmod(home, 0o755)  # noqa: PTH101 - in a sandbox the bots are somebody else
        folders = [write_bot_folder(keeper, name) for name in BOTS]
        if given.count:
            kill_bots(
                write_tournament(Path(home) / "bots.toml", folders, 1_000_000, sandbox), given.count, chance, promises
            )
        if given.runners:
            deals = given.deals * given.runners
            kill_runners(
                write_tournament(Path(home) / "runners.toml", folders, deals, sandbox),
                deals,
                given.runners,
                chance,
                promises,
            )
    return promises.exit_status()


def kill_bots(file: Path, count: int, chance: random.Random, promises: PromiseTally) -> None:
    """Kill processes of bots and of their sandboxes while a tournament goes on, then stop it."""
    killed = 0
    with run_tournament(file) as runner:
        watch = ProcessWatch(runner.pid, MARK)
        until = monotonic() + NO_BOT_TIMEOUT_S
        while killed < count and runner.poll() is None and monotonic() < until:
            sleep(chance.uniform(0, 0.02))
            bots = watch.bot_processes()
            if bots and kill_process(chance.choice(bots).pid):
                killed += 1
                until = monotonic() + NO_BOT_TIMEOUT_S
        promises.check(
            runner.poll() is None and killed == count, f"the runner has outlived {killed:,} kills of bots' processes"
        )
        runner.send_signal(signal.SIGINT)
        promises.check(
            runner.wait() == 130, f"stopped by Ctrl-C it ends with status 130: {describe_exit(file, runner)}"
        )
    left = watch.wait_leftovers(LEAVE_S)
    promises.check(not left, f"no process is left: {len(left)} {[process.command_line for process in left]}")
    check_store(file, None, promises)


def kill_runners(file: Path, deals: int, count: int, chance: random.Random, promises: PromiseTally) -> None:
    """Kill the runner of a tournament again and again, then let it come to its end."""
    left, slowest, in_play = list[str](), 0.0, 0
    for number in range(count):
        with run_tournament(file) as runner:
            watch = ProcessWatch(runner.pid, MARK)
            while number % 2 and runner.poll() is None and not watch.bot_processes():
                sleep(0.005)
            with watch.scanning():
                sleep(chance.uniform(0, KILL_WINDOW_S))
            in_play += bool(watch.bot_processes())
            runner.kill()
            runner.wait()
            dead = monotonic()
        left += [process.command_line for process in watch.wait_leftovers(LEAVE_S)]
        slowest = max(slowest, monotonic() - dead)
    promises.check(
        not left,
        f"no process outlives {count} killed runners, {in_play} of them with bots at play: {len(left)} left {left[:5]}",
    )
    print(f"       the last of a killed runner's processes was gone after {slowest:.2f} s at the latest", flush=True)
    with run_tournament(file) as runner:
        promises.check(
            runner.wait() == 0,
            f"carried on, the tournament comes to its end with status 0: {describe_exit(file, runner)}",
        )
    check_store(file, deals * PAIRS, promises)


def describe_exit(file: Path, runner: RunnerProcess) -> str:
    """Say how a runner has ended, with the end of what it wrote to standard error."""
    return " ".join([str(runner.returncode), *file.with_suffix(".errors").read_text()[-500:].split()])


def kill_process(pid: int) -> bool:
    """Kill a process; tell whether it was there."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def check_store(file: Path, games: int | None, promises: PromiseTally) -> None:
    """Look whether the store is whole: in SQLite's eyes, and each game to be read."""
    path = file.with_suffix(".pitboss")
    with sqlite3.connect(path) as database:
        [verdict] = database.execute("pragma integrity_check").fetchone()
    database.close()
    store = Store(path)
    there, read = list(store.game_ids()), sum(bool(record.decisions) for _, record in store.records())
    store.close()
    is_whole = verdict == "ok" and read == len(there) and (games is None or there == list(range(games)))
    promises.check(
        is_whole,
        f"the store is whole: {verdict}, {len(there):,} games{'' if games is None else f' of {games:,}'}, "
        f"{read:,} readable",
    )


@contextmanager
def run_tournament(file: Path) -> Iterator[RunnerProcess]:
    """Run `pitboss run` in a session of its own, and wait for its first line; end it with the block."""
    command = [sys.executable, "-m", "pitboss_tournament.cli", "run", str(file), "--json"]
    with (
        magpie_installed(),
        file.with_suffix(".errors").open("w") as errors,
        file.with_suffix(".lines").open("w+") as lines,
        subprocess.Popen(command, stdout=lines, stderr=errors, text=True, start_new_session=True) as runner,
    ):
        try:
            while runner.poll() is None and not file.with_suffix(".lines").stat().st_size:
                sleep(0.005)
            yield runner
        finally:
            runner.kill()


def write_tournament(path: Path, folders: Sequence[Path], deals: int, sandbox: str, clock: Sequence[str] = ()) -> Path:
    """Write a tournament of the bots, with the lines of its [clock]."""
    settings = {
        "game": "magpie",
        "seats": 2,
        "deals": deals,
        "sandbox": sandbox,
        "workers": 2,
        "games_at_once": 4,
        "store": str(path.with_suffix(".pitboss")),
    }
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    lines += ["[options]", "turns = 5", "[faults]", "disqualify_after = 1000000", "[clock]", *clock]
    lines += [f"[[bots]]\nbot = {json.dumps(str(folder))}" for folder in folders]
    path.write_text("\n".join(lines))
    return path


def write_bot_folder(keeper: ZooBuilder, name: str) -> Path:
    """Return a bot's folder, with a description for `pitboss run`."""
    bot: Entrant = keeper.build_named_bot(name)
    assert bot.folder
    (bot.folder / "bot.toml").write_text(f"command = {json.dumps(bot.command)}\n")
    return bot.folder


if __name__ == "__main__":
    sys.exit(main())
