"""Stages of rankings: the probability of each set of contenders being chosen first together.

A *menu* is the set of contenders from which a stage chooses. Menus of one size are computed side by side: a *column*
has one value for each of them. Members of a menu are named by their positions in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import combinations, groupby
from math import exp, log
from operator import add, mul, truediv
from typing import NamedTuple, TypeAlias

from pitboss_tournament.statistics.linear_algebra import Vector

Menu: TypeAlias = tuple[int, ...]  # the numbers of the contenders that there are to choose from, ascending
Column: TypeAlias = Vector
TwoPositions: TypeAlias = tuple[int, int]  # the later one first; or twice the same
Shares: TypeAlias = tuple[tuple[float, ...], tuple[float, ...]]  # of the contenders of a menu, and of the sizes of tie


class ChoiceSums:
    """Expectation and variance of the choices: slope and curvature of the likelihood by contender and size of tie."""

    def __init__(self, contenders: int, sizes: int) -> None:
        self.value = 0.0  # the log of the weight of all menus
        self.shares = [0.0] * contenders
        self.ties = [0.0] * sizes
        # in rows; only where the second contender's number is not the greater
        self.curvature = [0.0] * (contenders * contenders)
        self.tie_by_contender = [[0.0] * contenders for _ in range(sizes)]
        self.tie_by_tie = [[0.0] * sizes for _ in range(sizes)]


class ChoiceModel:
    """The stages of rankings: menus, how often each occurred, and the sizes of tie, ascending."""

    def __init__(self, menus: Sequence[Menu], counts: Sequence[int], contenders: int, sizes: Sequence[int]) -> None:
        self._contenders, self._sizes = contenders, sizes
        self._order = sorted(range(len(menus)), key=lambda number: len(menus[number]))
        self._columns = [
            MenuColumns([menus[number] for number in own], [counts[number] for number in own], contenders)
            for own in (list(numbers) for _, numbers in groupby(self._order, lambda number: len(menus[number])))
        ]

    def compute_sums(self, means: Vector, odds: Vector) -> ChoiceSums:
        """Return the expectations and their curvature.

        `means`: the log strength of each contender; `odds`: log d_k of each size of tie.
        """
        sums, roots = ChoiceSums(self._contenders, len(self._sizes)), self._root_weights(means, odds)
        for columns in self._columns:
            columns.add_to(sums, columns.compute_chances(roots))
        return sums

    def compute_shares(self, means: Vector, odds: Vector) -> list[Shares]:
        """Return for each menu the probabilities of its contenders, and of the sizes of tie up to its own size."""
        roots = self._root_weights(means, odds)
        listed = (shares for columns in self._columns for shares in columns.compute_chances(roots).list_shares())
        found = dict(zip(self._order, listed, strict=True))
        return [found[number] for number in range(len(found))]

    def _root_weights(self, means: Vector, odds: Vector) -> dict[int, Vector]:
        """Return by size of set, 1 first, a value for each contender: the weight of a set is their product times k²."""
        logs = {1: 0.0} | dict(zip(self._sizes, odds, strict=True))
        return {size: [exp((mean + odd - 2 * log(size)) / size) for mean in means] for size, odd in logs.items()}


class MenuChances(NamedTuple):
    """Expectations of the choice from each menu. A member of a set of k has a share of 1/k."""

    totals: Column  # the weights of all sets that may be chosen
    shares: list[Column]  # by position
    products: dict[TwoPositions, Column]  # of the shares of two positions; none where they are never chosen together
    tied_shares: list[list[Column]]  # by size of tie, then position: the share if that many tie, else 0
    ties: list[Column]  # by size of tie: its probability

    def list_shares(self) -> Iterable[Shares]:
        """Return the probabilities of the contenders of each menu, and of the sizes of tie."""
        ties = zip(*self.ties, strict=True) if self.ties else [()] * len(self.totals)
        return zip(zip(*self.shares, strict=True), ties, strict=True)


class MenuColumns:
    """All menus of one size."""

    def __init__(self, menus: Sequence[Menu], counts: Sequence[int], contenders: int) -> None:
        self._size, self._counts = len(menus[0]), counts
        self._members = [list(column) for column in zip(*menus, strict=True)]
        self._squares = {  # where two contenders stand in the curvature
            (later, former): [
                row * contenders + column
                for row, column in zip(self._members[later], self._members[former], strict=True)
            ]
            for later in range(self._size)
            for former in range(later + 1)
        }

    def compute_chances(self, roots: dict[int, Vector]) -> MenuChances:
        """Return the expectations, given by size of set what the weight of a set is the product of."""
        products: dict[TwoPositions, list[Column]] = {}
        by_size = [self._sum_sets(size, own, products) for size, own in roots.items() if size <= self._size]
        weights = [_add_columns(shares) for shares in by_size]
        totals = _add_columns(weights)
        tied_shares = [[_divide(share, totals) for share in shares] for shares in by_size]
        shares = [_add_columns(own) for own in zip(*tied_shares, strict=True)]
        whole = {two: _divide(_add_columns(columns), totals) for two, columns in products.items()}
        return MenuChances(totals, shares, whole, tied_shares[1:], [_divide(weight, totals) for weight in weights[1:]])

    def _sum_sets(self, size: int, roots: Vector, products: dict[TwoPositions, list[Column]]) -> list[Column]:
        """Return the shares of all sets of one size by position, times their weights; append those of `products`."""
        columns = [[roots[member] for member in members] for members in self._members]
        found: dict[TwoPositions, list[Column]] = {}
        for positions in combinations(range(self._size), size):
            weight = reduce(_multiply, [columns[position] for position in positions])
            for number, later in enumerate(positions):
                for former in positions[: number + 1]:
                    found.setdefault((later, former), []).append(weight)
        summed = {two: _add_columns(weights) for two, weights in found.items()}
        for two, weights in summed.items():
            products.setdefault(two, []).append(weights)
        own = [summed[position, position] for position in range(self._size)]
        return own if size == 1 else [[size * value for value in column] for column in own]

    def add_to(self, sums: ChoiceSums, chances: MenuChances) -> None:
        """Add the expectations and their curvature, E[xy] - E[x] E[y], each menu as often as it occurred."""
        sums.value += sum(map(mul, self._counts, map(log, chances.totals)))
        counted = [_multiply(self._counts, share) for share in chances.shares]
        for members, expected in zip(self._members, counted, strict=True):
            _add_at(sums.shares, members, expected)
        for (later, former), squares in self._squares.items():
            _subtract_products(sums.curvature, squares, counted[later], chances.shares[former])
        for two, both in chances.products.items():
            _add_products(sums.curvature, self._squares[two], self._counts, both)
        for number, (chance, own) in enumerate(zip(chances.ties, chances.tied_shares, strict=True)):
            self._add_ties(sums, number, _multiply(self._counts, chance), own, chances)

    def _add_ties(
        self, sums: ChoiceSums, number: int, seen: Column, tied_shares: list[Column], chances: MenuChances
    ) -> None:
        """Add what one size of tie has with itself, with the other sizes and with the contenders."""
        sums.ties[number] += sum(seen)
        sums.tie_by_tie[number][number] += sum(seen)
        for other, likewise in enumerate(chances.ties):
            sums.tie_by_tie[number][other] -= sum(map(mul, seen, likewise))
        for members, own, share in zip(self._members, tied_shares, chances.shares, strict=True):
            _add_products(sums.tie_by_contender[number], members, self._counts, own)
            _subtract_products(sums.tie_by_contender[number], members, seen, share)


def _add_at(into: Vector, places: Sequence[int], values: Iterable[float]) -> None:
    for place, value in zip(places, values, strict=True):
        into[place] += value


def _add_products(into: Vector, places: Sequence[int], one: Sequence[float], other: Column) -> None:
    for place, value, factor in zip(places, one, other, strict=True):
        into[place] += value * factor


def _subtract_products(into: Vector, places: Sequence[int], one: Column, other: Column) -> None:
    for place, value, factor in zip(places, one, other, strict=True):
        into[place] -= value * factor


def _add_columns(columns: Sequence[Column]) -> Column:
    return reduce(lambda one, other: list(map(add, one, other)), columns)


def _multiply(one: Sequence[float], other: Sequence[float]) -> Column:
    return list(map(mul, one, other))


def _divide(column: Column, totals: Column) -> Column:
    return list(map(truediv, column, totals))
