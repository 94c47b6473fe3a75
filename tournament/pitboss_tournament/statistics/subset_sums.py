"""The lattice of sides: the model for many overlapping menus at once, with each of their subsets computed once.

The weight of a set of tied sides does not depend on the other sides of the menu. The total of a menu is therefore a sum
over its subsets, computed for all menus in one pass per side (Yates 1937, *The design and analysis of factorial
experiments*); the expectation of a set is its weight times a sum over the menus that contain it, computed by the
reverse pass.
"""

from __future__ import annotations

from math import exp, log
from typing import NamedTuple, TypeAlias

from pitboss_tournament.statistics.choice_model import ChoiceSums, Menu, Shares
from pitboss_tournament.statistics.linear_algebra import Vector

MOST_SETS = 200_000

SetColumn: TypeAlias = list[int]  # a number for each set of a level


class SubsetLevel(NamedTuple):
    """All sets of one size, numbered from the smallest size up, so that each level is contiguous."""

    size: int
    own: slice  # their numbers
    members: list[SetColumn]  # sides, ascending
    without: list[SetColumn]  # the number of the set that lacks this member
    # of two members, the later one first: where the pair stands in the curvature
    squares: list[tuple[int, int, SetColumn]]

    @property
    def numbers(self) -> range:
        """The numbers of the sets."""
        return range(self.own.start, self.own.stop)


def build_subset_sums(menus: list[Menu], counts: list[int], sides: int, sizes: list[int]) -> SubsetSums | None:
    """Return the lattice of all subsets of the menus; None above MOST_SETS sets."""
    levels: list[set[Menu]] = [set() for _ in range(max(map(len, menus), default=0) + 1)]
    for menu in menus:
        levels[len(menu)].add(menu)
    for size in reversed(range(1, len(levels))):
        for menu in levels[size]:
            levels[size - 1].update([menu[:place] + menu[place + 1 :] for place in range(size)])
        if sum(map(len, levels)) > MOST_SETS:
            return None
    return SubsetSums([sorted(sets) for sets in levels[1:]], menus, counts, sides, sizes)


