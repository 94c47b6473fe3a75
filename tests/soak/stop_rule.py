"""The sequential test that ends tournaments: `python -m tests.soak.stop_rule` counts its wrong verdicts, and how many
games it takes beside a number of games that is fixed beforehand.

First simulated tournaments with a known truth, in which the test looks all the time, then a real one. A fixed number is
planned for a difference between two bots, in shares of beaten opponents, and for the chance to find it (its power);
with Student's t at 5 % in both directions. Whoever plans does not know the difference: so the number is usually planned
for the smallest that matters, here DELTA, which `stop` knows as `delta`. The columns "for the truth" are what somebody
would plan who knew it. `!` marks wrong verdicts above 5 % by more than the error of the simulation.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from heapq import heappop, heappush
from math import ceil, log, log1p
from pathlib import Path
from random import Random
from statistics import NormalDist, fmean, quantiles, stdev
from typing import Final

from msgspec.structs import replace

from pitboss_tournament.plan.plan import Plan, StopRules
from pitboss_tournament.rounds.round_progress import begin_rounds
from pitboss_tournament.rounds.schedule import ScheduledGame
from pitboss_tournament.rounds.stop_monitor import StopMonitor
from pitboss_tournament.statistics.blocks import complete_blocks, place_scores, points, score_block
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.pairwise import block_differences, estimate_difference
from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.ratings import rate_rankings, widen_intervals
from pitboss_tournament.statistics.running_moments import RunningMoments
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.sequential_test import TEST_ERROR, SequentialVerdict, judge_differences
from pitboss_tournament.store.store import Store
from tests import ROOT
from tests.soak.promises import PromiseTally
from tests.soak.running_share import RunningShare, is_kept
from tests.synthetic_tournaments import SyntheticTournament, game_result
from tests.tournament.command_line import COMMAND
from tests.tournament.random_results import make_random_plan

DELTA: Final = 0.1
MAX_BLOCKS: Final = 2000
CLOSE_LOOK_BLOCKS: Final = 25  # from here on the test is looked at only after every fifth block
POWERS: Final = (0.80, 0.90, 0.95)
STRENGTHS: Final = (0.0, 0.06, 0.12, 0.25, 0.5, 1.0)
BLOCK_GAMES: Final = 2
AT_ONCE: Final = (8, 64)  # games
TIMES_AS_LONG: Final = 10  # the games that a slow winner wins
POOL_BLOCKS: Final = 3000  # of which the differences of simulated tournaments are drawn
MAX_TIMES_BEST: Final = 1.45  # the blocks until a proof, in those that the best stake needs
LOOKED_BLOCKS: Final = 200
RATED_BLOCKS: Final = 60
TRIALS_OF_LOOKS: Final = 7  # times as many trials: they are quick
LOOKED_WORLDS: Final = {
    "half the luck in the cards": SyntheticTournament(strengths=(0.0, 0.0), seats=2, card_share=0.5),
    "many ties": SyntheticTournament(strengths=(0.0, 0.0), seats=2, card_share=0.5, step=12),
    "skewed points": SyntheticTournament(strengths=(0.0, 0.0), seats=2, card_share=0.5, tail=0.2),
    "all points to the winner": SyntheticTournament(strengths=(0.0, 0.0), seats=2, card_share=0.5, pot=True),
}


def main(words: Sequence[str] | None = None) -> int:
    """Print everything; return 1 if a promise is broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.stop_rule", description=__doc__)
    parser.add_argument(
        "--trials", type=int, default=300, help="simulated tournaments of each truth (default: %(default)s)"
    )
    parser.add_argument(
        "--example", type=Path, default=ROOT / "examples" / "racko-stop.toml", help="a tournament of two bots"
    )
    parser.add_argument("--only", choices=("verdicts", "power", "looks", "rankings", "at-once", "example"))
    given = parser.parse_args(words)
    promises = PromiseTally()
    if given.only in (None, "verdicts"):
        promises.check(print_verdicts(given.trials), f"at most {TEST_ERROR:.0%} of the verdicts on two bots are wrong")
    if given.only in (None, "power"):
        most = print_power(given.trials)
        promises.check(most <= MAX_TIMES_BEST, f"a proof needs at most {most:.2f} times the blocks of the best stake")
    if given.only in (None, "looks"):
        promises.check(print_looks(given.trials), f"at most {TEST_ERROR:.0%} of the equal pairs ever look different")
    if given.only in (None, "rankings"):
        promises.check(print_rankings(given.trials), f"at most {TEST_ERROR:.0%} of the rankings are settled wrongly")
    if given.only in (None, "at-once"):
        promise = f"at most {TEST_ERROR:.0%} of the verdicts are wrong, with many games at once"
        promises.check(print_simultaneous(given.trials), promise)
    if given.only in (None, "example"):
        print_example(given.example)
    return promises.exit_status()


