"""How often ratings are said not to fit: in worlds whose games follow their model exactly, and in worlds with a cycle.

Much of the luck of a deal is how it suits a bot, so that the games of a block are nearly copies of each other.
"""

from __future__ import annotations

from math import comb
from random import Random
from typing import Final

from pitboss_tournament.statistics.ratings import POINTS_PER_LOG_UNIT
from tests.soak.running_share import RunningShare, is_kept
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.statistics.sample_results import rate_results

TRIALS: Final = 300
DEALS: Final = (1, 2, 5, 20)  # of each table
MAX_WRONG: Final = 0.05
MIN_FOUND: Final = 0.6  # of the tournaments with most deals, where ratings do not fit


def _space_bots(bots: int, step: float) -> tuple[float, ...]:
    return tuple(step / POINTS_PER_LOG_UNIT * ((bots - 1) / 2 - number) for number in range(bots))


FITTING: Final = {
    "they fit: 6 bots 250 points apart": SyntheticTournament(strengths=_space_bots(6, 250), seats=2, affinity=0.95),
    "they fit: 12 bots 100 points apart": SyntheticTournament(strengths=_space_bots(12, 100), seats=2, affinity=0.95),
    "they fit: 20 bots 60 points apart": SyntheticTournament(strengths=_space_bots(20, 60), seats=2, affinity=0.95),
    "they fit: 12 bots, games of their own luck": SyntheticTournament(strengths=_space_bots(12, 100), seats=2),
    "they fit: 6 bots, 80 % draws": SyntheticTournament(
        strengths=_space_bots(6, 100), seats=2, affinity=0.9, draw_share=0.8
    ),
    "they fit: 6 bots at tables of 4": SyntheticTournament(strengths=_space_bots(6, 100), seats=4, affinity=0.95),
    "they fit: 6 bots at tables of 4, the winner told": SyntheticTournament(
        strengths=_space_bots(6, 100), seats=4, affinity=0.95, told="winner"
    ),
}
MISFITTING: Final = {
    "they do not fit: 3 bots in a cycle of 80 %": SyntheticTournament(
        strengths=(0.0,) * 3, seats=2, affinity=0.5, cycle=1.386
    ),
    "they do not fit: 3 of 6 bots in a cycle of 90 %": SyntheticTournament(
        strengths=_space_bots(6, 60), seats=2, affinity=0.5, cycle=2.197
    ),
}


def print_fit_verdicts(name: str, trials: int) -> bool:
    """Print how often ratings are said not to fit, by deals; return whether it is rare enough, or not too rare."""
    world = FITTING.get(name) or MISFITTING[name]
    tables = comb(len(world.strengths), world.seats)
    shares = {deals: RunningShare() for deals in DEALS}
    for deals, share in shares.items():
        for number in range(trials):
            fit = rate_results(world.games(tables * deals, Random(f"fit/{deals}/{number}")), world.names).fit
            share.add([fit is not None and fit.misfits != ()])
    told = "".join(f"{f'{100 * share.share:.1f} ± {200 * share.error:.1f}':>14}" for share in shares.values())
    print(f"{name:50}{trials:5}  {told}", flush=True)
    if name in MISFITTING:
        return is_kept(shares[DEALS[-1]], MIN_FOUND, 1.0)
    return all(is_kept(share, 0.0, MAX_WRONG) for share in shares.values())
