"""Control variate: block means with the luck of the draw taken out of them, as far as it explains the results.

The luck of a bot in a game has several features, whose expectations are zero (`pitboss.records.luck_features`). From
each block mean of a measure, a weighted sum of the block means of the features is subtracted. The weights are those of
a ridge regression of the results on the features, about the means of the bots, common to all bots. They are learned
from all *other* blocks (cross-fitting). So they do not depend on the luck or the results of the block itself, and the
estimate stays unbiased (Avramidis and Wilson 1993, *A splitting scheme for control variates*). Weights that are fitted
on the same blocks would bias it; fixed weights can be worse than none.

The weights are shrunk by the share of what they explain that chance would explain, too (James and Stein 1961): features
that explain nothing cost nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from operator import add
from statistics import fmean
from typing import Final, Literal, TypeAlias

from pitboss.records.luck_features import FEATURES
from pitboss_tournament.statistics.arrays import Floats, Whole, np
from pitboss_tournament.statistics.blocks import Block, Measure, block_means, points, wins
from pitboss_tournament.statistics.running_moments import Estimate, RunningMoments
from pitboss_tournament.statistics.variance_reduction import BlockSquares, VarianceReduction, estimate_ratio

MIN_FITTED_BLOCKS: Final = 10  # other blocks on which weights are fitted; with fewer they are 0
PENALTIES: Final = {
    "value": 2.0,
    "dice": 2.0,
}  # by feature: how many rows that do not change the results are added
OTHER_PENALTY: Final = 20.0  # of a feature that is not in there

BlockMeans: TypeAlias = dict[int, float]  # of a measure in one block, by entrant
BlockLuck: TypeAlias = dict[int, list[float]]  # in one block, by entrant and feature
# by game: the luck of each seat, by feature (`pitboss.records.luck`); none is known of games that are missing
SeatLuck: TypeAlias = Mapping[int, Sequence[Sequence[float]]]

RemovableMeasure: TypeAlias = Literal["points", "wins"]
MEASURES: Final[dict[RemovableMeasure, Measure]] = {"points": points, "wins": wins}


def means_by_block(blocks: Sequence[Block], measure: Measure, luck: SeatLuck | None = None) -> list[BlockMeans]:
    """Return the means of a measure in each block, without the luck in it if `luck` is given."""
    means = [block_means(block, measure) for block in blocks]
    if luck is None:
        return means
    return remove_luck(means, [luck_means(block, luck) for block in blocks])


def luck_means(block: Block, luck: SeatLuck) -> BlockLuck:
    """Return the mean luck per game of each entrant over a block, by feature."""
    sums: BlockLuck = {}
    for result in block:
        of_game = luck.get(result.game_id)
        for at, seat in enumerate(result.seats):
            of_entrant = sums.setdefault(seat.entrant, [0.0] * len(FEATURES))
            if of_game is not None:
                of_entrant[:] = map(add, of_entrant, of_game[at])
    games = len(block)
    return {entrant: [value / games for value in of_entrant] for entrant, of_entrant in sums.items()}


class LuckRemoval:
    """Points and wins of complete blocks with the luck of the draw taken out. Memory grows with the blocks."""

    def __init__(self, luck: SeatLuck) -> None:
        self.luck = luck
        self._pairings: list[int] = []
        self._block_games = 0
        self._luck: list[BlockLuck] = []
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
            self._adjusted[measure] = remove_luck(self._means[measure], self._luck)
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


def remove_luck(means: Sequence[BlockMeans], luck: Sequence[BlockLuck]) -> list[BlockMeans]:
    """Return the block means of a measure less their luck, times the weights that fit the other blocks."""
    if len(means) <= MIN_FITTED_BLOCKS:
        return list(means)
    rows = [(block, entrant) for block, of_block in enumerate(means) for entrant in of_block]
    values = np.array([means[block][entrant] for block, entrant in rows])
    features = np.array([luck[block][entrant] for block, entrant in rows])
    blocks, entrants = np.array(rows).T
    weights = _fit_other_blocks(values, features, blocks, np.unique(entrants, return_inverse=True)[1])
    less = values - (weights[blocks] * features).sum(axis=1)
    adjusted: list[BlockMeans] = [{} for _ in means]
    for (block, entrant), value in zip(rows, less.tolist(), strict=True):
        adjusted[block][entrant] = value
    return adjusted


def _fit_other_blocks(values: Floats, features: Floats, blocks: Whole, entrants: Whole) -> Floats:
    """Return by block the weight of each feature: a ridge regression within bots on all rows of the other blocks.

    The weights are shrunk by the share of what they explain that chance would explain, too (James and Stein).
    """
    count = np.bincount(entrants)
    x = features - (_sum_rows(features, entrants, len(count)) / count[:, None])[entrants]
    y = values - (np.bincount(entrants, values) / count)[entrants]
    left_out = np.where(count > 1, count / np.maximum(count - 1, 1), 0.0)[entrants]  # of sums about a bot's mean
    number = int(blocks[-1]) + 1
    kinds = features.shape[1]
    products = (x[:, :, None] * x[:, None, :]).reshape(len(x), -1)
    squares = (products.sum(axis=0) - _sum_rows(left_out[:, None] * products, blocks, number)).reshape(-1, kinds, kinds)
    covered = (x * y[:, None]).sum(axis=0) - _sum_rows((left_out * y)[:, None] * x, blocks, number)
    total = (y * y).sum() - np.bincount(blocks, left_out * y * y)
    rows = np.bincount(blocks)
    used = len(values) - rows
    variances = np.diagonal(squares, axis1=1, axis2=2) / used[:, None]
    penalties = np.array([PENALTIES.get(feature, OTHER_PENALTY) for feature in FEATURES])
    is_known = variances > _ROUNDING * (features**2).mean(axis=0)
    ridge = np.where(is_known, penalties * variances, 1.0)
    known = is_known[:, :, None] & is_known[:, None, :]
    identity = np.eye(kinds)
    weights = np.linalg.solve(
        np.where(known, squares, 0.0) + identity * ridge[:, None, :], np.where(is_known, covered, 0.0)[:, :, None]
    )[:, :, 0]
    explained = (weights * (2 * covered - (squares @ weights[:, :, None])[:, :, 0])).sum(axis=1)
    free_rows = np.maximum(rows - 1, 1)  # what one wins at a table the others lose
    freedom = np.maximum(free_rows.sum() - free_rows - kinds, 1)
    by_chance = is_known.sum(axis=1) * np.maximum(total - explained, 0.0) / freedom
    shrinking = np.where(explained > by_chance, 1 - by_chance / np.where(explained > 0, explained, 1.0), 0.0)
    shrunk: Floats = (weights * shrinking[:, None]).astype(np.float64)
    return shrunk


def _sum_rows(rows: Floats, groups: Whole, number: int) -> Floats:
    """Return the sums of the rows of each of `number` groups."""
    sums = np.zeros((number, rows.shape[1]))
    np.add.at(sums, groups, rows)
    return sums


_ROUNDING: Final = 1e-12  # a share of the mean square that may be rounding errors
