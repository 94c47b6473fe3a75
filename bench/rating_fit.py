"""What a refit of ratings costs: prints processor seconds and memory by the number of bots.

    python bench/rating_fit.py [--bots 100 200 400 800 1000] [--fields dense ladder] [--runs N]

At tables of two: in the field `dense` each bot meets each other for one deal in both orders; in `ladder` each has 100
deals, nine in ten against one of the forty nearest in strength, the tenth against anybody. Each row is a process of its
own: the median of its fits in processor time, and its peak memory before the first fit and after the last.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from math import exp
from random import Random
from resource import RUSAGE_SELF, getrusage
from statistics import median
from time import process_time
from typing import Final

from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.ratings import rate_rankings
from pitboss_tournament.statistics.scoring import GameResult, SeatResult

FIELDS: Final = ("dense", "ladder")
BOTS: Final = (100, 200, 400, 800, 1000)
LADDER_DEALS: Final = 100  # of a bot
LADDER_REACH: Final = 20  # ranks, up or down
STRENGTH_SD: Final = 1.0  # of a log strength: 174 points


def main() -> None:
    """Print a row for each field and number of bots."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", type=int, nargs="+", default=BOTS, help="(default: %(default)s)")
    parser.add_argument("--fields", nargs="+", choices=FIELDS, default=FIELDS)
    parser.add_argument("--runs", type=int, default=1, help="fits of a row (default: %(default)s)")
    parser.add_argument("--row", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.row:
        print(measure_fits(given.fields[0], given.bots[0], given.runs))
        return
    print(f"{'field':8}{'bots':>6}{'games':>10}{'cpu s':>8}{'MiB before':>12}{'after':>7}")
    for field in given.fields:
        for bots in given.bots:
            row = ("--row", "--fields", field, "--bots", str(bots), "--runs", str(given.runs))
            subprocess.run([sys.executable, __file__, *row], check=True)


def measure_fits(field: str, bots: int, runs: int) -> str:
    """Return a row: the cost of fits of one field."""
    rankings, names = count_field(field, bots), [f"bot{number}" for number in range(bots)]
    before, times = _peak_mib(), []
    for _ in range(runs):
        began = process_time()
        rate_rankings(rankings, names)
        times.append(process_time() - began)
    games = rankings.block_count * 2
    return f"{field:8}{bots:6}{games:10,}{median(times):8.2f}{before:12.0f}{_peak_mib():7.0f}"


def count_field(field: str, bots: int) -> RankingCounts:
    """Return the games of a field of bots, the same at each call."""
    rng = Random(f"{field} {bots}")
    strengths = sorted(rng.gauss(0, STRENGTH_SD) for _ in range(bots))
    pairings = combinations(range(bots), 2) if field == "dense" else _pair_neighbours(bots, rng)
    rankings = RankingCounts(block_games=2)
    for deal, (one, two) in enumerate(pairings):
        for rotation, (first, second) in enumerate(((one, two), (two, one))):
            is_ahead = rng.random() < 1 / (1 + exp(strengths[second] - strengths[first]))
            seats = _make_seat(first, 1 if is_ahead else 2), _make_seat(second, 2 if is_ahead else 1)
            rankings.add(GameResult(0, 0, deal, rotation, seats))
    return rankings


def _pair_neighbours(bots: int, rng: Random) -> Iterator[tuple[int, int]]:
    for one in list(range(bots)) * (LADDER_DEALS // 2):
        others = range(bots) if rng.random() < 0.1 else range(max(0, one - LADDER_REACH), min(bots, one + LADDER_REACH))
        yield one, rng.choice([other for other in others if other != one])


def _make_seat(entrant: int, place: int) -> SeatResult:
    return SeatResult(entrant, 0.0, place, float(place == 1), None, {}, 0, 0, {})


def _peak_mib() -> float:
    return getrusage(RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
