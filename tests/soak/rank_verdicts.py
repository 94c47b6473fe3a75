"""Verdicts on ranks: how often a tournament tells two bots apart wrongly.

Ever, by the test that holds at any time, if one looks all the time; and at the end, by the test for a fixed number of
games, which tells more pairs apart. The true ratings are known: single games follow the model exactly. A pair is told
apart wrongly if the bot that is said to be better is not. In pools, stores of a fixed number of deals are added until
two equal bots are told apart, by the test that a pool of real stores is judged by.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Final

from msgspec.structs import replace

from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.exchange.pooling import open_pooled
from pitboss_tournament.statistics.blocks import score_block
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.rank_confidence import RankConfidence
from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.ratings import rate_rankings
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.store import Store
from tests.soak.rating_coverage import Design
from tests.soak.running_share import RunningShare, is_kept
from tests.tournament.stored_games import make_stored_game, make_test_header

TRIALS: Final = 200
LOOKS: Final = 40
MAX_WRONG: Final = 0.05
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
    "round-robin of 8 equal bots, 10 deals": Design(ratings=(0,) * 8, deals=10),
    "table of 4 equal bots, 30 deals": Design(ratings=(0,) * 4, deals=30, seats=4),
    "table of 3 equal bots and a weak one whose neighbour gains, 60 deals": Design(
        ratings=(0, 0, 0, -300), deals=60, seats=4, neighbour=0.4
    ),
    "table of 4 bots 70 points apart, 30 deals": Design(ratings=(0, -70, -140, -210), deals=30, seats=4),
}

MOST_STORES: Final = 20  # of a pool
POOLS: Final = {  # what each store has: all bots are equal
    "pools of 2 equal bots, 30 deals": Design(ratings=(0, 0), deals=30),
    "pools at a table of 4 equal bots, 30 deals": Design(ratings=(0,) * 4, deals=30, seats=4),
    "pools of 4 equal bots in pairs, 30 deals": Design(ratings=(0,) * 4, deals=30),
}


def print_rank_verdicts(name: str, trials: int) -> bool:
    """Print how many tournaments tell two bots apart wrongly, by either test; return whether they are few enough."""
    found = [Verdicts(), Verdicts()]
    for number in range(trials):
        for verdicts, (is_wrong, told) in zip(
            found, _look_at_tournament(LOOKED_AT[name], Random(f"ranks/{number}")), strict=True
        ):
            verdicts.wrong.add([is_wrong])
            verdicts.told.add(told)
    anytime, fixed = (
        f"wrong {100 * own.wrong.share:.1f} ± {200 * own.wrong.error:.1f} %, told apart {100 * own.told.share:.0f} %"
        for own in found
    )
    print(f"{name:50}{trials:5}  at any time: {anytime}; fixed number: {fixed}", flush=True)
    return all(is_kept(own.wrong, 0.0, MAX_WRONG) for own in found)


class Verdicts:
    """How many verdicts of a test were wrong, and how many pairs were told apart at the end."""

    def __init__(self) -> None:
        self.wrong = RunningShare()
        self.told = RunningShare()


def _look_at_tournament(design: Design, rng: Random) -> Iterator[tuple[bool, list[bool]]]:
    """Yield for each test whether it told two bots apart wrongly, and by pair whether it told it apart at the end.

    The test for any time in one of many looks, that for a fixed number of games at the end.
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
            order = [line.entrant for line in rated.lines if line.games]
            now, told = _judge_ranks(design, RankConfidence(meetings, rated, order, anytime=True))
            is_wrong |= now
    yield is_wrong, told
    yield _judge_ranks(design, RankConfidence(meetings, rated, order, anytime=False))


def _judge_ranks(design: Design, ranks: RankConfidence) -> tuple[bool, list[bool]]:
    """Return whether any pair is told apart wrongly, and by pair whether it is told apart rightly."""
    pairs = list(combinations(sorted(ranks.order, key=lambda bot: -design.ratings[bot]), 2))
    equal = [(one, two) for one, two in pairs if design.ratings[one] == design.ratings[two]]
    is_wrong = any(ranks.is_better(two, one) for one, two in pairs) or any(ranks.is_better(*pair) for pair in equal)
    return is_wrong, [ranks.is_better(*pair) for pair in pairs]


def _add_block(block: list[GameResult], meetings: HeadToHead, rankings: RankingCounts) -> None:
    meetings.add(score_block(block))
    for game in block:
        rankings.add(game)


def print_pool_verdicts(name: str, trials: int) -> bool:
    """Print how many pools ever tell two equal bots apart, by the test of pools, and by that of their stores; return
    whether the test of pools does so seldom enough.
    """
    tests = (is_pool_open(), False)
    wrong = [RunningShare() for _ in tests]
    for number in range(trials):
        ends = _pool_until_told_apart(POOLS[name], tests, Random(f"pools/{number}"))
        for share, end in zip(wrong, ends, strict=True):
            share.add([end is not None])
    pooled, fixed = (f"{100 * share.share:.1f} ± {200 * share.error:.1f} %" for share in wrong)
    print(f"{name:50}{trials:5}  ever wrong: as a pool {pooled}; as if fixed {fixed}", flush=True)
    return is_kept(wrong[0], 0.0, MAX_WRONG)


def is_pool_open() -> bool:
    """Whether a pool of two stores, each with all of its planned games, is judged by a test that holds at any time."""
    with tempfile.TemporaryDirectory(prefix="pitboss-pools-") as folder:
        paths = [Path(folder) / f"{number}.pitboss" for number in range(2)]
        for path in paths:
            with closing(Store.for_run(path, replace(make_test_header(path.parent), seed=path.stem))) as store:
                store.add([make_stored_game(0, path.stem)])
                store.begin_run(0, 1)
        with open_pooled(paths) as pool:
            return StoredFindings(pool).anytime


def _pool_until_told_apart(design: Design, tests: tuple[bool, ...], rng: Random) -> list[int | None]:
    """Return, for each test, after how many stores it told two bots apart; None if it never did.

    `tests`: whether each is that which holds at any time.
    """
    world = design.world
    meetings, rankings = HeadToHead(len(world.strengths)), RankingCounts()
    ends: list[int | None] = [None] * len(tests)
    for stores in range(1, MOST_STORES + 1):
        games = [
            replace(game, deal=game.deal + (stores - 1) * design.deals)
            for game in world.play_format(design.format, design.options, design.deals, rng)
        ]
        for first in range(0, len(games), world.seats):
            _add_block(games[first : first + world.seats], meetings, rankings)
        rated = rate_rankings(rankings, world.names)
        order = [line.entrant for line in rated.lines]
        for test, anytime in enumerate(tests):
            if ends[test] is None:
                ranks = RankConfidence(meetings, rated, order, anytime=anytime)
                ends[test] = stores if ranks.sureness is not None else None
        if None not in ends:
            break
    return ends
