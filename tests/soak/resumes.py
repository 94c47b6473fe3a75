"""Resumes: `python -m tests.soak.resumes` kills runners at random moments, lets their tournaments come to an end, and
compares every game with those of the same tournaments played without a break.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import sleep
from typing import Final

from pitboss.records.record import Record
from pitboss_tournament.audit.store_audit import find_problems
from pitboss_tournament.exchange.export import strip_times
from pitboss_tournament.store.store import Store
from tests.plugins import magpie_installed
from tests.soak.kills import describe_exit, run_tournament
from tests.soak.promises import PromiseTally

KILL_WINDOW_S: Final = (
    0.5  # a runner is killed at a random moment within so many seconds of its first word, or of its first game
)
GAMES_A_DEAL: Final = 6  # three bots, each two of them, both rotations
TOURNAMENT: Final = """
game = "magpie"
seats = 2
deals = {deals}
seed = "{seed}"
store = "{name}.pitboss"
sandbox = "none"
workers = 1
games_at_once = 2
[options]
turns = 5
[[bots]]
bot = "house:random"
[[bots]]
bot = "house:first"
[[bots]]
bot = "house:random"
name = "another"
"""


@magpie_installed()
def main(words: Sequence[str] | None = None) -> int:
    """Kill and resume, print what came of it, and return 1 if something was not as promised."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.resumes", description=__doc__)
    parser.add_argument("--count", type=int, default=500, help="runners to kill (default: %(default)s)")
    parser.add_argument("--deals", type=int, default=100, help="deals of each tournament (default: %(default)s)")
    parser.add_argument("--seed", default="resumes", help="the moments follow from it (default: %(default)s)")
    given = parser.parse_args(words)
    chance, promises, killed, tournaments, most = random.Random(given.seed), PromiseTally(), 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="pitboss-resumes-") as home:
        while killed < given.count:
            file = write_tournament(Path(home), f"broken-{tournaments}", f"tournament-{tournaments}", given.deals)
            kills = kill_repeatedly(file, given.count - killed, chance, promises)
            killed, tournaments, most = killed + kills, tournaments + 1, max(most, kills)
            whole = write_tournament(Path(home), f"whole-{tournaments}", f"tournament-{tournaments - 1}", given.deals)
            finish_tournament(whole, promises)
            compare_stores(file, whole, given.deals * GAMES_A_DEAL, kills, promises)
    promises.check(
        killed == given.count, f"{killed:,} runners killed in {tournaments} tournaments, up to {most} times in one"
    )
    return promises.exit_status()


def kill_repeatedly(file: Path, most: int, chance: random.Random, promises: PromiseTally) -> int:
    """Run a tournament again and again, killing the runner each time, and let it come to its end after so many kills at
    the most; return how many there were.
    """
    for kills in range(most):
        with run_tournament(file) as runner:
            lines = file.with_suffix(".lines")
            while kills % 2 and runner.poll() is None and '"event":"game"' not in lines.read_text():
                sleep(0.01)
            sleep(chance.uniform(0, KILL_WINDOW_S))
            if runner.poll() is not None:
                promises.check(runner.returncode == 0, f"it ends with status 0: {describe_exit(file, runner)}")
                return kills
            runner.kill()
            runner.wait()
    finish_tournament(file, promises)
    return most


def finish_tournament(file: Path, promises: PromiseTally) -> None:
    """Let a tournament come to its end."""
    with run_tournament(file) as runner:
        promises.check(runner.wait() == 0, f"{file.stem} comes to its end with status 0: {describe_exit(file, runner)}")


def compare_stores(file: Path, other: Path, games: int, kills: int, promises: PromiseTally) -> None:
    """Look whether two tournaments are the same, game by game, and their stores whole."""
    broken, whole = (_read_games(one.with_suffix(".pitboss"), promises) for one in (file, other))
    same = sum(broken.get(number) == record for number, record in whole.items())
    are_all = list(broken) == list(whole) == list(range(games))
    promises.check(
        are_all and same == games, f"after {kills} kills {same:,} of {games:,} games are those of the uninterrupted run"
    )


def _read_games(path: Path, promises: PromiseTally) -> dict[int, Record]:
    store = Store(path)
    found = [str(problem) for problem in find_problems(store)]
    promises.check(not found, f"{path.name} is whole: {len(found)} problems {found[:3]}")
    games = {number: strip_times(record) for number, record in store.records()}
    store.close()
    return games


def write_tournament(folder: Path, name: str, seed: str, deals: int) -> Path:
    """Write a tournament; two of one seed have the same games."""
    path = folder / f"{name}.toml"
    path.write_text(TOURNAMENT.format(deals=deals, name=name, seed=seed))
    return path


if __name__ == "__main__":
    sys.exit(main())
