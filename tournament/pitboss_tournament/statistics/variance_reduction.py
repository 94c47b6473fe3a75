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

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from math import exp, log, sqrt

from msgspec import Struct

from pitboss_tournament.statistics.blocks import Block, Measure, block_means, complete_blocks, points
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.student_t import student_t_quantile


class VarianceReduction(Struct, frozen=True, kw_only=True):
    """Variance reduction for the mean of one bot, or of all together."""

    entrant: int | None  # None: all together
    blocks: int  # of pairings with at least two
    games: int  # in these blocks
    ratio: float | None  # games needed without duplicates per game played; None: unknown, as results did not differ
    low: float | None  # the ends of its 95 % interval
    high: float | None


def estimate_reductions(
    results: Iterable[GameResult], measure: Measure = points, block_games: int | None = None
) -> list[VarianceReduction]:
    """Return the variance reduction by a measure: for all bots together, then for each that was in a complete block.

    `block_games`: games of a block, by default as many as a table has seats.
    """
    blocks = complete_blocks(results, block_games)
    by_entrant: dict[int, list[_BlockSquares]] = {}
    pairings: Counter[int | None] = Counter()
    together: list[_BlockSquares] = []
    for _, group in groupby(blocks, key=lambda block: block[0].pairing):
        deals = list(group)
        if len(deals) < 2:
            continue
        of_pairing = _squared_deviations(deals, measure)
        for entrant, squares in of_pairing.items():
            by_entrant.setdefault(entrant, []).extend(squares)
            pairings[entrant] += 1
        pairings[None] += 1
        together.extend(tuple(map(sum, zip(*parts, strict=True))) for parts in zip(*of_pairing.values(), strict=True))
    size = len(blocks[0]) if blocks else 0
    own = [_estimate_reduction(entrant, by_entrant[entrant], size, pairings[entrant]) for entrant in sorted(by_entrant)]
    return [_estimate_reduction(None, together, size, pairings[None]), *own]


_BlockSquares = tuple[float, ...]  # of a block: what it adds to the variance with single deals, and to that with blocks


def _squared_deviations(blocks: list[Block], measure: Measure) -> dict[int, list[_BlockSquares]]:
    """Return the squared deviations of a pairing's blocks, by entrant."""
    single = [[block_means([result], measure) for result in block] for block in blocks]
    squares: dict[int, list[_BlockSquares]] = {}
    for entrant in sorted(single[0][0]):
        rows = [[game[entrant] for game in block] for block in single]
        means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
        squares[entrant] = []
        for row in rows:
            deviations = [value - mean for value, mean in zip(row, means, strict=True)]
            unbiased = len(rows) / (len(rows) - 1) / len(row) ** 2
            squares[entrant].append((unbiased * sum(d * d for d in deviations), unbiased * sum(deviations) ** 2))
    return squares


def _estimate_reduction(
    entrant: int | None, squares: list[_BlockSquares], size: int, pairings: int
) -> VarianceReduction:
    """Return the ratio of the two variances with its interval."""
    blocks = len(squares)
    single, with_blocks = sum(s for s, _ in squares), sum(b for _, b in squares)
    ratio = low = high = None
    if with_blocks > 1e-12 * single > 0:
        ratio = single / with_blocks
        without = [_log_ratio(single - s, with_blocks - b) for s, b in squares]
        if None not in without:
            logs = [value for value in without if value is not None]
            middle = sum(logs) / blocks
            error = sqrt(
                sum((value - middle) ** 2 for value in logs)
                * (blocks - 1)
                / (blocks - pairings)
                * (blocks - 1)
                / blocks
            )
            width = student_t_quantile(blocks - pairings) * error
            low, high = exp(log(ratio) - width), exp(min(700.0, log(ratio) + width))
    return VarianceReduction(entrant=entrant, blocks=blocks, games=blocks * size, ratio=ratio, low=low, high=high)


def _log_ratio(single: float, with_blocks: float) -> float | None:
    return log(single / with_blocks) if min(single, with_blocks) > 1e-300 else None
