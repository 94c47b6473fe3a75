"""Plackett–Luce with ties: the likelihood of rankings, its slope and curvature, and its maximum by Newton's method.

The model (Turner, van Etten, Firth and Kosmidis 2020, *Modelling rankings in R: the PlackettLuce package*,
Computational Statistics 35): at each stage a set of k sides is chosen from those left with odds of d_k · (the geometric
mean of their strengths), d_1 being 1. For two sides this is Davidson's model of ties (1970), without ties Plackett's
(1975), for two without ties Bradley's and Terry's (1952). A side is as strong as the geometric mean of its members:
groups compared by the mean of their logarithms (Huang, Lin and Weng 2008, *Ranking individuals by group comparisons*,
take the sum, which for sides of equal size differs only by the unit; with the mean, a rating means the same alone or in
a side, and a larger side is not stronger for its size).

The logarithms have a weak normal prior, which keeps them finite for a bot that always wins. The penalised likelihood is
strictly concave, so that Newton's method with halved steps finds its one maximum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import comb, log
from typing import NamedTuple, TypeAlias

from pitboss_tournament.statistics.choice_model import ChoiceSums, DirectSums
from pitboss_tournament.statistics.linear_algebra import Matrix, Vector, cholesky, solve_cholesky
from pitboss_tournament.statistics.rankings import RankingCounts, Side, list_bits, split_stages
from pitboss_tournament.statistics.subset_sums import build_subset_sums

PRIOR_SD = 4.0  # of a log strength: 695 points; two bots' difference has 983
TIES_SD = 5.0  # of the logarithm of d_k
LARGEST_STEP = 2.0
SMALLEST_STEP = 5e-4  # what is left to go after it is less than its square


SparseVector: TypeAlias = list[tuple[int, float]]  # an unknown's number and a value


class LikelihoodPoint(NamedTuple):
    """The logarithm of the penalised likelihood at one point, with slope and curvature."""

    value: float
    slope: Vector
    curvature: Matrix  # of its negative: positive definite


class ModelFit(NamedTuple):
    """The most likely unknowns, the curvature there, and the curvature with equal strengths."""

    x: Vector
    curvature: Matrix
    curvature_if_equal: Matrix


class RankingModel:
    """The likelihood of rankings.

    Its unknowns: the log strength of each entrant that played, then log d_k for each size of tie that occurred.
    """

    def __init__(self, rankings: RankingCounts) -> None:
        self.sides = sorted({side for ranking in rankings.rankings for _, side in ranking})
        self.entrants = sorted({entrant for side in self.sides for entrant in side})
        number_of = {entrant: number for number, entrant in enumerate(self.entrants)}
        self._members = [[number_of[entrant] for entrant in side] for side in self.sides]
        self._is_each_alone = all(len(side) == 1 for side in self.sides)
        self._stage_menus: list[list[int]] = []  # by ranking: its stages' menus
        self._observed: list[SparseVector] = []  # by ranking
        counts, tied = self._count_stages(rankings)
        self.menus = {menu: list_bits(menu) for menu in sorted(counts)}
        self._counts = [counts[menu] for menu in self.menus]
        self.sizes = sorted({size for ties in tied.values() for size in ties})
        self.unknowns = len(self.entrants) + len(self.sizes)
        for ranking, ties in tied.items():
            self._observed[ranking] = self._observed[ranking] + self._divide_among_entrants(
                (), [float(ties[size]) for size in self.sizes]
            )
        self._observed_total = [0.0] * self.unknowns
        for count, seen in zip(rankings.counts, self._observed, strict=True):
            for unknown, value in seen:
                self._observed_total[unknown] += count * value
        self._precision = [PRIOR_SD**-2] * len(self.entrants) + [TIES_SD**-2] * len(self.sizes)
        choices = list(self.menus.values()), self._counts, len(self.sides), self.sizes
        self._choices = build_subset_sums(*choices) or DirectSums(*choices)

    def _count_stages(self, rankings: RankingCounts) -> tuple[Counter[int], dict[int, Counter[int]]]:
        """Return the counts of each menu, and of rankings with ties of each size."""
        side_number = {side: number for number, side in enumerate(self.sides)}
        counts: Counter[int] = Counter()
        tied: dict[int, Counter[int]] = {}
        for ranking, count in zip(rankings.rankings, rankings.counts, strict=True):
            menus, chosen, ties = split_stages(
                [place for place, _ in ranking], [side_number[side] for _, side in ranking]
            )
            counts.update(menus * count)
            if ties:
                tied[len(self._observed)] = Counter(ties)
            self._stage_menus.append(menus)
            self._observed.append(chosen if self._is_each_alone else self._divide_among_entrants(chosen))
        return counts, tied

    def fit(self) -> ModelFit:
        """Return the maximum of the penalised likelihood."""
        x = self.starting_point()
        first = point = self.evaluate(x)
        while True:
            step = solve_cholesky(cholesky(point.curvature), point.slope)
            largest = max(map(abs, step), default=0.0)
            x, point = self._step_uphill(x, point, [LARGEST_STEP / max(largest, LARGEST_STEP) * part for part in step])
            if largest < SMALLEST_STEP:
                return ModelFit(x, point.curvature, first.curvature)

    def starting_point(self) -> Vector:
        """Return the unknowns for equal strengths and about as many ties as were seen."""
        odds = []
        for size, seen in zip(self.sizes, self._observed_total[len(self.entrants) :], strict=True):
            sets = sum(
                count * comb(len(menu), size) / len(menu)
                for menu, count in zip(self.menus.values(), self._counts, strict=True)
            )
            odds.append(log(seen / sets))
        return [0.0] * len(self.entrants) + odds

    def evaluate(self, x: Vector) -> LikelihoodPoint:
        """Return the penalised likelihood at `x`."""
        sums = self._choices.compute_sums(*self._side_strengths(x))
        value = (
            sum(t * v - p * v * v / 2 for t, v, p in zip(self._observed_total, x, self._precision, strict=True))
            - sums.value
        )
        expected = self._sum_by_entrant(sums.shares) + sums.ties
        slope = [t - e - p * v for t, e, p, v in zip(self._observed_total, expected, self._precision, x, strict=True)]
        return LikelihoodPoint(value, slope, self._curvature(sums))

    def block_scores(self, x: Vector) -> BlockScores:
        """Return the scores of blocks at `x`."""
        shares = self._choices.compute_shares(*self._side_strengths(x))
        expected = {
            number: self._divide_among_entrants(zip(menu, own, strict=True), ties)
            for (number, menu), (own, ties) in zip(self.menus.items(), shares, strict=True)
        }
        return BlockScores(self._stage_menus, self._observed, expected, self.unknowns)

    def opposing_sides(self) -> set[tuple[Side, Side]]:
        """Return pairs of sides that met, enough to decide which entrants are comparable."""
        return {
            (self.sides[one], self.sides[other])
            for one, other in {(menu[0], side) for menu in self.menus.values() for side in menu[1:]}
        }

    def _step_uphill(self, x: Vector, point: LikelihoodPoint, step: Vector) -> tuple[Vector, LikelihoodPoint]:
        """Take the step, halved until the likelihood does not decrease (it terminates: the likelihood is concave)."""
        while True:
            new = [a + b for a, b in zip(x, step, strict=True)]
            there = self.evaluate(new)
            if there.value >= point.value - 1e-12 * abs(point.value):
                return new, there
            step = [part / 2 for part in step]

    def _side_strengths(self, x: Vector) -> tuple[Vector, Vector]:
        """Return the log strengths of the sides, and the logs of d_k."""
        return [sum([x[member] for member in own]) / len(own) for own in self._members], x[len(self.entrants) :]

    def _divide_among_entrants(self, by_side: Iterable[tuple[int, float]], ties: Iterable[float] = ()) -> SparseVector:
        """Return values of sides and sizes of tie by unknown."""
        if self._is_each_alone:
            shared = list(by_side)
        else:
            shared = [
                (member, value / len(self._members[side])) for side, value in by_side for member in self._members[side]
            ]
        return shared + [(number, tie) for number, tie in enumerate(ties, start=len(self.entrants)) if tie]

    def _sum_by_entrant(self, by_side: Vector) -> Vector:
        by_entrant = [0.0] * len(self.entrants)
        for entrant, value in self._divide_among_entrants(enumerate(by_side)):
            by_entrant[entrant] += value
        return by_entrant

    def _curvature(self, sums: ChoiceSums) -> Matrix:
        """Return the curvature by unknown, including the prior."""
        whole = [
            [0.0] * number + [own] + [0.0] * (self.unknowns - number - 1) for number, own in enumerate(self._precision)
        ]
        for number, value in enumerate(sums.curvature):
            if value:
                row, column = divmod(number, len(self.sides))
                one, other = self._members[row], self._members[column]
                part = value / len(one) / len(other)
                for a in one:
                    for b in other:
                        whole[a][b] += part
                        if row != column:
                            whole[b][a] += part
        for tie, (crossed, tied) in enumerate(
            zip(sums.tie_by_side, sums.tie_by_tie, strict=True), start=len(self.entrants)
        ):
            for entrant, value in enumerate(self._sum_by_entrant(crossed)):
                whole[tie][entrant] = whole[entrant][tie] = value
            for number, value in enumerate(tied, start=len(self.entrants)):
                whole[tie][number] += value
        return whole


class BlockScores(NamedTuple):
    """Score (gradient of the log likelihood) of each game: observed minus expected.

    Games with the same ranking have the same score.
    """

    stage_menus: list[list[int]]  # by ranking: the numbers of its stages' menus
    observed: list[SparseVector]  # by ranking
    expected: dict[int, SparseVector]  # by menu
    unknowns: int

    def score_block(self, rankings: list[int]) -> Vector:
        """Return the score of a block, its games given as the numbers of their rankings."""
        score = [0.0] * self.unknowns
        for ranking in rankings:
            for unknown, value in self.observed[ranking]:
                score[unknown] += value
            for menu in self.stage_menus[ranking]:
                for unknown, value in self.expected[menu]:
                    score[unknown] -= value
        return score
