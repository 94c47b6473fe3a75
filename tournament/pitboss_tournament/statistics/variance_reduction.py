"""Variance reduction by duplicate deals, estimated from the played games alone.

With blocks, the variance of a bot's mean is that of its block means divided by the number of blocks. With independent
deals, seats being taken in turn as before, it would be the mean, over the bot's seats, of the variance between its
games in one seat, divided by the number of games. The ratio is the number of games needed without duplicates per game
played, for an equally narrow interval: above 1 the duplicates saved games. Variances are taken within pairings, since
company differs between them in either design. This is the inverse of the design effect of cluster sampling (Kish 1965).

The ratio's interval is that of its logarithm by the jackknife over blocks (Efron and Stein 1981) with Student's t, a
degree of freedom lost for each pairing. The measure matters: `points` may contain what a rich deal gives to all;
`margins`, `wins` and `place_scores` compare within a table, and there the luck that lies in the seats' cards cancels.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, groupby
from math import exp, log, sqrt
from operator import mul, sub
from struct import pack
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from pitboss_tournament.statistics.blocks import Block, Measure, iter_blocks
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
    sample = ReductionSample()
    for block in iter_blocks(results, block_games):
        sample.add(block, [measure(result) for result in block])
    return sample.estimate()


class ReductionSample:
    """What blocks were worth to each bot in each game, from which a reduction is estimated: some floats for each."""

    def __init__(self) -> None:
        self._rows: list[_BlockValues] = []

    def add(self, block: Block, values: Sequence[Sequence[float]], order: Sequence[int] | None = None) -> None:
        """Add a complete block with the values of a measure, by game and seat; `order` is that of `order_by_bot`."""
        listed = [*chain.from_iterable(values)]
        by_bot = array("d", pack(f"{len(listed)}d", *[listed[at] for at in order or order_by_bot(block)]))
        self._rows.append(_BlockValues(block[0].pairing, block[0].deal, len(block), by_bot))

    def estimate(self) -> VarianceReduction:
        """Return the variance reduction of the blocks so far."""
        squares: list[BlockSquares] = []
        pairings, ordered = 0, sorted(self._rows, key=lambda row: (row.pairing, row.deal))
        for _, group in groupby(ordered, key=lambda row: row.pairing):
            deals = list(group)
            if len(deals) > 1:
                squares += _squared_deviations(deals)
                pairings += 1
        return estimate_ratio(squares, pairings, ordered[0].games if ordered else 0)


def order_by_bot(block: Block) -> Sequence[int]:
    """Return where the values of the bots of a block are, if they are listed by game and seat.

    Those of the first bot come first, by its seat, then those of the second and so on.
    """
    bots = tuple([tuple([seat.entrant for seat in result.seats]) for result in block])
    return _order_seats(bots, tuple([result.rotation for result in block]))


@lru_cache(1 << 10)
def _order_seats(bots: Sequence[Sequence[int]], rotations: Sequence[int]) -> Sequence[int]:
    found = [
        (entrant, seat, rotation)
        for seated, rotation in zip(bots, rotations, strict=True)
        for seat, entrant in enumerate(seated)
    ]
    return sorted(range(len(found)), key=found.__getitem__)


class _BlockValues(NamedTuple):
    """The values of a block: of the first bot in all games by its seat, of the second and so on."""

    pairing: int
    deal: int
    games: int
    by_bot: array[float]


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


def _squared_deviations(blocks: Sequence[_BlockValues]) -> list[BlockSquares]:
    """Return the squared deviations of a pairing's blocks, summed over the entrants."""
    games, count = blocks[0].games, len(blocks)
    unbiased = count / (count - 1) / games**2
    squares = []
    for start in range(0, len(blocks[0].by_bot), games):
        rows = [block.by_bot[start : start + games] for block in blocks]
        means = [sum(column) / count for column in zip(*rows, strict=True)]
        of_entrant = []
        for row in rows:
            deviations = list(map(sub, row, means))
            of_entrant.append((unbiased * sum(map(mul, deviations, deviations)), unbiased * sum(deviations) ** 2))
        squares.append(of_entrant)
    return [tuple(map(sum, zip(*parts, strict=True))) for parts in zip(*squares, strict=True)]


def _half_width(logs: list[float], pairings: int) -> float:
    """Return the half-width of the interval of a log ratio, from the log ratios without each of the blocks."""
    blocks = len(logs)
    middle = sum(logs) / blocks
    spread = sum((value - middle) ** 2 for value in logs)
    error = sqrt(spread * (blocks - 1) / (blocks - pairings) * (blocks - 1) / blocks)
    return student_t_quantile(blocks - pairings) * error
