"""Imagined worlds, by the tens of thousands: in each the public past is replayed, event for event, and must be legal.

    python bench/worlds.py [GAME …] [--worlds N] [--processes N]

Random games of every number of seats; at random decisions, every seat and the spectator imagine worlds. For each world a past is sought: the shuffles
that would have led there, the seat's own decisions, and decisions of the others that look to the seat as it saw them. "illegal": there is none. "given up": the
search grew too long to say. (The conformance suite does the same for a few worlds of each game.) The exit status is 1 if a world is illegal.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from time import perf_counter
from typing import Final

from pitboss import Random
from pitboss.options import resolved
from pitboss.plugins import Registry
from pitboss.testing.chances import chance_of
from pitboss.testing.course import at_random, played
from pitboss.testing.moment import Moment
from pitboss.testing.search import Search
from pitboss.testing.settings import Setting

MOMENTS: Final = 4  # of each game
LATEST: Final = 120  # a past is sought by playing it again and again, so from early decisions
EACH: Final = 5  # worlds of each seat at each moment


def main() -> int:
    """Print a line for each game and number of seats; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*")
    parser.add_argument("--worlds", type=int, default=50_000, help="for each game, at least, over its numbers of seats")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    given = parser.parse_args()
    registry = Registry()
    illegal = 0
    print(f"{'game':14}{'seats':>6}{'games':>8}{'worlds':>9}{'found':>9}{'given up':>10}{'illegal':>9}{'s':>8}")
    with ProcessPoolExecutor(given.processes) as pool:
        for name in given.games or registry.games:
            all_seats = registry.game(name).seats
            for seats in all_seats:
                began = perf_counter()
                games = -(-given.worlds // (len(all_seats) * MOMENTS * EACH * (seats + 1)))
                ends: Counter[str] = Counter()
                for one in pool.map(ends_of, [name] * games, [seats] * games, range(games), chunksize=4):
                    ends += one
                counted = f"{ends.total():>9,}{ends['found']:>9,}{ends['unfinished']:>10,}{ends['none']:>9,}"
                print(f"{name:14}{seats:>6}{games:>8,}{counted}{perf_counter() - began:>8.0f}", flush=True)
                illegal += ends["none"]
    return 1 if illegal else 0


def ends_of(name: str, seats: int, number: int) -> Counter[str]:
    """Return how the searches of one game ended."""
    game = Registry().game(name)
    setting = Setting(game, seats, f"{seats} seats", resolved(game, seats), longest=LATEST + 1)
    course = played(setting, f"bench/worlds/{number}", "at random", at_random)
    if course.error:
        raise ValueError(f"{course}: {course.error}")
    return Counter(end for at in chosen(course.seed, len(course)) for end in searched(Moment(course, at, course.at(at))))


def chosen(seed: str, length: int) -> list[int]:
    """Return random decisions of a game."""
    rng = Random(f"{seed}/moments")
    return [rng.below(min(length, LATEST)) for _ in range(MOMENTS)]


def searched(moment: Moment) -> Iterator[str]:
    """Yield how the search for a past ended, for worlds of every seat."""
    for seat, world in moment.imagined("bench", EACH):
        chance = chance_of(moment.state.table, world.table)
        if chance is None:
            raise ValueError(f"{moment}: the table keeps no record of its shuffles")
        search = Search(moment, seat, world, chance)
        end = search.run()
        if end == "none":
            print(f"{moment}: a world of seat {seat} has no past: {search.nearest}", file=sys.stderr)
        yield end


if __name__ == "__main__":
    sys.exit(main())
