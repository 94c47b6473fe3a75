"""Control variate: block means with the luck of the draw taken out of them, as far as it explains the results.

The luck of a bot in a game is the luck of its seat (`pitboss.records.luck`) less the mean of the table, as a card that
helps one harms the others. Its expectation is zero. From each block mean of a measure, a weight times the block mean of
the luck is subtracted. The weight is the slope of the regression on the luck, common to all bots. It is fitted on all
*other* blocks (cross-fitting): it does not depend on the block's own luck, so that the estimate stays unbiased
(Avramidis and Wilson 1993, *A splitting scheme for control variates*). A weight fitted on the same blocks would bias
it, and a fixed weight of 1 can be worse than none. A point of luck counts for at most a point of the result, or for as
much of another measure by their standard deviations; else blocks with hardly any luck could make a weight of any size.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import fmean
from typing import Final, Literal, NamedTuple, TypeAlias

from pitboss_tournament.statistics.blocks import Block, Measure, block_means, points, wins
from pitboss_tournament.statistics.running_moments import Estimate, RunningMoments
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.variance_reduction import BlockSquares, VarianceReduction, estimate_ratio

MIN_FITTED_BLOCKS: Final = 10  # other blocks on which a weight is fitted; with fewer it is 0

BlockMeans: TypeAlias = dict[int, float]  # of a measure in one block, by entrant
# by game: the luck of each seat, in points; more is better; none is known of games that are missing
SeatLuck: TypeAlias = Mapping[int, Sequence[float]]

RemovableMeasure: TypeAlias = Literal["points", "wins"]
MEASURES: Final[dict[RemovableMeasure, Measure]] = {"points": points, "wins": wins}


def means_by_block(blocks: Sequence[Block], measure: Measure, luck: SeatLuck | None = None) -> list[BlockMeans]:
    """Return the means of a measure in each block, without the luck in it if `luck` is given."""
    means = [block_means(block, measure) for block in blocks]
    if luck is None:
        return means
    return remove_luck(means, [luck_means(block, luck) for block in blocks], [block_means(b, points) for b in blocks])


def luck_means(block: Block, luck: SeatLuck) -> BlockMeans:
    """Return the mean luck of each entrant in a block, less that of the table."""

    def luck_leads(result: GameResult) -> list[float]:
        of_seats = luck.get(result.game_id) or [0.0] * len(result.seats)
        return [own - sum(of_seats) / len(of_seats) for own in of_seats]

    return block_means(block, luck_leads)


class LuckRemoval:
    """Points and wins of complete blocks with the luck of the draw taken out. Memory grows with the blocks."""

    def __init__(self, luck: SeatLuck) -> None:
        self.luck = luck
        self._pairings: list[int] = []
        self._block_games = 0
        self._luck: list[BlockMeans] = []
        self._means: dict[RemovableMeasure, list[BlockMeans]] = {name: [] for name in MEASURES}
        self._adjusted: dict[RemovableMeasure, list[BlockMeans]] = {}

    def add(self, block: Block) -> None:
        """Add a complete block."""
        self._block_games = len(block)
        self._pairings.append(block[0].pairing)
        self._luck.append(luck_means(block, self.luck))
        for name, measure in MEASURES.items():
            self._means[name].append(block_means(block, measure))
        self._adjusted.clear()

    def subtract_luck(self, measure: RemovableMeasure) -> list[BlockMeans]:
        """Return the means of a measure by block, without their luck."""
        if measure not in self._adjusted:
            self._adjusted[measure] = remove_luck(self._means[measure], self._luck, self._means["points"])
        return self._adjusted[measure]

    def estimates(self, measure: RemovableMeasure, *, anytime: bool = False) -> dict[int, Estimate]:
        """Return the mean of each entrant that has a block, with its interval (see `RunningMoments.estimate`)."""
        scale = 1.0 if measure == "wins" else None
        moments = defaultdict[int, RunningMoments](RunningMoments)
        for block in self.subtract_luck(measure):
            for entrant, mean in block.items():
                moments[entrant].add(mean)
        return {entrant: of_entrant.estimate(scale, anytime=anytime) for entrant, of_entrant in moments.items()}

    def estimate_reduction(self, measure: RemovableMeasure) -> VarianceReduction:
        """Return what the removal saved: blocks needed without it per block played, for intervals as narrow."""
        by_pairing = defaultdict[int, list[tuple[BlockMeans, BlockMeans]]](list)
        for pairing, *both in zip(self._pairings, self._means[measure], self.subtract_luck(measure), strict=True):
            by_pairing[pairing].append((both[0], both[1]))
        several = [blocks for blocks in by_pairing.values() if len(blocks) > 1]
        squares = [pair for blocks in several for pair in _squared_deviations(blocks)]
        return estimate_ratio(squares, len(several), self._block_games)


def _squared_deviations(blocks: Sequence[tuple[BlockMeans, BlockMeans]]) -> list[BlockSquares]:
    """Return by block the squared deviations from the means of a pairing, over all entrants: plain, and adjusted."""
    columns = []
    for means in zip(*blocks, strict=True):
        middle = {entrant: fmean(block[entrant] for block in means) for entrant in means[0]}
        columns.append([sum((block[entrant] - middle[entrant]) ** 2 for entrant in middle) for block in means])
    return list(zip(*columns, strict=True))


def remove_luck(
    means: Sequence[BlockMeans], luck: Sequence[BlockMeans], scored: Sequence[BlockMeans]
) -> list[BlockMeans]:
    """Return the block means of a measure less their luck times the weight that fits the other blocks.

    `scored` are the block means of the points, in which luck is measured.
    """
    if len(means) <= MIN_FITTED_BLOCKS:
        return list(means)
    rows = [
        {entrant: (lucky[entrant], mean, of_points[entrant]) for entrant, mean in block.items()}
        for block, lucky, of_points in zip(means, luck, scored, strict=True)
    ]
    sums: dict[int, _Sums] = {}
    for block in rows:
        for entrant, row in block.items():
            sums[entrant] = sums.get(entrant, _NOTHING).add(row)
    squares = _Squares(*map(sum, zip(*(of_entrant.squares() for of_entrant in sums.values()), strict=True)))
    adjusted = []
    for block in rows:
        others = squares
        for entrant, row in block.items():
            was, now = sums[entrant].squares(), sums[entrant].add(row, -1).squares()
            others = _Squares(*(total - old + new for total, old, new in zip(others, was, now, strict=True)))
        weight = others.weight()
        adjusted.append({entrant: mean - weight * lucky for entrant, (lucky, mean, _) in block.items()})
    return adjusted


class _Squares(NamedTuple):
    """Sums of squared deviations from the means of entrants, and of products of two of them."""

    luck: float
    luck_by_mean: float
    mean: float
    points: float

    def weight(self) -> float:
        """Return the slope of the means on the luck, at most that of a point for a point."""
        if min(self.luck, self.mean) <= _ROUNDING * self.points:
            return 0.0
        most = sqrt(self.mean / self.points)
        return max(-most, min(most, self.luck_by_mean / self.luck))


class _Sums(NamedTuple):
    """Sums over the blocks of an entrant."""

    blocks: float = 0
    luck: float = 0.0
    mean: float = 0.0
    points: float = 0.0
    luck_squared: float = 0.0
    luck_by_mean: float = 0.0
    mean_squared: float = 0.0
    points_squared: float = 0.0

    def add(self, row: tuple[float, float, float], count: int = 1) -> _Sums:
        """Return the sums with luck, mean and points of one more block; with a count of -1, of one less."""
        luck, mean, scored = row
        more = (1, luck, mean, scored, luck * luck, luck * mean, mean * mean, scored * scored)
        return _Sums(*(total + count * value for total, value in zip(self, more, strict=True)))

    def squares(self) -> _Squares:
        """Return the sums about the means."""
        blocks = self.blocks or 1
        return _Squares(
            self.luck_squared - self.luck**2 / blocks,
            self.luck_by_mean - self.luck * self.mean / blocks,
            self.mean_squared - self.mean**2 / blocks,
            self.points_squared - self.points**2 / blocks,
        )


_NOTHING: Final = _Sums()
_ROUNDING: Final = 1e-9  # a share of the points' variance that may be rounding errors
