"""Verdicts by points: how many true differences they find, and how often they claim a false one.

The true points of the bots are known; those of a block are the bot's own, plus the luck of the deal, plus normal noise.
Beside the estimator (`point_differences`) stands the paired t test of each pair's own blocks, all pairs by Holm's test:
where all bots meet in every block it is the ideal. At any time: ever wrong, if one looks all the time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from pitboss.plugins.formats import EntrantField, PlayedBlock, PlayedRound, PlayedTable
from pitboss_tournament.formats.selection import find_format
from pitboss_tournament.plan.seating import count_block_games
from pitboss_tournament.statistics.arrays import np
from pitboss_tournament.statistics.pair_tests import PairTests, prove_pairs
from pitboss_tournament.statistics.point_counts import PointCounts
from pitboss_tournament.statistics.point_differences import PointDifferences, fit_points
from tests.soak.running_share import RunningShare, is_kept

TRIALS: Final = 400
LOOKS: Final = 20
BY_RESULTS: Final = ("swiss", "knockout", "settle")
MAX_WRONG: Final = 0.05
MIN_POWER: Final = 0.95  # of the paired t test where all meet in every block

Points: TypeAlias = dict[int, float]  # of a block, by bot


class PointWorld(Struct, frozen=True, kw_only=True):
    """Bots with these true points, and the tournament that they play."""

    true: tuple[float, ...]
    deals: int
    seats: int = 2
    format: str = "round-robin"
    options: Mapping[str, object] = {}
    noise: float = 60.0  # standard deviation of a bot's points in a block, beside the luck of the deal
    richness: float = 0.0  # standard deviation of the logarithm of how much a deal is worth
    wildness: float = 1.0  # how much more the last bot scatters
    tail: float = 0.0  # probability of the rare block in which a bot loses what it wins else

    @property
    def is_ideal(self) -> bool:
        """Whether all bots meet in every block."""
        return len(self.true) == self.seats

    def test_pairs(self, counts: PointCounts, *, anytime: bool = False) -> PairTests:
        """Return the tests of all pairs."""
        fit = fit_points(counts, is_paired_by_results=self.format in BY_RESULTS)
        return PointDifferences(fit).pair_tests(range(len(self.true)), anytime=anytime)

    def play(self, rng: Random) -> Iterator[Points]:
        """Yield the blocks of a tournament, whose rounds get the results."""
        chosen, games = find_format(self.format), count_block_games("rotations", self.seats)
        names = tuple(f"bot{number}" for number in range(len(self.true)))
        field = EntrantField(names=names, seats=self.seats, deals=self.deals, games=games)
        rounds = chosen.rounds(field, msgspec.convert(self.options, chosen.Options))
        planned = next(rounds)
        while True:
            tables = []
            for table in planned.tables:
                blocks = [self._deal(table, rng) for _ in range(planned.deals)]
                yield from blocks
                tables.append(PlayedTable(tuple(sorted(table)), tuple(map(_score_places, blocks))))
            try:
                planned = rounds.send(PlayedRound(tuple(tables), frozenset()))
            except StopIteration:
                return

    def _deal(self, table: Iterable[int], rng: Random) -> Points:
        luck, worth = rng.gauss(0, 2 * self.noise), rng.lognormvariate(0, self.richness)
        points = {}
        for bot in table:
            wild = self.wildness if bot == len(self.true) - 1 else 1.0
            points[bot] = worth * (self.true[bot] + luck + rng.gauss(0, wild * self.noise))
            if self.tail:
                points[bot] += self.noise * (1.0 if rng.random() >= self.tail else 1 - 1 / self.tail)
        return points


_HERO: Final = {"challengers": ["bot0"]}
POINT_WORLDS: Final = {
    "table of 4 bots 70 points apart, 30 deals": PointWorld(true=(210, 140, 70, 0), seats=4, deals=30),
    "the same, rich and poor deals": PointWorld(true=(210, 140, 70, 0), seats=4, deals=30, richness=0.8),
    "4 bots 70 points apart in pairs, 30 deals": PointWorld(true=(210, 140, 70, 0), deals=30),
    "swiss of 16 bots 15 points apart, 2 deals": PointWorld(
        true=tuple(-15.0 * number for number in range(16)), deals=2, format="swiss"
    ),
    "gauntlet of 8 bots 40 points apart, 10 deals": PointWorld(
        true=tuple(-40.0 * number for number in range(8)), deals=10, format="gauntlet", options=_HERO
    ),
    "table of 4 equal bots, 30 deals": PointWorld(true=(0,) * 4, seats=4, deals=30),
    "table of 4 equal bots, 5 deals": PointWorld(true=(0,) * 4, seats=4, deals=5),
    "10 equal bots in pairs, 2 deals": PointWorld(true=(0,) * 10, deals=2),
    "10 equal bots in pairs, 2 deals, one scatters thrice": PointWorld(true=(0,) * 10, deals=2, wildness=3),
    "gauntlet of 8 equal bots, 10 deals": PointWorld(true=(0,) * 8, deals=10, format="gauntlet", options=_HERO),
    "gauntlet of 8 equal bots, 4 deals, one scatters thrice": PointWorld(
        true=(0,) * 8, deals=4, format="gauntlet", options=_HERO, wildness=3
    ),
    "swiss of 16 equal bots, 2 deals": PointWorld(true=(0,) * 16, deals=2, format="swiss"),
    "swiss of 16 equal bots, 2 deals, one scatters thrice": PointWorld(
        true=(0,) * 16, deals=2, format="swiss", wildness=3
    ),
    "swiss of 16 equal bots, 10 deals": PointWorld(true=(0,) * 16, deals=10, format="swiss"),
    "knockout of 8 equal bots, 10 deals": PointWorld(true=(0,) * 8, deals=10, format="knockout"),
    "table of 4 equal bots, rich and poor deals, 20 deals": PointWorld(true=(0,) * 4, seats=4, deals=20, richness=0.8),
    "table of 4 equal bots who lose all in one block of ten, 60 deals": PointWorld(
        true=(0,) * 4, seats=4, deals=60, tail=0.1
    ),
}


def print_point_verdicts(name: str, trials: int) -> bool:
    """Print how many differences are found and how many tournaments are wrong; return whether the promises are kept."""
    world = POINT_WORLDS[name]
    found, ideal, wrong, ever_wrong = (RunningShare() for _ in range(4))
    for number in range(trials):
        blocks = list(world.play(Random(f"points/{number}")))
        counts = PointCounts()
        counts.add_all(blocks)
        tests = world.test_pairs(counts)
        told = _tell_pairs(world, tests, anytime=False)
        found.add([pair in told for pair in _list_true(world)])
        paired = _tell_pairs(world, _test_paired(blocks), anytime=False)
        ideal.add([pair in paired for pair in _list_true(world)])
        wrong.add([_is_wrong(world, told)])
        ever_wrong.add([_looks_wrong(world, blocks)])
    shown = [f"{100 * one.share:.1f} ± {200 * one.error:.1f}" if one.trials else "-" for one in (found, ideal)]
    errors = [f"{100 * one.share:.1f} ± {200 * one.error:.1f}" for one in (wrong, ever_wrong)]
    power = f"found {shown[0]} %, paired {shown[1]} %"
    print(f"{name:66}{trials:5}  {power}; wrong {errors[0]} %, ever {errors[1]} %", flush=True)
    is_strong = not world.is_ideal or not ideal.trials or found.share >= MIN_POWER * ideal.share
    return is_strong and all(is_kept(one, 0.0, MAX_WRONG) for one in (wrong, ever_wrong))


def _looks_wrong(world: PointWorld, blocks: Sequence[Points]) -> bool:
    """Whether the test for any time is ever wrong, if one looks again and again."""
    counts, every = PointCounts(), max(1, len(blocks) // LOOKS)
    for number, block in enumerate(blocks, 1):
        counts.add(block)
        is_look = number % every == 0
        if is_look and _is_wrong(world, _tell_pairs(world, world.test_pairs(counts, anytime=True), anytime=True)):
            return True
    return False


def _tell_pairs(world: PointWorld, tests: PairTests, *, anytime: bool) -> set[tuple[int, int]]:
    bots = len(world.true)
    return {*prove_pairs(tests, bots * (bots - 1) // 2, anytime).pairs}


def _test_paired(blocks: Iterable[Points]) -> PairTests:
    """Return the paired t tests of all pairs that met twice or more."""
    gaps = defaultdict[tuple[int, int], list[float]](list)
    for block in blocks:
        for one, other in combinations(sorted(block), 2):
            gaps[one, other].append(block[one] - block[other])
    known = {pair: own for pair, own in gaps.items() if len(own) > 1}
    t = [fmean(own) / (stdev(own) / sqrt(len(own))) for own in known.values()]
    ones, others = (np.array([pair[at] for pair in known], dtype=np.int64) for at in (0, 1))
    return PairTests(ones, others, np.array(t), np.array([len(own) - 1.0 for own in known.values()]))


def _list_true(world: PointWorld) -> list[tuple[int, int]]:
    """Return the pairs that differ, the better one first."""
    pairs = combinations(range(len(world.true)), 2)
    return [(one, other) for one, other in pairs if world.true[one] > world.true[other]]


def _is_wrong(world: PointWorld, told: Iterable[tuple[int, int]]) -> bool:
    return any(world.true[better] <= world.true[worse] for better, worse in told)


def _score_places(block: Points) -> PlayedBlock:
    """Return a block as formats get it: the share of the others who had fewer points."""
    others = len(block) - 1
    scores = {bot: sum(own > other for other in block.values()) / others for bot, own in block.items()}
    return PlayedBlock(place_scores=scores, points=block)
