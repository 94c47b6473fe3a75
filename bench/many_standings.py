"""What the commands on a large tournament cost: standings, pairs, reports and pages, fresh and from what is kept.

    python bench/many_standings.py [--bots 1000] [--games 50000] [--long 100000] [--runs 3] [--stores FOLDER]

Two stores of synthetic results at tables of four: `--bots` bots in `--games` games, whose tables are drawn anew for
each round, and four bots in `--long` games. A row is the median of some processes: processor time, wall time and peak
memory. Stores are kept in FOLDER and used again from there.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Final, NamedTuple

from growth import KEEP, forget_standings, make_store, simulate_game, write_store
from pitboss_tournament.statistics.scoring import GameResult

SEATS: Final = 4
PITBOSS: Final = (sys.executable, "-m", "pitboss_tournament.cli")


class Cost(NamedTuple):
    """What one process took."""

    cpu_s: float
    wall_s: float
    mib: float


def main() -> None:
    """Make the stores, and print a row for each command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", type=int, default=1_000, help="(default: %(default)s)")
    parser.add_argument("--games", type=int, default=50_000, help="(default: %(default)s)")
    parser.add_argument("--long", type=int, default=100_000, help="games of four bots (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=3, help="processes of a row (default: %(default)s)")
    parser.add_argument("--stores", type=Path, help="the folder of the stores; by default they are not kept")
    given = parser.parse_args()
    print(f"{'':52}cpu s  wall s   MiB")
    with tempfile.TemporaryDirectory(prefix="pitboss-many-") as temporary:
        folder = given.stores or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for path in (make_field(folder, given.bots, given.games), make_store(folder, given.long, SEATS, SEATS)):
            measure_commands(path, given.runs)


def make_field(folder: Path, bots: int, games: int) -> Path:
    """Return the path of a store in which tables are drawn anew for each round; it is made if it is not there yet."""
    path = folder / f"{games}-{bots}-drawn.pitboss"
    if not path.exists():
        write_store(path, bots, SEATS, games, _simulate_rounds(bots, games))
    return path


def _simulate_rounds(bots: int, games: int) -> Iterator[GameResult]:
    """Yield the games of rounds in which each bot sits at one table, for a deal in all rotations."""
    rng, number = Random("rounds"), 0
    while True:
        order = rng.sample(range(bots), bots)
        for first in range(0, bots - SEATS + 1, SEATS):
            table = tuple(sorted(order[first : first + SEATS]))
            for rotation in range(SEATS):
                if number == games:
                    return
                yield simulate_game(number, table, number // SEATS, rotation, bots, rng)
                number += 1


def measure_commands(path: Path, runs: int) -> None:
    """Print a row for each command on a store, before standings are kept and after."""
    page = path.with_suffix(".html")
    commands = {
        "standings": [*PITBOSS, "standings", str(path)],
        "standings --pairs": [*PITBOSS, "standings", "--pairs", str(path)],
        "standings --json, as serve has it": [*PITBOSS, "standings", "--json", str(path)],
        "report": [*PITBOSS, "report", str(path), "-o", str(page)],
    }
    forget_standings(path)
    for name, command in commands.items():
        _print_row(f"{path.stem}: {name}", command, runs)
    _print_row(f"{path.stem}: to keep standings", [sys.executable, "-c", KEEP, str(path)], 1)
    for name, command in commands.items():
        _print_row(f"{path.stem}: {name}, kept", command, runs)
    print(f"{path.stem}: the report has {page.stat().st_size / 1e6:.1f} MB")
    page.unlink()


def _print_row(what: str, command: Sequence[str], runs: int) -> None:
    costs = [_measure(command) for _ in range(runs)]
    cpu_s, wall_s, mib = (median(column) for column in zip(*costs, strict=True))
    print(f"{what:50}{cpu_s:7.2f} {wall_s:7.2f} {mib:5.0f}", flush=True)


def _measure(command: Sequence[str]) -> Cost:
    began = perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit status {process.returncode}")
    return Cost(used.ru_utime + used.ru_stime, perf_counter() - began, used.ru_maxrss / 1024)


if __name__ == "__main__":
    main()