class SubsetSums:
    """Expectations of the menus on the lattice of all their subsets (Yates 1937), each subset computed once."""

    def __init__(
        self, sets: list[list[Menu]], menus: list[Menu], counts: list[int], sides: int, sizes: list[int]
    ) -> None:
        self._sides, self._sizes = sides, sizes
        numbers: dict[Menu, int] = {(): 0}
        self._levels = [_make_level(own, numbers, sides) for own in sets]
        self._passes: list[tuple[SetColumn, SetColumn]] = [([], []) for _ in range(sides)]
        for level in self._levels:
            for members, without in zip(level.members, level.without, strict=True):
                for number, side, other in zip(level.numbers, members, without, strict=True):
                    self._passes[side][0].append(number)
                    self._passes[side][1].append(other)
        self._menus = [numbers[menu] for menu in menus]
        self._counts = [0] * len(numbers)
        for number, count in zip(self._menus, counts, strict=True):
            self._counts[number] = count

    def compute_sums(self, means: Vector, odds: Vector) -> ChoiceSums:
        """Return the expectations and their curvature."""
        sums = ChoiceSums(self._sides, len(self._sizes))
        weights = self._set_weights(means, odds)
        totals = self._sum_over_subsets(weights)
        self._subtract_products(sums, weights, totals)
        sums.value = sum([count * log(total) for count, total in zip(self._counts, totals, strict=True) if count])
        ratios = [count / total if count else 0.0 for count, total in zip(self._counts, totals, strict=True)]
        chosen = [weight * ratio for weight, ratio in zip(weights, self._sum_over_supersets(ratios), strict=True)]
        for level in self._levels:
            if level.size == 1 or level.size in self._sizes:
                self._add_level(sums, level, chosen[level.own])
        return sums

    def compute_shares(self, means: Vector, odds: Vector) -> list[Shares]:
        """Return for each menu the probabilities of its sides and of the sizes of tie."""
        weights = self._set_weights(means, odds)
        totals = self._sum_over_subsets(weights)
        by_member, by_size = self._member_sums(weights), self._tie_sums(weights)
        found: list[Shares] = [((), ())]
        for level in self._levels:
            rows = zip(*self._member_shares(level, totals, by_member), strict=True)
            ties = self._tie_shares(level, totals, by_size)
            found += zip(rows, zip(*ties, strict=True) if ties else [()] * len(level.members[0]), strict=False)
        return [found[number] for number in self._menus]

    def _set_weights(self, means: Vector, odds: Vector) -> Vector:
        """Return the odds of each set being chosen."""
        odds_of = dict(zip(self._sizes, odds, strict=True)) | {1: 0.0}
        logs, weights = [0.0], [0.0]
        for level in self._levels:
            size, last = level.size, level.members[-1]
            logs += [logs[other] + means[side] for other, side in zip(level.without[-1], last, strict=True)]
            if size in odds_of:
                weights += [exp(value / size + odds_of[size]) for value in logs[level.own]]
            else:
                weights += [0.0] * len(last)
        return weights

    def _sum_over_subsets(self, values: Vector) -> Vector:
        sums = list(values)
        for sets, others in self._passes:
            for number, other in zip(sets, others, strict=True):
                sums[number] += sums[other]
        return sums

    def _sum_over_supersets(self, values: Vector) -> Vector:
        sums = list(values)
        for sets, others in self._passes:
            for number, other in zip(sets, others, strict=True):
                sums[other] += sums[number]
        return sums

    def _member_sums(self, weights: Vector) -> Vector:
        """Return the sums over subsets, with each weight divided among the members."""
        if not self._sizes:
            return self._sum_over_subsets(weights)
        return self._sum_over_subsets(
            [0.0, *(weight / level.size for level in self._levels for weight in weights[level.own])]
        )

    def _tie_sums(self, weights: Vector) -> list[Vector]:
        """Return the sums over subsets of each size of tie."""
        found = []
        for size in self._sizes:
            of_size = [0.0] * len(weights)
            own = self._levels[size - 1].own
            of_size[own] = weights[own]
            found.append(self._sum_over_subsets(of_size))
        return found

    def _member_shares(self, level: SubsetLevel, totals: Vector, by_member: Vector) -> list[Vector]:
        """Return the share of each member: what is lost without it."""
        sums, own = by_member[level.own], totals[level.own]
        return [
            [(whole - by_member[other]) / total for whole, other, total in zip(sums, without, own, strict=True)]
            for without in level.without
        ]

    def _tie_shares(self, level: SubsetLevel, totals: Vector, by_size: list[Vector]) -> list[Vector]:
        return [
            [part / total for part, total in zip(ties[level.own], totals[level.own], strict=True)] for ties in by_size
        ]

    def _add_level(self, sums: ChoiceSums, level: SubsetLevel, chosen: Vector) -> None:
        """Add the expectations of the sets of one size."""
        size, curvature = level.size, sums.curvature
        parts = [value / size for value in chosen]
        own = [0.0] * self._sides
        for members in level.members:
            for side, part in zip(members, parts, strict=True):
                own[side] += part
        sums.shares = [a + b for a, b in zip(sums.shares, own, strict=True)]
        squares = [part / size for part in parts]
        for _, _, column in level.squares:
            for square, part in zip(column, squares, strict=True):
                curvature[square] += part
        if size > 1:
            tie = self._sizes.index(size)
            sums.ties[tie] += sum(chosen)
            sums.tie_by_tie[tie][tie] += sum(chosen)
            sums.tie_by_side[tie] = [a + b for a, b in zip(sums.tie_by_side[tie], own, strict=True)]

    def _subtract_products(self, sums: ChoiceSums, weights: Vector, totals: Vector) -> None:
        """Subtract the products of expectations: curvature is E[xy] - E[x]E[y], summed over menus."""
        if self._sizes:
            by_member, by_size = self._member_sums(weights), self._tie_sums(weights)
            for level in self._levels[1:]:
                self._subtract_level_products(
                    sums, level, self._member_shares(level, totals, by_member), self._tie_shares(level, totals, by_size)
                )
            return
        ratios = self._sum_over_supersets(
            [count / total**2 if count else 0.0 for count, total in zip(self._counts, totals, strict=True)]
        )
        for level in self._levels[:1]:
            strengths = dict(zip(level.members[0], weights[level.own], strict=True))
        for level in self._levels[:2]:
            for one, other, ratio in zip(level.members[-1], level.members[0], ratios[level.own], strict=True):
                sums.curvature[one * self._sides + other] -= strengths[one] * strengths[other] * ratio

    def _subtract_level_products(
        self, sums: ChoiceSums, level: SubsetLevel, columns: list[Vector], ties: list[Vector]
    ) -> None:
        """Subtract the products of expectations, menu by menu."""
        counts, curvature = self._counts[level.own], sums.curvature
        counted = [[count * share for count, share in zip(counts, column, strict=True)] for column in columns]
        for later, former, column in level.squares:
            for square, one, other in zip(column, counted[later], columns[former], strict=True):
                curvature[square] -= one * other
        for tie, chances in enumerate(ties):
            crossed = sums.tie_by_side[tie]
            for members, shares in zip(level.members, counted, strict=True):
                for side, chance, share in zip(members, chances, shares, strict=True):
                    crossed[side] -= chance * share
            for number, likewise in enumerate(ties):
                sums.tie_by_tie[tie][number] -= sum(
                    [c * a * b for c, a, b in zip(counts, chances, likewise, strict=True)]
                )


def _make_level(sets: list[Menu], numbers: dict[Menu, int], sides: int) -> SubsetLevel:
    begin, size = len(numbers), len(sets[0])
    numbers.update(zip(sets, range(begin, begin + len(sets)), strict=True))
    members = [list(column) for column in zip(*sets, strict=True)]
    without = [[numbers[own[:place] + own[place + 1 :]] for own in sets] for place in range(size)]
    places = list(range(sides * sides))
    squares = [
        (
            later,
            former,
            [places[row * sides + column] for row, column in zip(members[later], members[former], strict=True)],
        )
        for later in range(size)
        for former in range(later + 1)
    ]
    return SubsetLevel(size, slice(begin, begin + len(sets)), members, without, squares)
