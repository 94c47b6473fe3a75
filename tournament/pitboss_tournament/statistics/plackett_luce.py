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

from pitboss_tournament.statistics.choice_model import ChoiceModel, ChoiceSums
from pitboss_tournament.statistics.linear_algebra import Matrix, Vector, cholesky, solve_cholesky
from pitboss_tournament.statistics.rankings import RankingCounts, RankingStages, Side, list_bits, split_stages
from pitboss_tournament.statistics.seat_effects import find_unequal_seats

PRIOR_SD = 4.0  # of a log strength: 695 points; two bots' difference has 983
TIES_SD = 5.0  # of the logarithm of d_k
SEATS_SD = 2.0  # of the log strength of a seat: 347 points
LARGEST_STEP = 2.0
SMALLEST_STEP = 5e-4  # what is left to go after it is less than its square


SparseVector: TypeAlias = list[tuple[int, float]]  # an unknown's number and a value
Contender: TypeAlias = tuple[Side, int]  # a side in its seat, or in its seats by their number


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

    Its unknowns: the log strength of each entrant that played, log d_k for each size of tie that occurred, and, where
    seats are unequal, the log strength of each seat, or of each set of seats that play together. The strengths of the
    seats add up to 0, and those of the entrants too: the prior pulls them there.
    """

    def __init__(self, rankings: RankingCounts) -> None:
        self.entrants = sorted({entrant for ranking in rankings.rankings for _, side, _ in ranking for entrant in side})
        self.seats = find_unequal_seats(rankings)
        self._contenders: list[Contender] = sorted(
            {(side, seat if self.seats else 0) for ranking in rankings.rankings for _, side, seat in ranking}
        )
        self._stages = self._split_rankings(rankings)
        counts, chosen, tied = self._count_stages(rankings.counts)
        self.menus = {menu: list_bits(menu) for menu in sorted(counts)}
        self._counts = [counts[menu] for menu in self.menus]
        self.sizes = sorted(tied)
        self._first_seat = len(self.entrants) + len(self.sizes)
        self.unknowns = self._first_seat + len(self.seats)
        self._terms = self._list_terms()
        self._observed = self._sum_terms(chosen, [float(tied[size]) for size in self.sizes])
        self._precision = [PRIOR_SD**-2] * len(self.entrants) + [TIES_SD**-2] * len(self.sizes)
        self._precision += [SEATS_SD**-2] * len(self.seats)
        self._choices = ChoiceModel(list(self.menus.values()), self._counts, len(self._contenders), self.sizes)

    def _split_rankings(self, rankings: RankingCounts) -> list[RankingStages]:
        """Return the stages of each ranking, by the numbers of its contenders."""
        numbers = {contender: number for number, contender in enumerate(self._contenders)}
        return [
            split_stages(
                [place for place, _, _ in ranking],
                [numbers[side, seat if self.seats else 0] for _, side, seat in ranking],
            )
            for ranking in rankings.rankings
        ]

    def _count_stages(self, counts: list[int]) -> tuple[Counter[int], Vector, Counter[int]]:
        """Return the counts of each menu, the choices of each contender, and the number of ties of each size."""
        menus, chosen, tied = Counter[int](), [0.0] * len(self._contenders), Counter[int]()
        for stages, count in zip(self._stages, counts, strict=True):
            for menu in stages.menus:
                menus[menu] += count
            for contender, share in stages.chosen:
                chosen[contender] += count * share
            for size in stages.ties:
                tied[size] += count
        return menus, chosen, tied

    def _list_terms(self) -> list[SparseVector]:
        """Return for each contender the unknowns that add up to its log strength, with their weights."""
        entrant_number = {entrant: number for number, entrant in enumerate(self.entrants)}
        seat_number = {seat: number for number, seat in enumerate(self.seats, start=self._first_seat)}
        return [
            [*((entrant_number[entrant], 1 / len(side)) for entrant in side)]
            + ([(seat_number[seat], 1.0)] if self.seats else [])
            for side, seat in self._contenders
        ]

    def fit(self) -> ModelFit:
        """Return the maximum of the penalised likelihood."""
        x = self.starting_point()
        first = point = self.evaluate(x)
        while True:
            step = solve_cholesky(cholesky(point.curvature), point.slope)
            largest = max(map(abs, step), default=0.0)
            if largest < SMALLEST_STEP:  # too short a step to change the curvature
                return ModelFit(_add_vectors(x, step), point.curvature, first.curvature)
            x, point = self._step_uphill(x, point, [LARGEST_STEP / max(largest, LARGEST_STEP) * part for part in step])

    def starting_point(self) -> Vector:
        """Return the unknowns for equal strengths and about as many ties as were seen."""
        odds = []
        for size, seen in zip(self.sizes, self._observed[len(self.entrants) :], strict=False):
            sets = sum(
                count * comb(len(menu), size) / len(menu)
                for menu, count in zip(self.menus.values(), self._counts, strict=True)
            )
            odds.append(log(seen / sets))
        return [0.0] * len(self.entrants) + odds + [0.0] * len(self.seats)

    def evaluate(self, x: Vector) -> LikelihoodPoint:
        """Return the penalised likelihood at `x`."""
        sums = self._choices.compute_sums(*self._log_strengths(x))
        value = sum(t * v - p * v * v / 2 for t, v, p in zip(self._observed, x, self._precision, strict=True))
        expected = self._sum_terms(sums.shares, sums.ties)
        slope = [t - e - p * v for t, e, p, v in zip(self._observed, expected, self._precision, x, strict=True)]
        return LikelihoodPoint(value - sums.value, slope, self._curvature(sums))

    def block_scores(self, x: Vector) -> BlockScores:
        """Return the scores of blocks at `x`."""
        shares = self._choices.compute_shares(*self._log_strengths(x))
        expected = {
            number: (list(zip(menu, own, strict=True)), ties)
            for (number, menu), (own, ties) in zip(self.menus.items(), shares, strict=True)
        }
        return BlockScores(self._stages, expected, self._terms, self.sizes, len(self.entrants))

    def opposing_sides(self) -> set[tuple[Side, Side]]:
        """Return pairs of sides that met, enough to decide which entrants are comparable."""
        sides = [side for side, _ in self._contenders]
        return {(sides[menu[0]], sides[contender]) for menu in self.menus.values() for contender in menu[1:]}

    def _step_uphill(self, x: Vector, point: LikelihoodPoint, step: Vector) -> tuple[Vector, LikelihoodPoint]:
        """Take the step, halved until the likelihood does not decrease (it terminates: the likelihood is concave)."""
        while True:
            new = _add_vectors(x, step)
            there = self.evaluate(new)
            if there.value >= point.value - 1e-12 * abs(point.value):
                return new, there
            step = [part / 2 for part in step]

    def _log_strengths(self, x: Vector) -> tuple[Vector, Vector]:
        """Return the log strengths of the contenders, and the logs of d_k."""
        strengths = [sum([weight * x[unknown] for unknown, weight in terms]) for terms in self._terms]
        return strengths, x[len(self.entrants) : self._first_seat]

    def _sum_terms(self, by_contender: Vector, by_size: Vector) -> Vector:
        """Return values of contenders and of sizes of tie by unknown."""
        by_unknown = [0.0] * self.unknowns
        by_unknown[len(self.entrants) : self._first_seat] = by_size
        for value, terms in zip(by_contender, self._terms, strict=True):
            for unknown, weight in terms:
                by_unknown[unknown] += weight * value
        return by_unknown

    def _curvature(self, sums: ChoiceSums) -> Matrix:
        """Return the curvature by unknown, including the prior."""
        whole = [
            [0.0] * number + [own] + [0.0] * (self.unknowns - number - 1) for number, own in enumerate(self._precision)
        ]
        for number, value in enumerate(sums.curvature):
            if value:
                row, column = divmod(number, len(self._contenders))
                for a, one in self._terms[row]:
                    for b, other in self._terms[column]:
                        whole[a][b] += value * one * other
                        if row != column:
                            whole[b][a] += value * one * other
        no_ties = [0.0] * len(self.sizes)
        for tie, (crossed, tied) in enumerate(
            zip(sums.tie_by_contender, sums.tie_by_tie, strict=True), start=len(self.entrants)
        ):
            for unknown, value in enumerate(self._sum_terms(crossed, no_ties)):
                whole[tie][unknown] += value
                whole[unknown][tie] += value
            for number, value in enumerate(tied, start=len(self.entrants)):
                whole[tie][number] += value
        return whole


class BlockScores(NamedTuple):
    """Score (gradient of the log likelihood) of each block: observed minus expected."""

    stages: list[RankingStages]  # by ranking
    expected: dict[int, tuple[SparseVector, tuple[float, ...]]]  # by menu: of its contenders, and of sizes of tie
    terms: list[SparseVector]  # by contender: its unknowns
    sizes: list[int]  # of tie
    first_size: int  # number of its unknown

    def score_block(self, rankings: Iterable[int]) -> SparseVector:
        """Return the score of a block by unknown, its games given as the numbers of their rankings."""
        by_contender = [0.0] * len(self.terms)
        by_size = [0.0] * len(self.sizes)
        for ranking in rankings:
            menus, chosen, ties = self.stages[ranking]
            for contender, share in chosen:
                by_contender[contender] += share
            for size in ties:
                by_size[self.sizes.index(size)] += 1
            for menu in menus:
                shares, chances = self.expected[menu]
                for contender, share in shares:
                    by_contender[contender] -= share
                for number, chance in enumerate(chances):
                    by_size[number] -= chance
        score = dict(enumerate(by_size, start=self.first_size))
        for contender, value in enumerate(by_contender):
            if value:
                for unknown, weight in self.terms[contender]:
                    score[unknown] = score.get(unknown, 0.0) + weight * value
        return list(score.items())


def _add_vectors(one: Vector, other: Vector) -> Vector:
    return [a + b for a, b in zip(one, other, strict=True)]
