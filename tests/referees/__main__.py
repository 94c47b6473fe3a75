"""Compare matches of a plugin with its second referee: `python -m tests.referees GAME --matches N`."""

from __future__ import annotations

import argparse
from importlib import import_module
from time import perf_counter


def main() -> None:
    """Compare the matches, and print how many decisions agree."""
    parser = argparse.ArgumentParser(prog="python -m tests.referees")
    parser.add_argument("game", help="The name of a module of tests/referees: cribbage.")
    parser.add_argument("--matches", type=int, default=100, help="Matches to compare. Default: 100.")
    parser.add_argument("--first", type=int, default=0, help="The seed of the first match. Default: 0.")
    given = parser.parse_args()
    compare, began = import_module(f"tests.referees.{given.game}").compare, perf_counter()
    decisions = sum(compare(seed) for seed in range(given.first, given.first + given.matches))
    print(f"{given.game}: {given.matches:,} matches, {decisions:,} decisions agree ({perf_counter() - began:.0f} s)")


if __name__ == "__main__":
    main()
