"""Pairwise comparison: the difference of two bots, the probability that the first is better, the blocks still needed.

The sample is the complete blocks in which both sat at the same table, whoever else sat there, each block counting once.
The difference of a block is the mean over its games of what one bot got less what the other got in the same game. As
each has had every seat with the same cards, against the same company, seats and cards cancel. Blocks with only one of
the two are not used: there the cards and the company were others. The estimate is the mean over tables such as those
they met at.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Set
from functools import partial
from itertools import combinations, count
from math import inf, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

from msgspec import Struct

from pitboss.outcome import Sides
from pitboss_tournament.statistics.blocks import Block, Measure, block_means, iter_blocks, place_scores, points
from pitboss_tournament.statistics.control_variate import BlockLuck, BlockMeans, SeatLuck, luck_means, remove_luck
from pitboss_tournament.statistics.running_moments import Estimate, Interval, RunningMoments, gather_moments
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.sequential_test import (
    POWER,
    compute_confidence_sequence,
    count_blocks_to_proof,
)
from pitboss_tournament.statistics.student_t import anytime_t_quantile, student_t_cdf, student_t_quantile

NEGLIGIBLE_ERRORS: Final = 0.1  # standard errors
# search limit, in multiples of the blocks played; differences that are not negligible are resolved by then
MAX_MULTIPLE: Final = 3000
DIGITS: Final = 12  # place scores are fractions of small numbers: smaller differences of them are rounding errors


class EstimatedDifference(Struct, frozen=True):
    """Estimated difference of two bots."""

    estimate: Estimate  # per game, over blocks whose number was fixed beforehand
    chance: float | None  # that the first is the better one, for such a number of blocks
    # until `anytime` excludes zero in 80 % of the cases, if the estimate is right; 0: it does; None: unknown, or about
    # no difference
    more_blocks: int | None
    anytime: Interval | None = None  # 95 %, however often one looks; None: unknown

    @property
    def is_sure(self) -> bool:
        """Whether one of the two is proven better, in a way that allows to look as often as one likes."""
        return self.more_blocks == 0

    def reverse(self) -> EstimatedDifference:
        """Return the same difference with the second bot as the first."""
        mean = self.estimate.mean
        return EstimatedDifference(
            Estimate(None if mean is None else -mean, self.estimate.half_width),
            None if self.chance is None else 1 - self.chance,
            self.more_blocks,
            None if self.anytime is None else Interval(-self.anytime.high, -self.anytime.low),
        )


class Comparison(Struct, frozen=True, kw_only=True):
    """Comparison of two bots."""

    entrant: int
    other: int
    blocks: int  # in which both were
    points: EstimatedDifference
    places: EstimatedDifference  # of place scores, -1 to 1

    def reverse(self) -> Comparison:
        """Return the same comparison with the second bot as the first."""
        return Comparison(
            entrant=self.other,
            other=self.entrant,
            blocks=self.blocks,
            points=self.points.reverse(),
            places=self.places.reverse(),
        )


def compare_entrants(
    results: Iterable[GameResult],
    entrants: int,
    *,
    pairs: Iterable[tuple[int, int]] | None = None,
    sides: Sides | None = None,
    block_games: int | None = None,
    luck: SeatLuck | None = None,
) -> list[Comparison]:
    """Compare pairs of the entrants 0 … `entrants` - 1, including pairs that have not met; by default all of them.

    `pairs`: those to compare, the lower number first. `block_games`: games of a block, by default as many as a table
    has seats. `luck` is taken out of points if it is given; place scores keep it, because without it they have no
    bounds. Memory grows with blocks and with the pairs to compare, not with games.
    """
    asked = [*(combinations(range(entrants), 2) if pairs is None else pairs)]
    only = None if pairs is None else frozenset(asked)
    found = sorted((_measure_block(block, sides, luck) for block in iter_blocks(results, block_games)), key=_find_place)
    of_points = [block.points for block in found]
    if luck is not None:
        of_points = remove_luck(of_points, [block.luck for block in found])
    by_points = differences_of_means(of_points, only)
    by_place = differences_of_means((block.places for block in found), only)
    return [
        Comparison(
            entrant=one,
            other=other,
            blocks=len(by_place[one, other]),
            points=estimate_difference(by_points[one, other]),
            places=estimate_difference(by_place[one, other], scale=2.0),
        )
        for one, other in asked
    ]


class _MeasuredBlock(NamedTuple):
    """What comparisons need of a block."""

    pairing: int
    deal: int
    points: BlockMeans
    places: BlockMeans
    luck: BlockLuck


def _measure_block(block: Block, sides: Sides | None, luck: SeatLuck | None) -> _MeasuredBlock:
    return _MeasuredBlock(
        block[0].pairing,
        block[0].deal,
        block_means(block, points),
        block_means(block, partial(place_scores, sides=sides)),
        {} if luck is None else luck_means(block, luck),
    )


def _find_place(block: _MeasuredBlock) -> tuple[int, int]:
    return block.pairing, block.deal


def block_differences(blocks: Iterable[Block], measure: Measure) -> defaultdict[tuple[int, int], list[float]]:
    """Return the differences in each block by pair of entrants, the lower number first; none if they have not met."""
    return differences_of_means(block_means(block, measure) for block in blocks)


def differences_of_means(
    blocks: Iterable[BlockMeans], only: Set[tuple[int, int]] | None = None
) -> defaultdict[tuple[int, int], list[float]]:
    """Return the differences in the means of each block by pair of entrants, the lower number first.

    `only`: the pairs that are wanted; by default all.
    """
    differences = defaultdict[tuple[int, int], list[float]](list)
    for means in blocks:
        for one, other in combinations(sorted(means), 2):
            if only is None or (one, other) in only:
                differences[one, other].append(means[one] - means[other])
    return differences


def estimate_difference(
    sample: list[float], *, scale: float | None = None, lowest_wins: bool = False
) -> EstimatedDifference:
    """Return the difference estimated from block differences, with the probability that the first bot is better.

    `scale`: the known range of the differences, which are between -scale / 2 and scale / 2. With it the interval at any
    time is the confidence sequence of the sequential test, which assumes nothing else; without it that of Student's t
    (`anytime_t_quantile`). The probability is that of Student's t with the standard error of the interval, including
    its skewness term: so it is 97.5 % where the interval touches zero. If all n differences are equal, it is the
    probability that most blocks go the same way, 1 - 1/2^(n + 1) (uniform prior).
    """
    spread = gather_moments(sample)
    if scale is None or not sample:
        return estimate_moments(spread, lowest_wins=lowest_wins)
    differences = Counter(round(2 * value / scale, DIGITS) for value in sample)
    low, high = compute_confidence_sequence(differences)
    more = None if _is_negligible(spread) else count_blocks_to_proof(differences)
    chance = _judge_spread(spread)
    anytime = Interval(low * scale / 2, high * scale / 2)
    return EstimatedDifference(spread.estimate(scale), 1 - chance if lowest_wins else chance, more, anytime)


def estimate_moments(spread: RunningMoments, *, lowest_wins: bool = False) -> EstimatedDifference:
    """Return the difference by the moments of block differences without a known range, as `estimate_difference`."""
    if not spread.count:
        return EstimatedDifference(spread.estimate(), None, None)
    chance = _judge_spread(spread)
    more, anytime = _count_more_blocks(spread), _anytime_interval(spread)
    return EstimatedDifference(spread.estimate(), 1 - chance if lowest_wins else chance, more, anytime)


def _judge_spread(spread: RunningMoments) -> float:
    """Return the probability that the true mean is above zero."""
    if spread.is_constant:
        return _judge_constant(spread)
    freedom = spread.count - 1
    error = spread.half_width(spread.count) / student_t_quantile(freedom)
    return student_t_cdf(spread.mean / error, freedom)


def _judge_constant(spread: RunningMoments) -> float:
    if abs(spread.mean) < 1e-9:
        return 0.5
    other_way = 0.5 ** (spread.count + 1)
    return 1 - other_way if spread.mean > 0 else other_way


def _anytime_interval(spread: RunningMoments) -> Interval | None:
    mean, half_width = spread.mean, spread.estimate(anytime=True).half_width
    return None if half_width is None else Interval(mean - half_width, mean + half_width)


def _is_negligible(spread: RunningMoments) -> bool:
    if spread.is_constant:
        return abs(spread.mean) < 1e-9
    return abs(spread.mean) < NEGLIGIBLE_ERRORS * sqrt(spread.sum_squares / (spread.count - 1) / spread.count)


def _count_more_blocks(spread: RunningMoments) -> int | None:
    """Return the blocks until the interval at any time excludes zero, with POWER; equal ones, until there is one."""
    if _is_negligible(spread):
        return None
    if spread.is_constant:
        return max(0, next(n for n in count(2) if anytime_t_quantile(n - 1) < inf) - spread.count)
    if spread.half_width(spread.count, anytime=True) < abs(spread.mean):
        return 0
    margin = NormalDist().inv_cdf(POWER) * sqrt(spread.sum_squares / (spread.count - 1))

    def is_enough(blocks: int) -> bool:
        return spread.half_width(blocks, anytime=True) + margin / sqrt(blocks) < abs(spread.mean)

    return bisect_left(range(spread.count, MAX_MULTIPLE * spread.count), True, key=is_enough)