def print_verdicts(trials: int) -> bool:
    """Print errors, verdicts and games of the test on two bots; return whether errors are as rare as promised."""
    print(f"two bots, place scores; close: they differ by less than {DELTA}; {trials} tournaments of each truth\n")
    powers = "".join(f"{f'{power:.0%}':>7}" for power in POWERS)
    print(f"{'':>23}{f'fixed, for {DELTA}':>21}{'fixed, for the truth':>22}   {'until stopped':^20}")
    print(f"{'difference':>23}{powers}  {powers}{'mean':>9}{'90 of 100':>11}{'wrong':>8}   verdicts")
    are_kept = []
    for strength in STRENGTHS:
        for step in (0, 15):
            world = SyntheticTournament(strengths=(strength / 2, -strength / 2), seats=2, card_share=0.5, step=step)
            mean, deviation = difference_moments(world.games(20_000, Random("spread")))
            ends = list(run_pair_trials(world, MAX_BLOCKS, trials, DELTA))
            wrong = RunningShare()
            for verdict, _ in ends:
                wrong.add([is_wrong(verdict, strength, mean)])
            are_kept.append(is_kept(wrong, 0.0, TEST_ERROR))
            taken = [BLOCK_GAMES * blocks for _, blocks in ends]
            shares = ", ".join(
                f"{verdict} {count / trials:.0%}" for verdict, count in Counter(end for end, _ in ends).most_common()
            )
            known = "".join(f"{fixed_games(deviation, mean, power) if strength else '-':>7}" for power in POWERS)
            print(
                f"{f'{mean:+.3f}' + (', many ties' if step else ''):>23}"
                f"{''.join(f'{fixed_games(deviation, DELTA, power):7}' for power in POWERS)}  {known}"
                f"{fmean(taken):9.0f}{quantiles(taken, n=10)[-1]:11.0f}"
                f"{100 * wrong.share:6.1f} %{' ' if are_kept[-1] else '!'}  {shares}",
                flush=True,
            )
    return all(are_kept)


def is_wrong(verdict: SequentialVerdict, strength: float, difference: float) -> bool:
    """Whether a verdict on two bots is wrong, the first of which is not the weaker one."""
    return verdict == "worse" or (verdict == "better" and strength == 0) or (verdict == "close" and difference > DELTA)


def run_pair_trials(
    world: SyntheticTournament, most: int, trials: int, delta: float | None = None
) -> Iterator[tuple[SequentialVerdict, int]]:
    """Yield (verdict, blocks) of each trial: bots 0 and 1 are tested repeatedly, over at most `most` blocks."""
    for number in range(trials):
        meetings = HeadToHead(len(world.strengths))
        verdict: SequentialVerdict = "undecided"
        blocks = 0
        for blocks, block in enumerate(world.blocks(most, Random(f"verdict/{number}")), 1):
            meetings.add(score_block(block))
            if blocks < CLOSE_LOOK_BLOCKS or blocks % 5 == 0:
                verdict = meetings.judge_pair(0, 1, delta=delta)
                if verdict != "undecided":
                    break
        yield verdict, blocks


def print_power(trials: int) -> float:
    """Print the blocks until a verdict on two bots at tables of 2, 4 and 6, beside those with the best stake, known
    beforehand; return their greatest ratio.
    """
    print(f"\nblocks until one of two bots is proven better; {trials} tournaments of each truth")
    print(f"{'seats':>5}{'difference':>12}{'best stake':>12}{'mean':>7}{'90 of 100':>11}")
    ratios = []
    for seats in (2, 4, 6):
        for strength in (0.25, 0.5, 1.0):
            others = (0.0,) * (seats - 2)
            world = SyntheticTournament(strengths=(strength / 2, *others, -strength / 2), seats=seats, card_share=0.5)
            [pool] = (
                sample
                for pair, sample in block_differences(
                    complete_blocks(world.games(POOL_BLOCKS, Random("power"))), place_scores
                ).items()
                if pair == (0, seats - 1)
            )
            growth = max(fmean([log1p(stake / 100 * value) for value in pool]) for stake in range(2, 100, 4))
            best = log(2 / TEST_ERROR) / growth
            taken = [count_blocks_to_verdict(pool, Random(f"power/{number}")) for number in range(trials)]
            ratios.append(fmean(taken) / best)
            print(
                f"{seats:5}{fmean(pool):12.3f}{best:12.0f}{fmean(taken):7.0f}{quantiles(taken, n=10)[-1]:11.0f}",
                flush=True,
            )
    return max(ratios)


