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
from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import comb, log
from typing import NamedTuple, TypeAlias

from pitboss_tournament.statistics.choice_model import ChoiceModel, ChoiceSums
from pitboss_tournament.statistics.linear_algebra import Matrix, Vector, cholesky, solve_cholesky
from pitboss_tournament.statistics.rankings import (
    Contender,
    Ranking,
    RankingCounts,
    Side,
    list_bits,
    read_ties,
)
from pitboss_tournament.statistics.seat_effects import find_unequal_seats

PRIOR_SD = 4.0  # of a log strength: 695 points; two bots' difference has 983
TIES_SD = 5.0  # of the logarithm of d_k
SEATS_SD = 2.0  # of the log strength of a seat: 347 points
LARGEST_STEP = 2.0
SMALLEST_STEP = 5e-4  # what is left to go after it is less than its square
PENDING_STAGES = 10_000  # are counted together


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

    Its unknowns: the log strength of each entrant that played, log d_k for each size of tie that occurred, and, where
    seats are unequal, the log strength of each seat, or of each set of seats that play together. The strengths of the
    seats add up to 0, and those of the entrants too: the prior pulls them there.
    """

    def __init__(self, rankings: RankingCounts) -> None:
        self.entrants = sorted({entrant for side, _ in rankings.contenders for entrant in side})
        self.seats = find_unequal_seats(rankings)
        models = [(side, seat if self.seats else 0) for side, seat in rankings.contenders]
        self._contenders: list[Contender] = sorted(set(models))
        numbers = {contender: number for number, contender in enumerate(self._contenders)}
        self._stages = StageReader([numbers[contender] for contender in models])
        counts, chosen, tied = self._stages.count(ranking for block in rankings.blocks() for ranking in block)
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
        first_size = len(self._contenders)
        expected = {
            menu: [*zip(members, own, strict=True), *enumerate(ties, start=first_size)]
            for (menu, members), (own, ties) in zip(self.menus.items(), shares, strict=True)
        }
        terms = [*self._terms, *([(unknown, 1.0)] for unknown in range(len(self.entrants), self._first_seat))]
        numbers = {size: number for number, size in enumerate(self.sizes, start=first_size)}
        return BlockScores(self._stages, expected, terms, numbers)

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


class StageReader:
    """Stages of rankings by the contenders of a model, of which each contender of a ranking is one."""

    def __init__(self, numbers: Sequence[int]) -> None:
        """Read rankings whose contenders have these numbers in the model."""
        self.numbers = numbers
        self._bits = [1 << number for number in numbers]  # of each contender of a ranking

    def list_menus(self, ranking: Ranking) -> list[int]:
        """Return the menus of a ranking, as bits."""
        bits = self._bits
        left = list(accumulate([bits[contender] for contender in ranking[:0:-1]]))  # from the last one on
        return [left[-1 - begin] for begin in read_ties(ranking[0], len(left)).begins] if ranking[0] else left[1:]

    def count(self, rankings: Iterable[Ranking]) -> tuple[Counter[int], Vector, Counter[int]]:
        """Return the counts of each menu, the choices of each contender, and the number of ties of each size."""
        menus, chosen, tied = Counter[int](), Counter[int](), Counter[int]()
        seen: list[int] = []
        alone: list[int] = []  # contenders that were chosen alone
        by_contender = [0.0] * (max(self.numbers, default=-1) + 1)
        for ranking in rankings:
            seen += self.list_menus(ranking)
            if ranking[0]:
                pattern = read_ties(ranking[0], len(ranking) - 1)
                tied.update(pattern.sizes)
                for contender, share in zip(ranking[1:], pattern.shares, strict=True):
                    by_contender[self.numbers[contender]] += share
            else:
                alone += ranking[1:-1]
            if len(seen) > PENDING_STAGES:
                menus.update(seen)
                chosen.update(alone)
                seen.clear()
                alone.clear()
        menus.update(seen)
        chosen.update(alone)
        for contender, count in chosen.items():
            by_contender[self.numbers[contender]] += count
        return menus, by_contender, tied


class BlockScores(NamedTuple):
    """Score (gradient of the log likelihood) of each block: observed minus expected."""

    stages: StageReader
    expected: dict[int, SparseVector]  # by menu: of its contenders, and of sizes of tie, which have the numbers after
    terms: list[SparseVector]  # by contender, and by size of tie: its unknowns
    number_of_size: dict[int, int]  # by size of tie

    def score_block(self, rankings: Iterable[Ranking]) -> SparseVector:
        """Return the score of a block by unknown."""
        values: dict[int, float] = {}  # by contender, and by size of tie
        menus: dict[int, int] = {}  # how often each came about
        numbers = self.stages.numbers
        for ranking in rankings:
            pattern = read_ties(ranking[0], len(ranking) - 1)
            for contender, share in zip(ranking[1:], pattern.shares, strict=True):
                number = numbers[contender]
                values[number] = values.get(number, 0.0) + share
            for size in pattern.sizes:
                number = self.number_of_size[size]
                values[number] = values.get(number, 0.0) + 1
            for menu in self.stages.list_menus(ranking):
                menus[menu] = menus.get(menu, 0) + 1
        for menu, count in menus.items():
            for number, share in self.expected[menu]:
                values[number] = values.get(number, 0.0) - count * share
        score: dict[int, float] = {}
        for number, value in values.items():
            for unknown, weight in self.terms[number]:
                score[unknown] = score.get(unknown, 0.0) + weight * value
        return list(score.items())


def _add_vectors(one: Vector, other: Vector) -> Vector:
    return [a + b for a, b in zip(one, other, strict=True)]
