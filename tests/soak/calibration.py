"""Calibration of the intervals: `python -m tests.soak.calibration` plays simulated tournaments whose truth is known
through the real estimators, and counts how often 95 % intervals hold the truth.

`±` is two standard errors of the simulation. `!` marks a share that is outside its bounds by more than that, `~`
coverage above 97 % where none is promised: where many samples are constant, and of ratings, which few blocks make
cautious. All trials take half an hour.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Sequence
from itertools import starmap
from random import Random
from time import process_time
from typing import Final

from pitboss_tournament.counting.tally import Tally
from pitboss_tournament.statistics.pairwise import compare_entrants
from pitboss_tournament.statistics.ratings import rate_rankings
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.scoring import GameResult
from tests.soak.cycle_verdicts import CYCLES, print_cycle_verdicts
from tests.soak.cycle_verdicts import TRIALS as CYCLE_TRIALS
from tests.soak.fit_verdicts import DEALS as FIT_DEALS
from tests.soak.fit_verdicts import FITTING, MISFITTING, print_fit_verdicts
from tests.soak.fit_verdicts import TRIALS as FIT_TRIALS
from tests.soak.gift_verdicts import DEALS as GIFT_DEALS
from tests.soak.gift_verdicts import FRIENDLY, HONEST, print_gift_verdicts
from tests.soak.gift_verdicts import TRIALS as GIFT_TRIALS
from tests.soak.point_verdicts import POINT_WORLDS, print_point_verdicts
from tests.soak.point_verdicts import TRIALS as POINT_TRIALS
from tests.soak.promises import PromiseTally
from tests.soak.rank_verdicts import LOOKED_AT, MOST_STORES, POOLS, print_pool_verdicts, print_rank_verdicts
from tests.soak.rank_verdicts import TRIALS as VERDICT_TRIALS
from tests.soak.rating_coverage import (
    DESIGNS,
    NEWCOMER_TRIALS,
    NEWCOMER_WORLDS,
    RATING_KINDS,
    VERSION_BLOCKS,
    VERSION_CHANGES,
    print_newcomers,
    print_rating_coverage,
    print_version_coverage,
)
from tests.soak.rating_coverage import TRIALS as DESIGN_TRIALS
from tests.soak.running_share import RunningShare, is_kept
from tests.soak.tie_coverage import DEALS, SEATS, TIE_WORLDS, print_tie_coverage
from tests.soak.tie_coverage import TRIALS as TIE_TRIALS
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.statistics.sample_results import count_rankings, rate_results

KINDS: Final = ("points", "wins", "ratings", "rating differences", "pairs by points", "pairs by place")
FOUR_STRENGTHS = (0.6, 0.2, -0.2, -0.6)
WORLDS = {
    "4 bots, independent games": SyntheticTournament(strengths=FOUR_STRENGTHS, seats=4),
    "4 bots, half the luck in the cards": SyntheticTournament(strengths=FOUR_STRENGTHS, seats=4, card_share=0.5),
    "4 bots, deals suit bots": SyntheticTournament(strengths=FOUR_STRENGTHS, seats=4, card_share=0.2, affinity=0.4),
    "4 bots, unequal seats": SyntheticTournament(
        strengths=FOUR_STRENGTHS, seats=4, card_share=0.4, advantage=(0.5, 0.1, -0.2, -0.4)
    ),
    "6 bots at tables of 4": SyntheticTournament(strengths=(0.8, 0.5, 0.2, -0.2, -0.5, -0.8), seats=4, card_share=0.5),
    "2 bots, many ties": SyntheticTournament(strengths=(0.3, -0.3), seats=2, card_share=0.5, step=12),
    "4 bots, nearly all games tie": SyntheticTournament(
        strengths=FOUR_STRENGTHS, seats=4, card_share=0.5, draw_share=0.8
    ),
    "4 bots, skewed points with a heavy tail": SyntheticTournament(
        strengths=FOUR_STRENGTHS, seats=4, card_share=0.5, tail=0.2
    ),
    "4 bots, all points to the winner": SyntheticTournament(
        strengths=FOUR_STRENGTHS, seats=4, card_share=0.5, pot=True
    ),
    "4 bots far apart": SyntheticTournament(strengths=(2, 0.5, -0.5, -2), seats=4, card_share=0.5),
    "4 bots, ties only": SyntheticTournament(strengths=FOUR_STRENGTHS, seats=4, draw_share=1.0),
}
CONSTANT_WORLDS = ("4 bots far apart", "4 bots, ties only")  # many samples are without any difference
TRIALS = {10: 1500, 30: 1000, 100: 600, 1000: 250}
PROMISED_SHARE = (0.93, 0.97)
TIME_LIMIT = 2.0


def main(words: Sequence[str] | None = None) -> int:
    """Print everything; return 1 if a promise is broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.calibration", description=__doc__)
    parser.add_argument("--trials", type=float, default=100, help="percent of the usual number of trials")
    kinds = (
        "coverage",
        "ties",
        "designs",
        "versions",
        "newcomers",
        "ranks",
        "points",
        "pools",
        "cycles",
        "fit",
        "gifts",
        "order",
        "time",
    )
    parser.add_argument("--only", choices=kinds)
    parser.add_argument("--blocks", type=int, nargs="+", default=list(TRIALS), choices=list(TRIALS))
    parser.add_argument("--world", default="", help="coverage only in worlds and designs whose name contains this")
    asked = parser.parse_args(words)
    promises = PromiseTally()
    if asked.only in (None, "coverage"):
        for name in [name for name in WORLDS if asked.world in name]:
            promises.check(print_coverage(name, asked.blocks, asked.trials / 100), f"coverage of {name}")
    if asked.only in (None, "ties"):
        print(f"\nrating differences, ties: per cent held, median half-width after {', '.join(map(str, DEALS))} deals")
        for name in [name for name in TIE_WORLDS if asked.world in name]:
            trials = max(20, round(TIE_TRIALS * asked.trials / 100))
            promises.check(print_tie_coverage(name, SEATS, DEALS, trials), f"coverage where places tie: {name}")
    if asked.only in (None, "designs"):
        print(f"\nratings in the formats: 95 % intervals that hold the truth, per cent: {', '.join(RATING_KINDS)}")
        for name in [name for name in DESIGNS if asked.world in name]:
            trials = max(20, round(DESIGN_TRIALS * asked.trials / 100))
            promises.check(print_rating_coverage(name, trials), f"coverage of {name}")
    if asked.only in (None, "versions"):
        blocks = ", ".join(map(str, VERSION_BLOCKS))
        print(f"\nnew versions: 95 % intervals that hold the truth, per cent (median half-width), of {blocks} blocks")
        for change in VERSION_CHANGES:
            trials = max(20, round(DESIGN_TRIALS * asked.trials / 100))
            promises.check(print_version_coverage(change, trials), f"coverage of versions ± {change:g}")
    if asked.only in (None, "newcomers"):
        print("\nratings of newcomers, whose blocks are few: 95 % intervals that hold the truth, per cent")
        for name in [name for name in NEWCOMER_WORLDS if asked.world in name]:
            trials = max(1, round(NEWCOMER_TRIALS * asked.trials / 100))
            promises.check(print_newcomers(name, trials), f"coverage of {name}")
    if asked.only in (None, "ranks"):
        print("\nverdicts on ranks, looked at all the time")
        for name in [name for name in LOOKED_AT if asked.world in name]:
            trials = max(20, round(VERDICT_TRIALS * asked.trials / 100))
            promises.check(print_rank_verdicts(name, trials), f"at most 5 % of the verdicts are wrong: {name}")
    if asked.only in (None, "points"):
        print("\nverdicts by points")
        for name in [name for name in POINT_WORLDS if asked.world in name]:
            trials = max(20, round(POINT_TRIALS * asked.trials / 100))
            promises.check(print_point_verdicts(name, trials), f"at most 5 % wrong, as strong as paired tests: {name}")
    if asked.only in (None, "pools"):
        print(f"\nstores pooled until one of two equal bots is called better, at most {MOST_STORES}")
        for name in [name for name in POOLS if asked.world in name]:
            trials = max(20, round(VERDICT_TRIALS * asked.trials / 100))
            promises.check(print_pool_verdicts(name, trials), f"at most 5 % of the verdicts are wrong: {name}")
    if asked.only in (None, "cycles"):
        print("\nverdicts where bots beat each other in a cycle")
        for name in [name for name in CYCLES if asked.world in name]:
            trials = max(20, round(CYCLE_TRIALS * asked.trials / 100))
            promises.check(
                print_cycle_verdicts(name, trials), f"at most 5 % of verdicts wrong, no games foretold: {name}"
            )
    if asked.only in (None, "fit"):
        print(f"\nratings that are said not to fit, per cent, after {', '.join(map(str, FIT_DEALS))} deals a table")
        for name in [name for name in (*FITTING, *MISFITTING) if asked.world in name]:
            trials = max(20, round(FIT_TRIALS * asked.trials / 100))
            promises.check(print_fit_verdicts(name, trials), f"said in at most 5 %, or in 60 % after 20 deals: {name}")
    if asked.only in (None, "gifts"):
        print(f"\ngifts told and falsely told, per cent of tournaments, after {', '.join(map(str, GIFT_DEALS))} deals")
        for name in [name for name in (*HONEST, *FRIENDLY) if asked.world in name]:
            trials = max(20, round(GIFT_TRIALS * asked.trials / 100))
            promises.check(print_gift_verdicts(name, trials), f"at most 5 % false alarms, 60 % of gifts found: {name}")
    if asked.only in (None, "order"):
        whole = print_order(max(10, int(asked.trials)))
        promises.check(is_kept(whole, 0.95, 1.0), "ratings from 1,000 blocks put six bots in the right order")
    if asked.only in (None, "time"):
        longest = print_times()
        promises.check(longest <= TIME_LIMIT, f"it took at most {longest:.2f} s, of {TIME_LIMIT:.0f} s")
    return promises.exit_status()


