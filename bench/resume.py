"""The time to resume a long tournament and to print its standings.

`python bench/resume.py` makes a store of 100,000 synthetic games of 20 bots.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Final, TypeVar

from pitboss.game import resolve_options
from pitboss.outcome import competition_places
from pitboss.plugins import Registry
from pitboss.protocol.messages import Clock
from pitboss_tournament.plan.plan import Entrant, FaultRules, Plan
from pitboss_tournament.playing.tournament import Tournament
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from pitboss_tournament.statistics.time_histogram import count_times
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store
from pitboss_tournament.store.summary import TournamentSummary

BOTS: Final = 20
SEATS: Final = 4
DECISIONS: Final = 25  # of a seat in a game
T = TypeVar("T")


def main() -> None:
    """Make the store, and print how long each step takes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000, help="(default: %(default)s)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pitboss-resume-") as folder:
        plan = _plan(Path(folder) / "x.pitboss", given.games)
        game = Registry().find_game(plan.game)
        store = Store.for_run(plan.store, make_header(plan, game.version, "0"))
        store.add((result, b"", ()) for result in _simulate_games(given.games))
        print(f"{store.count_games():,} games of {BOTS} bots, {SEATS} at a table\n  wall  processor  (seconds)")
        _print_time("carry on", lambda: Tournament(plan, game, store))
        summary = _print_time("read all with their times", lambda: TournamentSummary(store))
        _print_time("ratings", lambda: summary.ratings)
        _print_time("what duplicates saved", lambda: summary.variance_reduction)
        _print_time("pairs", lambda: summary.comparisons)
        store.close()


def _plan(path: Path, games: int) -> Plan:
    options = resolve_options(Registry().find_game("racko"), SEATS, overrides={"max_rounds": 1})
    deals = -(-games // (comb(BOTS, SEATS) * SEATS))
    return Plan(
        game="racko",
        options=options,
        seats=SEATS,
        seed="resume",
        deals=deals,
        entrants=tuple(Entrant(name=f"bot{number}", command=("true",)) for number in range(BOTS)),
        clock=Clock(start_ms=1_000, decision_ms=1_000),
        faults=FaultRules(disqualify_after=10**9),
        store=path,
    )


def _simulate_games(games: int) -> Iterator[GameResult]:
    """Yield results: each set of bots in turn has a deal, in all rotations, and a bot is the better the later it is."""
    rng, pairings = Random("resume"), list(combinations(range(BOTS), SEATS))
    for number in range(games):
        block, rotation = divmod(number, SEATS)
        deal, pairing = divmod(block, len(pairings))
        seated = pairings[pairing][rotation:] + pairings[pairing][:rotation]
        points = [5.0 * round(entrant / 5 + rng.gauss(0, 2.5)) for entrant in seated]
        places = competition_places(points)
        seats = []
        for entrant, own, place in zip(seated, points, places, strict=True):
            us = [int(rng.lognormvariate(5, 1)) for _ in range(DECISIONS)]
            win = 1 / places.count(1) if place == 1 else 0.0
            seats.append(SeatResult(entrant, own, place, win, None, {}, DECISIONS, sum(us), count_times(us)))
        yield GameResult(number, pairing, deal, rotation, tuple(seats), lag=count_times(us))


def _print_time(what: str, do: Callable[[], T]) -> T:
    began, used = perf_counter(), process_time()
    done = do()
    print(f"{perf_counter() - began:6.2f}  {process_time() - used:9.2f}  {what}")
    return done


if __name__ == "__main__":
    main()
