"""Variance reduction by duplicate deals, estimated from the played games alone.

With blocks, the variance of a bot's mean is that of its block means divided by the number of blocks. With independent
deals, seats being taken in turn as before, it would be the mean, over rotations, of the variance between games of one
rotation, divided by the number of games. The ratio is the number of games needed without duplicates per game played,
for an equally narrow interval: above 1 the duplicates saved games. Variances are taken within pairings, since company
differs between them in either design. This is the inverse of the design effect of cluster sampling (Kish 1965).

The ratio's interval is that of its logarithm by the jackknife over blocks (Efron and Stein 1981) with Student's t, a
degree of freedom lost for each pairing. The measure matters: `points` may contain what a rich deal gives to all;
`margins`, `wins` and `place_scores` compare within a table, and there the luck that lies in the seats' cards cancels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import exp, log, sqrt
from typing import TypeAlias

from msgspec import Struct

from pitboss_tournament.statistics.blocks import Block, Measure, block_means, complete_blocks
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.student_t import student_t_quantile


class VarianceReduction(Struct, frozen=True, kw_only=True):
    """Variance reduction for the means of all bots together: by duplicate deals, or by the luck of the draw."""

    blocks: int  # of pairings with at least two
    games: int  # in these blocks
    ratio: float | None  # games needed without it per game played; None: unknown, as results did not differ
    low: float | None  # the ends of its 95 % interval
    high: float | None


def estimate_reduction(
    results: Iterable[GameResult], measure: Measure, block_games: int | None = None
) -> VarianceReduction:
    """Return the variance reduction by a measure.

    `block_games`: games of a block, by default as many as a table has seats.
    """
    blocks = complete_blocks(results, block_games)
    squares: list[BlockSquares] = []
    pairings = 0
    for _, group in groupby(blocks, key=lambda block: block[0].pairing):
        deals = list(group)
        if len(deals) > 1:
            squares += _squared_deviations(deals, measure)
            pairings += 1
    return estimate_ratio(squares, pairings, len(blocks[0]) if blocks else 0)


def estimate_ratio(squares: Sequence[BlockSquares], pairings: int, block_games: int) -> VarianceReduction:
    """Return the ratio of two variances with its interval, from what each block of some pairings adds to them."""
    without, reduced = sum(s for s, _ in squares), sum(b for _, b in squares)
    ratio = low = high = None
    if reduced > 1e-12 * without > 0:
        ratio = without / reduced
        others = [(without - s, reduced - b) for s, b in squares]
        if min(map(min, others)) > 1e-300:
            width = _half_width([log(s / b) for s, b in others], pairings)
            low, high = exp(log(ratio) - width), exp(min(700.0, log(ratio) + width))
    return VarianceReduction(blocks=len(squares), games=block_games * len(squares), ratio=ratio, low=low, high=high)


BlockSquares: TypeAlias = tuple[float, ...]  # of a block: what it adds to the variance without the reduction, and with


def _squared_deviations(blocks: list[Block], measure: Measure) -> list[BlockSquares]:
    """Return the squared deviations of a pairing's blocks, summed over the entrants."""
    single = [[block_means([result], measure) for result in block] for block in blocks]
    squares = []
    for entrant in sorted(single[0][0]):
        rows = [[game[entrant] for game in block] for block in single]
        means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
        of_entrant = []
        for row in rows:
            deviations = [value - mean for value, mean in zip(row, means, strict=True)]
            unbiased = len(rows) / (len(rows) - 1) / len(row) ** 2
            of_entrant.append((unbiased * sum(d * d for d in deviations), unbiased * sum(deviations) ** 2))
        squares.append(of_entrant)
    return [tuple(map(sum, zip(*parts, strict=True))) for parts in zip(*squares, strict=True)]


def _half_width(logs: list[float], pairings: int) -> float:
    """Return the half-width of the interval of a log ratio, from the log ratios without each of the blocks."""
    blocks = len(logs)
    middle = sum(logs) / blocks
    spread = sum((value - middle) ** 2 for value in logs)
    error = sqrt(spread * (blocks - 1) / (blocks - pairings) * (blocks - 1) / blocks)
    return student_t_quantile(blocks - pairings) * error