def print_coverage(name: str, blocks: Sequence[int], scale: float) -> bool:
    """Print the coverage of the intervals in one world; return whether all of it is within its bounds."""
    world = WORLDS[name]
    true = compute_truth(world)
    bounds = {
        kind: (PROMISED_SHARE[0], 1.0) if name in CONSTANT_WORLDS or kind.startswith("rating") else PROMISED_SHARE
        for kind in KINDS
    }
    are_kept = []
    print(f"\n{name}: 95 % intervals that hold the truth, per cent")
    print(f"{'blocks':>7}{'trials':>7}  {''.join(f'{kind:>20}' for kind in KINDS)}")
    for count in blocks:
        trials = max(20, round(TRIALS[count] * scale))
        shares = measure_coverage(world, true, count, trials)
        are_kept += [is_kept(share, *bounds[kind]) for kind, share in shares.items()]
        cells = "".join(f"{format_coverage(share, bounds[kind]):>20}" for kind, share in shares.items())
        print(f"{count:7}{trials:7}  {cells}", flush=True)
    return all(are_kept)


def format_coverage(share: RunningShare, bounds: tuple[float, float]) -> str:
    """Return a share in percent with its error, marked if it is outside its bounds or above those of other worlds."""
    mark = "!" if not is_kept(share, *bounds) else " " if is_kept(share, *PROMISED_SHARE) else "~"
    return f"{f'{100 * share.share:.1f} ± {200 * share.error:.1f}' if share.trials else '-'}{mark}"


