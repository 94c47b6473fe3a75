"""Every game through the conformance suite at full length: `python -m tests.soak.conformance`.

Each number of seats, each preset and each single change of an option is played at random to the end of the game. (The
tests of a game play shorter games, and a player who comes to where random play does not.) The exit status is 1 if a
check has failed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from time import perf_counter

from pitboss.plugins.registry import Registry
from pitboss.testing import check_game
from tests.soak.promises import PromiseTally


def main(words: Sequence[str] | None = None) -> int:
    """Print a line for each game and number of seats; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.conformance", description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--seats", type=int, help="only this number of seats")
    parser.add_argument("--count", type=int, default=2, help="games of each setup")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    given = parser.parse_args(words)
    registry = Registry()
    tables = [
        (name, seats, given.count)
        for name in given.games or registry.games
        for seats in registry.find_game(name).seats
        if given.seats in (None, seats)
    ]
    if not tables:
        parser.error(f"no game is played by {given.seats}")
    tally = PromiseTally()
    with ProcessPoolExecutor(given.processes) as pool:
        for is_kept, sentence in pool.map(check_table, *zip(*tables, strict=True)):
            tally.check(is_kept, sentence)
    return tally.exit_status()


def check_table(name: str, seats: int, count: int) -> tuple[bool, str]:
    """Run the suite on a game with this number of seats; return whether it passed, and a sentence with its figures."""
    began = perf_counter()
    report = check_game(Registry().find_game(name), seats=[seats], games=count, seed="soak")
    failures = "".join(f"\n  {failed.name}: {failed.detail}" for failed in report.failures)
    return not failures, (
        f"every check passes: {name}, {seats} seats, {len(report.tables)} setups, {report.games} games, "
        f"{report.decisions:,} decisions, {perf_counter() - began:.0f} s{failures}"
    )


if __name__ == "__main__":
    sys.exit(main())
