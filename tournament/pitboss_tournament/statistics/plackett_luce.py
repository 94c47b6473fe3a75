"""Plackett–Luce with ties: the likelihood of rankings, with the slope and curvature that Newton's method wants, and how it is fitted.

The model (Turner, van Etten, Firth and Kosmidis 2020, *Modelling rankings in R: the PlackettLuce package*, Computational Statistics 35): at each stage
a set of k sides is chosen from those left with odds of d_k · (the geometric mean of their strengths), d_1 being 1. For two sides this is Davidson's model
of ties (1970), without ties Plackett's (1975), for two without ties Bradley's and Terry's (1952). A side is as strong as the geometric mean of its members: groups
compared by the mean of their logarithms (Huang, Lin and Weng 2008, *Ranking individuals by group comparisons*, take the sum, which for sides of equal
size differs only by the unit; with the mean, a rating means the same alone or in a side, and a larger side is not stronger for its size).

The logarithms have a weak normal prior, which keeps them finite for a bot that always wins. The penalised likelihood is strictly concave, so that
Newton's method with halved steps finds its one maximum.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb, log
from typing import NamedTuple, TypeAlias

from pitboss_tournament.statistics.choices import Choice, Sums
from pitboss_tournament.statistics.linear import Matrix, Vector, cholesky, solved
from pitboss_tournament.statistics.rankings import Rankings, Stage, stages

PRIOR_SD = 2.0  # of a log strength: 347 points; two bots' difference has 491
TIES_SD = 5.0  # of the logarithm of d_k
LARGEST_STEP = 2.0
SMALLEST_STEP = 5e-4  # what is left to go after it is less than its square


Parts: TypeAlias = list[tuple[int, float]]  # an unknown's number and a value


class Point(NamedTuple):
    """The logarithm of the penalised likelihood at one point."""

    value: float
    slope: Vector
    curvature: Matrix  # of its negative: positive definite


class Fit(NamedTuple):
    """The most likely unknowns, the curvature there, and that where all are equally strong."""

    x: Vector
    curvature: Matrix
    even: Matrix


class Model:
    """The likelihood of some rankings. Its unknowns: the log strength of each entrant that played, then the log of d_k for each size of tie that occurred."""

    def __init__(self, rankings: Rankings) -> None:
        taken_apart = [list(stages(ranking)) for ranking in rankings.rankings]
        self.menus = sorted({menu for own in taken_apart for menu, _ in own})
        sides = sorted({side for ranking in rankings.rankings for _, side in ranking})
        self.entrants = sorted({entrant for side in sides for entrant in side})
        self.sizes = sorted({len(best) for own in taken_apart for _, best in own} - {1})
        self.unknowns = len(self.entrants) + len(self.sizes)
        self._precision = [PRIOR_SD**-2] * len(self.entrants) + [TIES_SD**-2] * len(self.sizes)
        number_of = {entrant: number for number, entrant in enumerate(self.entrants)}
        self._members = [[number_of[entrant] for entrant in side] for side in sides]
        self._sides = {side: number for number, side in enumerate(sides)}
        self._numbered = [[self._sides[side] for side in menu] for menu in self.menus]
        menu_number = {menu: number for number, menu in enumerate(self.menus)}
        self._course = [[menu_number[menu] for menu, _ in own] for own in taken_apart]  # by ranking: its stages' menus
        self._seen = [self._seen_in(own) for own in taken_apart]  # by ranking
        self._all_seen = [0.0] * self.unknowns
        self._counts = [0] * len(self.menus)
        for count, seen, course in zip(rankings.counts, self._seen, self._course, strict=True):
            for unknown, value in seen:
                self._all_seen[unknown] += count * value
            for menu_of_stage in course:
                self._counts[menu_of_stage] += count

    def fitted(self) -> Fit:
        """Find the most likely unknowns."""
        x = self.start()
        first = point = self.at(x)
        while True:
            step = solved(cholesky(point.curvature), point.slope)
            largest = max(map(abs, step), default=0.0)
            x, point = self._moved(x, point, [LARGEST_STEP / max(largest, LARGEST_STEP) * part for part in step])
            if largest < SMALLEST_STEP:
                return Fit(x, point.curvature, first.curvature)

    def start(self) -> Vector:
        """Return the unknowns when all are equally strong and there are about as many ties as were seen."""
        odds = []
        for size, seen in zip(self.sizes, self._all_seen[len(self.entrants) :], strict=True):
            sets = sum(count * comb(len(menu), size) / len(menu) for menu, count in zip(self.menus, self._counts, strict=True))
            odds.append(log(seen / sets))
        return [0.0] * len(self.entrants) + odds

    def at(self, x: Vector) -> Point:
        """Return the likelihood at x."""
        value = sum(t * v - p * v * v / 2 for t, v, p in zip(self._all_seen, x, self._precision, strict=True))
        choice, sums = self._choice(x), Sums(len(self._sides), len(self.sizes))
        for menu, count in zip(self._numbered, self._counts, strict=True):
            value -= sums.add(menu, count, choice.weights(menu))
        expected = self._shared_out(sums.shares) + sums.ties
        slope = [t - e - p * v for t, e, p, v in zip(self._all_seen, expected, self._precision, x, strict=True)]
        return Point(value, slope, self._curvature(sums))

    def scores(self, x: Vector) -> Scores:
        """Return how to score blocks at x."""
        choice, expected = self._choice(x), []
        for menu in self._numbered:
            total, shares, _, ties, _ = choice.weights(menu)
            expected.append(self._parts(zip(menu, [s / total for s in shares], strict=True), [t / total for t in ties]))
        return Scores(self._course, self._seen, expected, self.unknowns)

    def _moved(self, x: Vector, point: Point, step: Vector) -> tuple[Vector, Point]:
        """Go a step, or half of it until it leads upwards: it does, the likelihood being concave."""
        while True:
            new = [a + b for a, b in zip(x, step, strict=True)]
            there = self.at(new)
            if there.value >= point.value - 1e-12 * abs(point.value):
                return new, there
            step = [part / 2 for part in step]

    def _choice(self, x: Vector) -> Choice:
        means = [sum(x[member] for member in members) / len(members) for members in self._members]
        return Choice(means, self.sizes, x[len(self.entrants) :])

    def _seen_in(self, course: list[Stage]) -> Parts:
        """Return what was chosen in the stages of a ranking: those who tie have equal shares."""
        parts = []
        for _, best in course:
            for side in best:
                members = self._members[self._sides[side]]
                share = 1 / len(best) / len(members)
                parts += [(member, share) for member in members]
            if len(best) > 1:
                parts.append((len(self.entrants) + self.sizes.index(len(best)), 1.0))
        return parts

    def _parts(self, by_side: Iterable[tuple[int, float]], ties: Vector) -> Parts:
        """Return by unknowns what belongs to sides and sizes of tie."""
        parts: dict[int, float] = {}
        for side, value in by_side:
            members = self._members[side]
            for member in members:
                parts[member] = parts.get(member, 0.0) + value / len(members)
        parts.update((number, tie) for number, tie in enumerate(ties, start=len(self.entrants)) if tie)
        return list(parts.items())

    def _shared_out(self, by_side: Vector) -> Vector:
        by_entrant = [0.0] * len(self.entrants)
        for entrant, value in self._parts(enumerate(by_side), []):
            by_entrant[entrant] = value
        return by_entrant

    def _curvature(self, sums: Sums) -> Matrix:
        """Return the curvature by unknowns, the prior's included."""
        whole = [[0.0] * number + [own] + [0.0] * (self.unknowns - number - 1) for number, own in enumerate(self._precision)]
        for number, value in enumerate(sums.curvature):
            if value:
                row, column = divmod(number, len(self._sides))
                one, other = self._members[row], self._members[column]
                part = value / len(one) / len(other)
                for a in one:
                    for b in other:
                        whole[a][b] += part
                        if row != column:
                            whole[b][a] += part
        for tie, (crossed, tied) in enumerate(zip(sums.crossed, sums.tied, strict=True), start=len(self.entrants)):
            for entrant, value in enumerate(self._shared_out(crossed)):
                whole[tie][entrant] = whole[entrant][tie] = value
            for number, value in enumerate(tied, start=len(self.entrants)):
                whole[tie][number] += value
        return whole


class Scores(NamedTuple):
    """What each game has to do with the likelihood's slope: what was seen less what was expected. Games of one ranking have the same score."""

    courses: list[list[int]]  # by ranking: the numbers of its stages' menus
    seen: list[Parts]  # by ranking
    expected: list[Parts]  # by menu
    unknowns: int

    def of_block(self, rankings: list[int]) -> Vector:
        """Return the score of a block, its games given as the numbers of their rankings."""
        score = [0.0] * self.unknowns
        for ranking in rankings:
            for unknown, value in self.seen[ranking]:
                score[unknown] += value
            for menu in self.courses[ranking]:
                for unknown, value in self.expected[menu]:
                    score[unknown] -= value
        return score
