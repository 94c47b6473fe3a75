"""Sampled worlds by the tens of thousands: `python -m tests.soak.worlds` checks that each has a legal history that
explains the public events.

Random games of every number of seats; at random decisions, every seat and the spectator imagine worlds. For each world
a past is sought: the shuffles that would have led there, the seat's own decisions, and decisions of the others that
look to the seat as it saw them. "illegal": there is none. "given up": the search grew too long to say. (The conformance
suite does the same for a few worlds of each game.) The exit status is 1 if a world is illegal.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from time import perf_counter
from typing import Final

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss.simulation.game_setup import GameSetup, OptionVariant
from pitboss.testing.framework.checked_setup import CheckedSetup
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.history_search import HistorySearch, derive_chance
from pitboss.testing.framework.played_game import choose_at_random, play_game

DECISION_POINTS: Final = 4  # of each game
LATEST_DECISION: Final = 120  # a past is sought by playing it again and again, so from early decisions
WORLDS_PER_SEAT: Final = 5  # worlds of each seat at each moment


def main(words: Sequence[str] | None = None) -> int:
    """Print a line for each game and number of seats; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.worlds", description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--worlds", type=int, default=50_000, help="for each game, at least, over its numbers of seats")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    given = parser.parse_args(words)
    registry = Registry()
    illegal = 0
    print(f"{'game':14}{'seats':>6}{'games':>8}{'worlds':>9}{'found':>9}{'given up':>10}{'illegal':>9}{'s':>8}")
    with ProcessPoolExecutor(given.processes) as pool:
        for name in given.games or registry.games:
            all_seats = registry.find_game(name).seats
            for seats in all_seats:
                began = perf_counter()
                games = -(-given.worlds // (len(all_seats) * DECISION_POINTS * WORLDS_PER_SEAT * (seats + 1)))
                ends: Counter[str] = Counter()
                for one in pool.map(search_game, [name] * games, [seats] * games, range(games), chunksize=4):
                    ends += one
                counted = f"{ends.total():>9,}{ends['found']:>9,}{ends['unfinished']:>10,}{ends['none']:>9,}"
                print(f"{name:14}{seats:>6}{games:>8,}{counted}{perf_counter() - began:>8.0f}", flush=True)
                illegal += ends["none"]
    return 1 if illegal else 0


def search_game(name: str, seats: int, number: int) -> Counter[str]:
    """Return the results of one game's searches, counted."""
    game = Registry().find_game(name)
    setup = GameSetup(game, seats, resolve_options(game, seats), OptionVariant())
    setting = CheckedSetup(setup, max_decisions=LATEST_DECISION + 1)
    course = play_game(setting, f"bench/worlds/{number}", "at random", choose_at_random)
    if course.error:
        raise ValueError(f"{course}: {course.error}")
    return Counter(
        end
        for at in choose_decisions(course.seed, len(course))
        for end in search_worlds(DecisionPoint(course, at, course.replay_to(at)))
    )


def choose_decisions(seed: str, length: int) -> list[int]:
    """Return random decisions of a game."""
    rng = Random(f"{seed}/moments")
    return [rng.randbelow(min(length, LATEST_DECISION)) for _ in range(DECISION_POINTS)]


def search_worlds(point: DecisionPoint) -> Iterator[str]:
    """Yield the result of each search for a legal history, for worlds of every seat."""
    for seat, world in point.sample_worlds("bench", WORLDS_PER_SEAT):
        chance = derive_chance(point.state.table, world.table)
        if chance is None:
            raise ValueError(f"{point}: the table keeps no record of its shuffles")
        search = HistorySearch(point, seat, world, chance)
        end = search.run()
        if end == "none":
            print(f"{point}: no legal history leads to a world of seat {seat}: {search.nearest_miss}", file=sys.stderr)
        yield end


if __name__ == "__main__":
    sys.exit(main())
