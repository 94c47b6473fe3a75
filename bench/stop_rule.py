"""How many games stopping early saves: `python bench/stop_rule.py [--trials N] [--example FILE]`.

It prints how many games the test that ends a tournament takes, beside a number of games that is fixed beforehand.

First simulated tournaments of two bots with a known truth, then a real one. A fixed number is planned for a difference
between the bots, in shares of beaten opponents, and for the chance to find it (its power); with Student's t at 5 % in
both directions. Whoever plans does not know the difference: so the number is usually planned for the smallest that
matters, here DELTA, which `stop` knows as `delta`. The columns "for the truth" are what somebody would plan who knew
it.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable
from math import ceil
from pathlib import Path
from random import Random
from statistics import NormalDist, fmean, quantiles, stdev
from typing import Final

from pitboss_command import run_pitboss
from pitboss_tournament.statistics.blocks import complete_blocks, place_scores
from pitboss_tournament.statistics.calibration import run_pair_trials
from pitboss_tournament.statistics.pairwise import block_differences
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.synthetic_tournaments import SyntheticTournament
from pitboss_tournament.store.store import Store

DELTA: Final = 0.1
MOST_BLOCKS: Final = 2000  # blocks
POWERS: Final = (0.80, 0.90, 0.95)
STRENGTHS: Final = (0.0, 0.06, 0.12, 0.25, 0.5, 1.0)
BLOCK_GAMES: Final = 2  # of a block
ROOT: Final = Path(__file__).resolve().parent.parent


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--trials", type=int, default=300, help="simulated tournaments of each truth (default: %(default)s)"
    )
    parser.add_argument(
        "--example", type=Path, default=ROOT / "examples" / "racko-stop.toml", help="a tournament of two bots"
    )
    given = parser.parse_args()
    _print_simulated(given.trials)
    _print_played(given.example)


def _print_simulated(trials: int) -> None:
    print(f"two bots, place scores; close: they differ by less than {DELTA}; {trials} tournaments of each truth\n")
    powers = "".join(f"{f'{power:.0%}':>7}" for power in POWERS)
    print(f"{'':>12}{f'fixed, for {DELTA}':>21}{'fixed, for the truth':>22}   {'until stopped':^20}")
    print(f"{'difference':>12}{powers}  {powers}{'mean':>9}{'90 of 100':>11}   verdicts")
    for strength in STRENGTHS:
        world = SyntheticTournament(strengths=(strength / 2, -strength / 2), seats=2, card_share=0.5)
        mean, deviation = _difference_moments(world.games(20_000, Random("spread")))
        ends = list(run_pair_trials(world, MOST_BLOCKS, trials, DELTA))
        taken = [BLOCK_GAMES * blocks for _, blocks in ends]
        shares = ", ".join(
            f"{verdict} {count / trials:.0%}" for verdict, count in Counter(end for end, _ in ends).most_common()
        )
        known = "".join(f"{_fixed_games(deviation, mean, power) if strength else '-':>7}" for power in POWERS)
        print(
            f"{mean:12.3f}{''.join(f'{_fixed_games(deviation, DELTA, power):7}' for power in POWERS)}  {known}"
            f"{fmean(taken):9.0f}{quantiles(taken, n=10)[-1]:11.0f}   {shares}",
            flush=True,
        )


def _print_played(example: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="pitboss-stopping-") as folder:
        shutil.copytree(ROOT / "bots", Path(folder) / "bots", ignore=shutil.ignore_patterns("build", "__pycache__"))
        (Path(folder) / "examples").mkdir()
        path = Path(folder) / "examples" / example.name
        shutil.copy(example, path)
        run_pitboss("run", str(path))
        store = Store(path.with_suffix(".pitboss"))
        games, decided = list(store.results(with_times=False)), store.end_reason()
        store.close()
    mean, deviation = _difference_moments(games)
    planned = ", ".join(f"{_fixed_games(deviation, DELTA, power)} ({power:.0%})" for power in POWERS)
    print(
        f"\n{example.name}: {decided}\nstopped after {len(games)} games; fixed, for {DELTA}: {planned}; "
        f"mean difference {mean:+.2f}"
    )


def _difference_moments(games: Iterable[GameResult]) -> tuple[float, float]:
    """Return the mean and the standard deviation of the block differences."""
    [sample] = block_differences(complete_blocks(games), place_scores).values()
    return fmean(sample), stdev(sample)


def _fixed_games(deviation: float, difference: float, power: float) -> int:
    """Return the games that find a difference with this power, wrong in 5 % if there is none."""
    normal = NormalDist()
    blocks = ((normal.inv_cdf(0.975) + normal.inv_cdf(power)) * deviation / difference) ** 2
    return BLOCK_GAMES * ceil(blocks)


if __name__ == "__main__":
    main()
