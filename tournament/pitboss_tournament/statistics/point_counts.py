"""Point counts: the points of complete blocks, as the differences between bots need them, a few bytes for each block.

What a block tells of two bots is the difference of their points a game: the deal, and whatever else a block gives to
all at its table, cancels. So points are counted less the mean of their table. Of tables of two it is enough to know for
each pair how many blocks there are, and mean and squared deviations of their differences. Larger tables seldom come
again in a large field: their blocks are kept as they are, 12 bytes for each bot of a block.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from operator import lt
from typing import NamedTuple

from msgspec import Struct

from pitboss_tournament.statistics.arrays import Floats, Whole, np


class TableRows(Struct, frozen=True):
    """Blocks of tables of one size, as columns of bytes: unsigned numbers and floats."""

    seats: int
    bots: bytes  # of each block, ascending
    points: bytes  # beside the bots


class PointTotals(Struct, frozen=True):
    """All that `PointCounts` have counted, as plain data."""

    ones: bytes  # unsigned numbers: of each pair at tables of two, the lower number
    others: bytes  # unsigned numbers
    blocks: bytes  # unsigned numbers
    means: bytes  # floats: of the differences, the first bot's points less the second's
    squares: bytes  # floats: sums of their squared deviations
    tables: list[TableRows]  # of three bots or more, or of one

    def fits(self, bots: int) -> bool:
        """Whether the columns belong together, and are of `bots` bots."""
        try:
            ones, others, blocks = (array("I", column) for column in (self.ones, self.others, self.blocks))
            means, squares = (array("d", column) for column in (self.means, self.squares))
            tables = [(rows.seats, array("I", rows.bots), array("d", rows.points)) for rows in self.tables]
        except ValueError:
            return False
        return (
            len(ones) == len(others) == len(blocks) == len(means) == len(squares)
            and all(map(lt, ones, others))
            and all(seats > 0 and len(own) == len(points) and not len(own) % seats for seats, own, points in tables)
            and all(max(own, default=0) < max(1, bots) for own in (others, *(own for _, own, _ in tables)))
        )


class CountedTables(NamedTuple):
    """All blocks of tables with the same number of bots, one row for each set of bots."""

    bots: Whole  # by row: the bots, ascending
    blocks: Floats  # by row
    means: Floats  # by row and bot: the points
    squares: Floats  # by row, bot and bot: sums over the blocks of the products of two deviations from the means


class PointCounts:
    """The points of bots in complete blocks, in whatever order these come."""

    def __init__(self) -> None:
        self._pairs: dict[tuple[int, int], _PairPoints] = {}
        self._tables: dict[int, tuple[array[int], array[float]]] = {}  # by the number of bots

    def add(self, points: Mapping[int, float]) -> None:
        """Add a complete block: the points a game of each of its bots."""
        bots = sorted(points)
        if len(bots) == 2:
            pair = self._pairs.get((bots[0], bots[1]))
            if pair is None:
                pair = self._pairs[bots[0], bots[1]] = _PairPoints()
            pair.add(points[bots[0]] - points[bots[1]])
            return
        numbers, values = self._tables.setdefault(len(bots), (array("I"), array("d")))
        numbers.extend(bots)
        values.extend([points[bot] for bot in bots])

    def add_all(self, blocks: Iterable[Mapping[int, float]]) -> None:
        """Add complete blocks."""
        for block in blocks:
            self.add(block)

    def totals(self) -> PointTotals:
        """Return what has been counted."""
        pairs = sorted(self._pairs)
        counted = [self._pairs[pair] for pair in pairs]
        return PointTotals(
            ones=array("I", [one for one, _ in pairs]).tobytes(),
            others=array("I", [other for _, other in pairs]).tobytes(),
            blocks=array("I", [own.blocks for own in counted]).tobytes(),
            means=array("d", [own.mean for own in counted]).tobytes(),
            squares=array("d", [own.squares for own in counted]).tobytes(),
            tables=[
                TableRows(seats, bots.tobytes(), values.tobytes())
                for seats, (bots, values) in sorted(self._tables.items())
            ],
        )

    def restore(self, totals: PointTotals) -> None:
        """Replace what has been counted, by totals that fit."""
        ones, others, blocks = (array("I", column) for column in (totals.ones, totals.others, totals.blocks))
        means, squares = (array("d", column) for column in (totals.means, totals.squares))
        pairs = zip(ones, others, strict=True)
        self._pairs = dict(zip(pairs, map(_PairPoints, blocks, means, squares), strict=True))
        self._tables = {rows.seats: (array("I", rows.bots), array("d", rows.points)) for rows in totals.tables}

    def list_tables(self) -> list[CountedTables]:
        """Return all blocks, by the number of bots at a table; the same of the same blocks, whatever their order."""
        found = [_gather_rows(seats, *columns) for seats, columns in sorted(self._tables.items())]
        if self._pairs:
            pairs = sorted(self._pairs)
            counted = [self._pairs[pair] for pair in pairs]
            halves = np.array([0.5, -0.5])
            found.append(
                CountedTables(
                    bots=np.array(pairs),
                    blocks=np.array([float(own.blocks) for own in counted]),
                    means=np.array([own.mean for own in counted])[:, None] * halves,
                    squares=np.array([own.squares for own in counted])[:, None, None] * np.outer(halves, halves),
                )
            )
        return found


class _PairPoints(Struct, gc=False):
    """The differences of a pair at tables of two."""

    blocks: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, difference: float) -> None:
        self.blocks += 1
        step = difference - self.mean
        self.mean += step / self.blocks
        self.squares += step * (difference - self.mean)


def _gather_rows(seats: int, numbers: array[int], values: array[float]) -> CountedTables:
    """Return the blocks of tables with `seats` bots, a row for each set of bots."""
    bots = np.frombuffer(numbers, dtype=np.dtype("I")).reshape(-1, seats).astype(np.int64)
    points = np.frombuffer(values, dtype=np.float64).reshape(-1, seats)
    order = np.lexsort((*points.T, *bots.T[::-1]))
    bots, points = bots[order], points[order]
    is_first = np.concatenate(([True], np.any(bots[1:] != bots[:-1], axis=1)))
    starts = np.flatnonzero(is_first)
    blocks = np.diff(np.append(starts, len(bots))).astype(np.float64)
    means = np.add.reduceat(points, starts) / blocks[:, None]
    apart = points - means[np.cumsum(is_first) - 1]
    squares = np.empty((len(starts), seats, seats))
    for at in range(seats):
        squares[:, at] = np.add.reduceat(apart[:, at : at + 1] * apart, starts)
    return CountedTables(bots[starts], blocks, means, squares)