def count_blocks_to_verdict(pool: Sequence[float], rng: Random) -> int:
    """Return the number of blocks, their differences drawn from a pool, after which there is a verdict."""
    differences = Counter[float]()
    while judge_differences(differences) == "undecided":
        differences[round(rng.choice(pool), 9)] += 1
    return differences.total()


def print_looks(trials: int) -> bool:
    """Print how often two equal bots ever look different to somebody who looks after every block, by intervals for a
    fixed number of blocks and by those that hold at any time; return whether the latter is as rare as promised.
    """
    print(f"\ntwo equal bots, looked at after each of {LOOKED_BLOCKS} blocks: ever told apart, per cent")
    print(f"{'':>40}{'fixed number':>14}{'any time':>10}")
    are_kept = []
    for name, world in LOOKED_WORLDS.items():
        blocks = complete_blocks(world.games(POOL_BLOCKS, Random("looks")))
        for measure_name, measure, scale in (("points", points, None), ("places", place_scores, 2.0)):
            [pool] = block_differences(blocks, measure).values()
            fixed, anytime = RunningShare(), RunningShare()
            for number in range(TRIALS_OF_LOOKS * trials):
                looks = look_at_equal_bots(pool, scale, Random(f"looks/{number}"))
                fixed.add([looks[0]])
                anytime.add([looks[1]])
            are_kept.append(is_kept(anytime, 0.0, TEST_ERROR))
            mark = "" if are_kept[-1] else "!"
            cells = f"{100 * fixed.share:14.1f}{100 * anytime.share:10.1f}{mark}"
            print(f"{f'{name}, by {measure_name}':>40}{cells}", flush=True)
    ratings = RunningShare()
    for number in range(trials):
        ratings.add([are_ratings_ever_apart(Random(f"ratings/{number}"))])
    are_kept.append(is_kept(ratings, 0.0, TEST_ERROR))
    print(f"{f'ratings, {RATED_BLOCKS} blocks':>40}{'':>14}{100 * ratings.share:10.1f}", flush=True)
    return all(are_kept)


def look_at_equal_bots(pool: Sequence[float], scale: float | None, rng: Random) -> tuple[bool, bool]:
    """Return whether the intervals of a difference ever exclude zero: for a fixed number of blocks, and at any time.

    The bots are equal, so that each difference of the pool is as likely as its reverse.
    """
    spread, differences = RunningMoments(), Counter[float]()
    is_fixed_apart = is_apart = False
    for _ in range(LOOKED_BLOCKS):
        value = rng.choice(pool) * rng.choice((-1, 1))
        spread.add(value)
        differences[round(value, 9)] += 1
        fixed = spread.estimate(scale)
        is_fixed_apart |= fixed.half_width is not None and abs(spread.mean) > fixed.half_width
        if scale is None:
            anytime = spread.estimate(anytime=True).half_width
            is_apart |= anytime is not None and abs(spread.mean) > anytime
            is_apart |= spread.is_constant and estimate_difference([spread.mean] * spread.count).is_sure
        else:
            is_apart |= judge_differences(differences) != "undecided"
    return is_fixed_apart, is_apart


def are_ratings_ever_apart(rng: Random) -> bool:
    """Whether the ratings of two equal bots ever lie outside of zero, looked at after each block."""
    world = SyntheticTournament(strengths=(0.0, 0.0), seats=2, card_share=0.5)
    rankings = RankingCounts()
    for block in world.blocks(RATED_BLOCKS, rng):
        for game in block:
            rankings.add(game)
        [rating, _] = widen_intervals(rate_rankings(rankings, world.names)).lines
        if rating.points.half_width is not None and abs(rating.points.mean or 0.0) > rating.points.half_width:
            return True
    return False


def print_rankings(trials: int) -> bool:
    """Print how often a ranking was settled, and how often wrongly; return whether that is as rare as promised."""
    are_kept = []
    for name, strengths in (
        ("four bots apart", (0.9, 0.3, -0.3, -0.9)),
        ("two of four bots equal", (0.6, 0.0, 0.0, -0.6)),
    ):
        world = SyntheticTournament(strengths=strengths, seats=4, card_share=0.5)
        ends = list(run_ranking_trials(world, 500, trials))
        wrong = RunningShare()
        for is_settled, is_right, _ in ends:
            wrong.add([is_settled and (not is_right or strengths[1] == strengths[2])])
        are_kept.append(is_kept(wrong, 0.0, TEST_ERROR))
        settled, right, blocks = (fmean(column) for column in zip(*ends, strict=True))
        print(
            f"\nranking, {name}, at most 500 blocks: settled {settled:.2f}, wrongly {wrong.share:.3f}, "
            f"in the right order {right:.2f}, after {blocks:.0f} blocks on average"
        )
    return all(are_kept)


