"""Verdicts on ranks: how often a tournament that is looked at all the time ever tells two bots apart wrongly.

The true ratings are known: single games follow the model exactly. A pair is told apart wrongly if the bot that is said
to be better is not.
"""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Final

from pitboss_tournament.statistics.blocks import score_block
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.rank_confidence import RankConfidence
from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.ratings import rate_rankings
from pitboss_tournament.statistics.scoring import GameResult
from tests.soak.rating_coverage import Design
from tests.soak.running_share import RunningShare, is_kept

TRIALS: Final = 200
LOOKS: Final = 40
MOST_WRONG: Final = 0.05
_GAUNTLET: Final = {"challengers": ["bot0"]}

LOOKED_AT: Final = {
    "2 equal bots, 300 deals": Design(ratings=(0, 0), deals=300),
    "round-robin of 6 equal bots, 20 deals": Design(ratings=(0,) * 6, deals=20),
    "round-robin of 6 bots 30 points apart, 20 deals": Design(ratings=(0, -30, -60, -90, -120, -150), deals=20),
    "6 equal bots at tables of 4, 8 deals": Design(ratings=(0,) * 6, deals=8, seats=4),
    "gauntlet of 20 equal bots, 5 deals": Design(ratings=(0,) * 20, deals=5, format="gauntlet", options=_GAUNTLET),
    "gauntlet of 5 equal bots, 60 deals": Design(ratings=(0,) * 5, deals=60, format="gauntlet", options=_GAUNTLET),
    "swiss of 16 equal bots, 2 deals": Design(ratings=(0,) * 16, deals=2, format="swiss"),
    "settle of 6 equal bots": Design(ratings=(0,) * 6, deals=5, format="settle", options={"games": 600}),
}


def print_rank_verdicts(name: str, trials: int) -> bool:
    """Print how many tournaments ever tell two bots apart wrongly; return whether they are few enough."""
    wrong, told = RunningShare(), RunningShare()
    for number in range(trials):
        is_wrong, share = _look_at_tournament(LOOKED_AT[name], Random(f"ranks/{number}"))
        wrong.add([is_wrong])
        told.add(share)
    print(
        f"{name:50}{trials:5}  ever wrong {100 * wrong.share:.1f} ± {200 * wrong.error:.1f} %, "
        f"pairs told apart at the end {100 * told.share:.0f} %",
        flush=True,
    )
    return is_kept(wrong, 0.0, MOST_WRONG)


def _look_at_tournament(design: Design, rng: Random) -> tuple[bool, list[bool]]:
    """Return whether one of many looks at a tournament told two bots apart wrongly, and by pair whether the last one
    told it apart.
    """
    world = design.world
    games = list(world.play_format(design.format, design.options, design.deals, rng))
    meetings, rankings = HeadToHead(len(world.strengths)), RankingCounts()
    blocks = [games[first : first + world.seats] for first in range(0, len(games), world.seats)]
    every = max(1, len(blocks) // LOOKS)
    is_wrong, told = False, list[bool]()
    for number, block in enumerate(blocks, 1):
        _add_block(block, meetings, rankings)
        if number % every == 0 or number == len(blocks):
            rated = rate_rankings(rankings, world.names, is_paired_by_results=design.format in ("swiss", "settle"))
            ranks = RankConfidence(meetings, rated, [line.entrant for line in rated.lines if line.games])
            pairs = list(combinations(sorted(ranks.order, key=lambda bot: -design.ratings[bot]), 2))
            equal = [(one, two) for one, two in pairs if design.ratings[one] == design.ratings[two]]
            is_wrong |= any(ranks.is_better(two, one) for one, two in pairs)
            is_wrong |= any(ranks.is_better(one, two) for one, two in equal)
            told = [ranks.is_better(one, two) for one, two in pairs]
    return is_wrong, told


def _add_block(block: list[GameResult], meetings: HeadToHead, rankings: RankingCounts) -> None:
    meetings.add(score_block(block))
    for game in block:
        rankings.add(game)