def collect_estimates(world: SyntheticTournament, games: list[GameResult]) -> dict[str, list[Estimate]]:
    """Return all estimates that the statistics make of a tournament's games, by kind, always in the same order."""
    tally = Tally(world.names, world.seats, disqualify_after=1)
    tally.add_all(games)
    lines = sorted(tally.standings(), key=lambda line: line.name)
    rated = rate_rankings(count_rankings(games), world.names, anchor=0)
    pairs = compare_entrants(games, len(world.names))
    own = [
        [line.points for line in lines],
        [line.wins for line in lines],
        [rated.rating_of(number).points for number in range(1, len(lines))],
    ]
    of_two = [
        [rated.difference(pair.entrant, pair.other) for pair in pairs],
        [pair.points.estimate for pair in pairs],
        [pair.places.estimate for pair in pairs],
    ]
    return dict(zip(KINDS, own + of_two, strict=True))


def compute_truth(world: SyntheticTournament, blocks: int = 40_000) -> dict[str, list[float]]:
    """Return the true values of the estimates, from very many blocks."""
    known = collect_estimates(world, list(world.games(blocks, Random("truth"))))
    return {kind: [estimate.mean or 0.0 for estimate in own] for kind, own in known.items()}


def measure_coverage(
    world: SyntheticTournament, true: dict[str, list[float]], blocks: int, trials: int
) -> dict[str, RunningShare]:
    """Return by kind the share of 95 % intervals that contain the true value, where there is an interval."""
    shares = {kind: RunningShare() for kind in KINDS}
    for number in range(trials):
        games = list(world.games(blocks, Random(f"trial/{blocks}/{number}")))
        for kind, own in collect_estimates(world, games).items():
            shares[kind].add(check_intervals(own, true[kind]))
    return shares