def run_ranking_trials(world: SyntheticTournament, most: int, trials: int) -> Iterator[tuple[bool, bool, int]]:
    """Yield (is_settled, is_right, blocks) of each trial.

    A ranking is right in the order in which the bots are listed, best first.
    """
    best_first = list(range(len(world.strengths)))
    for number in range(trials):
        meetings = HeadToHead(len(best_first))
        is_settled, order, blocks = False, best_first, 0
        for blocks, block in enumerate(world.blocks(most, Random(f"settling/{number}")), 1):
            meetings.add(score_block(block))
            if blocks % 10 == 0:
                order = meetings.rank_bots(best_first)
                is_settled = not meetings.undecided_pairs(order)
                if is_settled:
                    break
        yield is_settled, order == best_first, blocks


def print_simultaneous(trials: int) -> bool:
    """Print how often equal bots are told apart whose games end in another order than they begin; return whether that
    is as rare as promised.
    """
    are_kept = []
    for bots, rules in ((2, StopRules(bot="b0", better_than="b1")), (3, StopRules(ranking=True))):
        plan = replace(make_random_plan("round-robin", bots, 2, 400 // (bots - 1)), stop=rules)
        for at_once in AT_ONCE:
            wrong = RunningShare()
            for number in range(trials):
                wrong.add([play_equal_bots(replace(plan, seed=str(number)), rules, at_once) is not None])
            are_kept.append(is_kept(wrong, 0.0, TEST_ERROR))
            print(
                f"{bots} equal bots, {at_once} games at once, those that bot 0 wins {TIMES_AS_LONG} times as long: "
                f"{wrong.share:.1%} wrong verdicts",
                flush=True,
            )
    return all(are_kept)


def play_equal_bots(plan: Plan, rules: StopRules, at_once: int) -> str | None:
    """Play a tournament of equal bots on paper until it is decided; return why.

    Games are handed out as to workers and end when they end: those that bot 0 wins take ten times as long.
    """
    progress, monitor = begin_rounds(plan), StopMonitor(plan, rules)
    batches, rng = progress.batches(), Random(plan.seed)
    playing: list[tuple[float, int, Iterator[ScheduledGame]]] = []
    winners: dict[int, int] = {}

    def begin_next_game(batch: Iterator[ScheduledGame], now: float) -> None:
        if (game := next(batch, None)) is None:
            if (games := next(batches, None)) is None:
                return
            batch = iter(games)
            game = next(batch)
        winner = winners[game.game_id] = rng.choice(game.entrants)
        heappush(playing, (now + rng.uniform(0.5, 1.5) * (1 if winner else TIMES_AS_LONG), game.game_id, batch))

    for _ in range(at_once):
        begin_next_game(iter(()), 0.0)
    while playing and monitor.verdict is None:
        now, number, batch = heappop(playing)
        game = progress.scheduled_game(number)
        points = [float(entrant == winners[number]) for entrant in game.entrants]
        result = game_result(game.pairing, game.deal, game.rotation, game.entrants, points)
        progress.add_result(replace(result, game_id=number))
        monitor.add_blocks(progress, frozenset())
        begin_next_game(batch, now)
    return monitor.verdict


def print_example(example: Path) -> None:
    """Play a tournament, and print when it was stopped."""
    with tempfile.TemporaryDirectory(prefix="pitboss-stopping-") as folder:
        shutil.copytree(ROOT / "bots", Path(folder) / "bots", ignore=shutil.ignore_patterns("build", "__pycache__"))
        (Path(folder) / "examples").mkdir()
        path = Path(folder) / "examples" / example.name
        shutil.copy(example, path)
        subprocess.run([*COMMAND, "run", str(path)], capture_output=True, check=True)
        with closing(Store(path.with_suffix(".pitboss"))) as store:
            games, decided = list(store.results(with_times=False)), store.end_reason()
    mean, deviation = difference_moments(games)
    planned = ", ".join(f"{fixed_games(deviation, DELTA, power)} ({power:.0%})" for power in POWERS)
    print(
        f"\n{example.name}: {decided}\nstopped after {len(games)} games; fixed, for {DELTA}: {planned}; "
        f"mean difference {mean:+.2f}"
    )


def difference_moments(games: Iterable[GameResult]) -> tuple[float, float]:
    """Return the mean and the standard deviation of the block differences."""
    [sample] = block_differences(complete_blocks(games), place_scores).values()
    return fmean(sample), stdev(sample)


def fixed_games(deviation: float, difference: float, power: float) -> int:
    """Return the games that find a difference with this power, wrong in 5 % if there is none."""
    normal = NormalDist()
    blocks = ((normal.inv_cdf(0.975) + normal.inv_cdf(power)) * deviation / difference) ** 2
    return BLOCK_GAMES * ceil(blocks)


if __name__ == "__main__":
    sys.exit(main())
