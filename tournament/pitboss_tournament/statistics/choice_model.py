"""One stage of a ranking: the probability of each set of sides being chosen first together.

This module enumerates the sets of each menu, which works for any size; `subset_sums` shares the work between
overlapping menus.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import exp, log
from typing import NamedTuple, TypeAlias

from pitboss_tournament.statistics.linear_algebra import Matrix, Vector

Menu: TypeAlias = tuple[int, ...]  # the numbers of the sides that there are to choose from, ascending
Shares: TypeAlias = tuple[tuple[float, ...], tuple[float, ...]]  # of the sides of a menu, and of the sizes of tie


class ChoiceWeights(NamedTuple):
    """Sums over all sets that may be chosen; each divided by the total is an expectation.

    A member of a set of k has 1/k of the choice.
    """

    total: float
    shares: Vector  # by side
    pairs: Vector  # by two sides, the lower triangle in rows: the product of their shares
    ties: Vector  # by size of tie: how many of that size
    tie_by_side: Matrix  # by size of tie, then side


class ChoiceModel:
    """The model at given strengths: `means` has the log strength of each side, `odds` log d_k of each size of tie."""

    def __init__(self, means: Vector, sizes: list[int], odds: Vector) -> None:
        self._strengths = [exp(mean) for mean in means]
        self._ties = [
            (size, exp(odd), [exp(mean / size) for mean in means]) for size, odd in zip(sizes, odds, strict=True)
        ]

    def weigh_menu(self, menu: Menu) -> ChoiceWeights:
        """Return the sums over all sets that may be chosen from a menu."""
        own, size = self._strengths, len(menu)
        shares = [own[side] for side in menu]
        total = sum(shares)
        pairs = [0.0] * (size * (size + 1) // 2)
        for number, share in enumerate(shares):
            pairs[number * (number + 3) // 2] = share
        ties: Vector = []
        crossed: Matrix = []
        for many, odds, roots in self._ties:
            if many > size:
                ties.append(0.0)
                crossed.append([])
                continue
            in_ties = [0.0] * size
            own_roots = [roots[side] for side in menu]
            part = odds / many**2
            for positions, squares in _tie_sets(size, many):
                chance = part
                for position in positions:
                    chance *= own_roots[position]
                for position in positions:
                    in_ties[position] += chance
                for square in squares:
                    pairs[square] += chance
            for position, chance in enumerate(in_ties):
                pairs[position * (position + 3) // 2] += chance
            in_ties = [value * many for value in in_ties]
            weight = sum(in_ties)
            ties.append(weight)
            crossed.append(in_ties)
            shares = [a + b for a, b in zip(shares, in_ties, strict=True)]
            total += weight
        return ChoiceWeights(total, shares, pairs, ties, crossed)


class ChoiceSums:
    """Expectation and variance of the choices: slope and curvature of the likelihood by side and size of tie."""

    def __init__(self, sides: int, sizes: int) -> None:
        self.value = 0.0  # the log of the weight of all menus
        self.shares = [0.0] * sides
        self.ties = [0.0] * sizes
        self.curvature = [0.0] * (sides * sides)  # in rows; only where the second side's number is not the greater
        self.tie_by_side = [[0.0] * sides for _ in range(sizes)]
        self.tie_by_tie = [[0.0] * sizes for _ in range(sizes)]

    def add(self, menu: Menu, count: int, weights: ChoiceWeights) -> None:
        """Add a stage that occurred `count` times."""
        total, curvature, all_shares, sides = weights.total, self.curvature, self.shares, len(self.shares)
        shares = [share / total for share in weights.shares]
        scale, square = count / total, 0
        for position, share in enumerate(shares):
            row, times = menu[position], count * share
            all_shares[row] += times
            row *= sides
            for other in range(position + 1):
                curvature[row + menu[other]] += weights.pairs[square] * scale - times * shares[other]
                square += 1
        if self.ties:
            self._add_ties(menu, count, weights, shares)
        self.value += count * log(total)

    def _add_ties(self, menu: Menu, count: int, weights: ChoiceWeights, shares: Vector) -> None:
        chances = [tie / weights.total for tie in weights.ties]
        for size, (chance, crossed) in enumerate(zip(chances, weights.tie_by_side, strict=True)):
            if not crossed:
                continue
            self.ties[size] += count * chance
            row = self.tie_by_side[size]
            for position, side in enumerate(menu):
                row[side] += count * (crossed[position] / weights.total - chance * shares[position])
            tied = self.tie_by_tie[size]
            tied[size] += count * chance
            for other, likewise in enumerate(chances):
                tied[other] -= count * chance * likewise


class DirectSums:
    """Expectations by direct enumeration, menu by menu."""

    def __init__(self, menus: list[Menu], counts: list[int], sides: int, sizes: list[int]) -> None:
        self._menus, self._counts, self._sides, self._sizes = menus, counts, sides, sizes

    def compute_sums(self, means: Vector, odds: Vector) -> ChoiceSums:
        """Return the expectations and their curvature."""
        choice, sums = ChoiceModel(means, self._sizes, odds), ChoiceSums(self._sides, len(self._sizes))
        for menu, count in zip(self._menus, self._counts, strict=True):
            sums.add(menu, count, choice.weigh_menu(menu))
        return sums

    def compute_shares(self, means: Vector, odds: Vector) -> list[Shares]:
        """Return for each menu the probabilities of its sides and of the sizes of tie."""
        choice, found = ChoiceModel(means, self._sizes, odds), []
        for menu in self._menus:
            total, shares, _, ties, _ = choice.weigh_menu(menu)
            found.append((tuple([share / total for share in shares]), tuple([tie / total for tie in ties])))
        return found


@cache
def _tie_sets(size: int, many: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return each set of `many` of `size` positions, and the places of its pairs in a lower triangle kept by rows."""
    return [
        (positions, tuple(high * (high + 1) // 2 + low for high in positions for low in positions if low < high))
        for positions in combinations(range(size), many)
    ]