def check_intervals(estimates: Sequence[Estimate], true: Sequence[float]) -> list[bool]:
    """Return whether each interval contains the true value; unknown intervals are left out."""
    return [
        abs(estimate.mean - value) <= estimate.half_width + 1e-9
        for estimate, value in zip(estimates, true, strict=True)
        if estimate.mean is not None and estimate.half_width is not None
    ]


def print_order(trials: int) -> RunningShare:
    """Print how often ratings put six bots, 52 points or more apart, in the right order; return how often 1,000 blocks
    do.
    """
    world = WORLDS["6 bots at tables of 4"]
    print("\nsix bots by their ratings, share in the right order")
    for blocks in (30, 100, 1000):
        neighbours, whole = RunningShare(), RunningShare()
        for number in range(trials):
            rated = rate_results(world.games(blocks, Random(f"order/{blocks}/{number}")), world.names)
            rows = [line.entrant for line in rated.lines]
            neighbours.add([rows.index(one) < rows.index(one + 1) for one in range(5)])
            whole.add([rows == list(range(6))])
        print(f"{blocks:7} blocks   neighbours {neighbours.share:.3f}   all six {whole.share:.3f}", flush=True)
    return whole


def print_times() -> float:
    """Print how long it takes to rate 20 bots by 100,000 games, and whether the order comes out; return the longest.

    Tables of ten do not count: their 4.5 million pairs are beyond the promise.
    """
    print("\n20 bots, 100,000 games, 20 points apart: the fit with its covariance, processor time")
    longest = max(starmap(time_fit, ((2, 0), (2, 4), (4, 0), (4, 4), (6, 0), (6, 4))))
    time_fit(10, 4)
    return longest


def time_fit(seats: int, step: float) -> float:
    """Print and return the best of three times, in seconds."""
    strengths = tuple(0.115 * (9.5 - number) for number in range(20))
    world = SyntheticTournament(strengths=strengths, seats=seats, card_share=0.5, step=step)
    games = list(world.games(100_000 // seats, Random("time")))
    gc.freeze()  # read from a store, games come one by one and do not weigh on the collector
    best = float("inf")
    for _ in range(3):
        begin = process_time()
        rated = rate_results(games, world.names)
        best = min(best, process_time() - begin)
    gc.unfreeze()
    swapped = sum(line.entrant != number for number, line in enumerate(rated.lines))
    print(f"{seats} seats{', ties' if step else '':6} {best:6.2f} s   {swapped} bots out of order", flush=True)
    return best


if __name__ == "__main__":
    sys.exit(main())
