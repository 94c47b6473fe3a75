"""Pairwise comparison: the difference of two bots, the probability that the first is better, the blocks still needed.

The sample is the complete blocks in which both sat at the same table, whoever else sat there, each block counting once.
The difference of a block is the mean over its games of what one bot got less what the other got in the same game. As
each has had every seat with the same cards, against the same company, seats and cards cancel. Blocks with only one of
the two are not used: there the cards and the company were others. The estimate is the mean over tables such as those
they met at.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from itertools import combinations
from math import sqrt
from typing import Final

from msgspec import Struct

from pitboss_tournament.plan.seating import Sides
from pitboss_tournament.statistics.blocks import Block, Measure, block_means, complete_blocks, place_scores, points
from pitboss_tournament.statistics.running_moments import Estimate, RunningMoments
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.student_t import CONFIDENCE, student_t_cdf, student_t_quantile

NEGLIGIBLE_ERRORS: Final = 0.1  # standard errors
# search limit, in multiples of the blocks played; differences that are not negligible are resolved by then
MOST_MULTIPLE: Final = 1000


class EstimatedDifference(Struct, frozen=True):
    """Estimated difference of two bots."""

    estimate: Estimate  # per game, over blocks
    chance: float | None  # that the first is the better one
    # until the interval excludes zero, if the estimate is right; 0: it does; None: unknown, or about no difference
    more_blocks: int | None

    def reverse(self) -> EstimatedDifference:
        """Return the same difference with the second bot as the first."""
        mean = self.estimate.mean
        return EstimatedDifference(
            Estimate(None if mean is None else -mean, self.estimate.half_width),
            None if self.chance is None else 1 - self.chance,
            self.more_blocks,
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
    results: Iterable[GameResult], entrants: int, *, sides: Sides | None = None, block_games: int | None = None
) -> list[Comparison]:
    """Compare all pairs of the entrants 0 … `entrants` - 1, including pairs that have not met.

    `block_games`: games of a block, by default as many as a table has seats.
    """
    blocks = complete_blocks(results, block_games)
    by_points = block_differences(blocks, points)
    by_place = block_differences(blocks, partial(place_scores, sides=sides))
    return [
        Comparison(
            entrant=one,
            other=other,
            blocks=len(by_place[one, other]),
            points=estimate_difference(by_points[one, other]),
            places=estimate_difference(by_place[one, other], scale=2.0),
        )
        for one, other in combinations(range(entrants), 2)
    ]


def block_differences(blocks: Iterable[Block], measure: Measure) -> defaultdict[tuple[int, int], list[float]]:
    """Return the differences in each block by pair of entrants, the lower number first; none if they have not met."""
    differences = defaultdict[tuple[int, int], list[float]](list)
    for block in blocks:
        means = block_means(block, measure)
        for one, other in combinations(sorted(means), 2):
            differences[one, other].append(means[one] - means[other])
    return differences


def estimate_difference(
    sample: list[float], *, scale: float | None = None, lowest_wins: bool = False
) -> EstimatedDifference:
    """Return the difference estimated from block differences, with the probability that the first bot is better.

    `scale`: the known range of the differences. The probability is that of Student's t with the standard error of the
    interval, including its skewness term: so it is 97.5 % where the interval touches zero. If all n differences are
    equal, it is the probability that most blocks go the same way, 1 - 1/2^(n + 1) (uniform prior).
    """
    spread = RunningMoments()
    for value in sample:
        spread.add(value)
    estimate = spread.estimate(scale)
    if not sample:
        return EstimatedDifference(estimate, None, None)
    if spread.is_constant:
        chance, more = _judge_constant(spread)
    else:
        freedom = spread.count - 1
        error = spread.half_width(spread.count) / student_t_quantile(freedom)
        chance, more = student_t_cdf(spread.mean / error, freedom), _count_more_blocks(spread)
    return EstimatedDifference(estimate, 1 - chance if lowest_wins else chance, more)


def _judge_constant(spread: RunningMoments) -> tuple[float, int | None]:
    if abs(spread.mean) < 1e-9:
        return 0.5, None
    other_way = 0.5 ** (spread.count + 1)
    needed = next(n for n in range(1, 100) if 0.5 ** (n + 1) <= (1 - CONFIDENCE) / 2)
    return (1 - other_way if spread.mean > 0 else other_way), max(0, needed - spread.count)


def _count_more_blocks(spread: RunningMoments) -> int | None:
    if abs(spread.mean) < NEGLIGIBLE_ERRORS * sqrt(spread.sum_squares / (spread.count - 1) / spread.count):
        return None
    enough = range(spread.count, MOST_MULTIPLE * spread.count)
    return bisect_left(enough, True, key=lambda blocks: spread.half_width(blocks) < abs(spread.mean))
