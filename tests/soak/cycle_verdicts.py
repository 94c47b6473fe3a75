"""Verdicts on bots that beat each other in a cycle, and on a neutral one: all four are as strong on average.

"Better" is true of the three pairs of the cycle, in its direction, and of no other pair. Once the cycle is proven no
number of games is foretold, as none settles the ranks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Final

from pitboss_tournament.statistics.blocks import score_block
from pitboss_tournament.statistics.cycles import find_cycles
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.rank_confidence import RankConfidence
from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.ratings import rate_rankings
from tests.soak.running_share import RunningShare, is_kept
from tests.synthetic_tournaments import CYCLE, SyntheticTournament

TRIALS: Final = 200
LOOKS: Final = 40
DEALS: Final = 120  # of each of the six tables
MAX_WRONG: Final = 0.05
TRUE_PAIRS: Final = frozenset((bot, (bot + 1) % CYCLE) for bot in range(CYCLE))

CYCLES: Final = {
    f"cycles: each beats the next in {percent} % of games": SyntheticTournament(
        strengths=(0.0,) * (CYCLE + 1), seats=2, card_share=0.5, cycle=lead
    )
    for percent, lead in ((60, 0.405), (70, 0.847), (80, 1.386), (95, 2.944))
}


def print_cycle_verdicts(name: str, trials: int) -> bool:
    """Print how often a verdict is wrong, and how often games are foretold in spite of a proven cycle."""
    wrong, found = {True: RunningShare(), False: RunningShare()}, RunningShare()
    foretold = 0
    for number in range(trials):
        is_wrong = dict.fromkeys(wrong, False)
        has_cycle = False
        for ranks, is_proven in _look_at_tournament(CYCLES[name], Random(f"cycles/{number}")):
            is_wrong[ranks.anytime] |= any(
                ranks.is_better(*pair) for pair in permutations(ranks.order, 2) if pair not in TRUE_PAIRS
            )
            has_cycle |= is_proven
            foretold += is_proven and (ranks.outlook.best is not None or ranks.outlook.all is not None)
        found.add([has_cycle])
        for anytime, share in wrong.items():
            share.add([is_wrong[anytime]])
    ever, fixed = (f"{100 * wrong[key].share:.1f} ± {200 * wrong[key].error:.1f} %" for key in (True, False))
    print(
        f"{name:50}{trials:5}  wrong at any time: {ever}; fixed number: {fixed}; cycle proven {found.share:.0%}, "
        f"games foretold in spite of it: {foretold}",
        flush=True,
    )
    return not foretold and all(is_kept(share, 0.0, MAX_WRONG) for share in wrong.values())


def _look_at_tournament(world: SyntheticTournament, rng: Random) -> Iterator[tuple[RankConfidence, bool]]:
    """Yield what the test for any time has found at each look, and that for a fixed number of games at the end.

    With each, whether a cycle is proven then.
    """
    meetings, rankings = HeadToHead(len(world.strengths)), RankingCounts()
    blocks = list(world.blocks(6 * DEALS, rng))
    every = len(blocks) // LOOKS
    for number, block in enumerate(blocks, 1):
        meetings.add(score_block(block))
        for game in block:
            rankings.add(game)
        if number % every == 0:
            rated = rate_rankings(rankings, world.names)
            order = [line.entrant for line in rated.lines if line.games]
            is_proven = bool(find_cycles(meetings, order))
            for anytime in (True, False) if number == len(blocks) else (True,):
                yield RankConfidence(meetings, rated, order, anytime=anytime), is_proven
