"""Bradley–Terry on the pairs of each table: the likelihood of who was placed ahead of whom, and its maximum.

The model: of two sides that do not tie, one is placed ahead with odds of its strength to the other's (Bradley and Terry
1952). A ranking is broken into all of its pairs, and pairs that tie are left out (full rank breaking: Azari Soufiani,
Chen, Parkes and Xia 2013, *Generalized method-of-moments for rank aggregation*). So strengths mean the odds of being
placed ahead, ties aside, whatever makes places tie: one winner and many last, one loser, rounded points. Models of a
whole ranking, as that of Plackett and Luce with a parameter for ties, need ties to come about in one way, and are far
off where they do not. What rank breaking costs where nothing ties: 2 to 6 % more games at four seats, 15 % at eight.

The pairs of a game depend on each other: the value here is no likelihood of games, and its curvature no measure of how
sure the strengths are. That is the sandwich over blocks (see `rating_covariance`).

A side is as strong as the geometric mean of its members: groups compared by the mean of their logarithms (Huang, Lin
and Weng 2008, *Ranking individuals by group comparisons*, take the sum, which for sides of equal size differs only by
the unit; with the mean, a rating means the same alone or in a side, and a larger side is not stronger for its size).

The logarithms have a weak normal prior, which keeps them finite for a bot that always wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pitboss_tournament.statistics.linear_algebra import Vector
from pitboss_tournament.statistics.pair_likelihood import PairLikelihood, SparseVector, compute_chance
from pitboss_tournament.statistics.rankings import Contender, Ranking, RankingCounts, Side, list_untied
from pitboss_tournament.statistics.seat_effects import find_unequal_seats

PRIOR_SD = 4.0  # of a log strength: 695 points; two bots' difference has 983
SEATS_SD = 2.0  # of the log strength of a seat: 347 points


class PairModel:
    """The likelihood of who was placed ahead of whom.

    Its unknowns: the log strength of each entrant that played, and, where seats are unequal, the log strength of each
    seat, or of each set of seats that play together. The strengths of the seats add up to 0, and those of the entrants
    too: the prior pulls them there.
    """

    def __init__(self, rankings: RankingCounts) -> None:
        self.entrants = sorted({entrant for side, _ in rankings.contenders for entrant in side})
        self.seats = find_unequal_seats(rankings)
        self.unknowns = len(self.entrants) + len(self.seats)
        own = [(side, seat if self.seats else 0) for side, seat in rankings.contenders]
        self._contenders: list[Contender] = sorted(set(own))
        numbers = {contender: number for number, contender in enumerate(self._contenders)}
        self._numbers = [numbers[contender] for contender in own]  # by contender of the rankings
        self._wins, self.redundancy = wins, _ = self._count_wins(rankings)
        pairs = sorted({(min(pair), max(pair)) for pair in wins})
        self.likelihood = PairLikelihood(
            terms=self._list_terms(),
            pairs=[(one, two, wins[one, two], wins[two, one]) for one, two in pairs],
            precision=[PRIOR_SD**-2] * len(self.entrants) + [SEATS_SD**-2] * len(self.seats),
        )

    def block_scores(self, x: Vector) -> BlockScores:
        """Return the scores of blocks at `x`."""
        strengths = self.likelihood.log_strengths(x)
        losing: list[dict[int, float]] = [{} for _ in strengths]
        for one, two in self._wins:
            losing[one][two] = compute_chance(strengths[two] - strengths[one])
        return BlockScores(self._numbers, losing, self.likelihood.terms)

    def leads(self, x: Vector) -> Iterator[tuple[tuple[Side, Side], int, int, float]]:
        """Yield each two contenders that did not always tie.

        Their sides, how often the first was placed ahead and how often behind, and its lead in log strength at `x`.
        """
        sides, strengths = [side for side, _ in self._contenders], self.likelihood.log_strengths(x)
        for one, two, won, lost in self.likelihood.pairs:
            yield (sides[one], sides[two]), won, lost, strengths[one] - strengths[two]

    def opposing_sides(self) -> set[tuple[Side, Side]]:
        """Return the pairs of sides of which one was placed ahead of the other."""
        sides = [side for side, _ in self._contenders]
        return {(sides[one], sides[two]) for one, two, _, _ in self.likelihood.pairs}

    def _count_wins(self, rankings: RankingCounts) -> tuple[Counter[tuple[int, int]], float]:
        """Return how often one contender was placed ahead of another, and the redundancy of the pairs of a game.

        The redundancy is the variance of a game's score with even chances, in multiples of what it would be if pairs
        did not depend on each other: (n + 1) / 3 at a table of n without ties, n / 2 where all tie but the winner.
        """
        wins = Counter[tuple[int, int]]()
        squares = pairs = 0.0
        numbers = self._numbers
        games = Counter(tuple(ranking) for block in rankings.blocks() for ranking in block)
        for ranking, count in games.items():
            untied = list_untied(ranking[0], len(ranking) - 1)
            for ahead, behind in untied.pairs:
                wins[numbers[ranking[ahead]], numbers[ranking[behind]]] += count
            squares += count * untied.squares
            pairs += count * len(untied.pairs)
        return wins, 2 * squares / pairs if pairs else 1.0

    def _list_terms(self) -> list[SparseVector]:
        """Return for each contender the unknowns that add up to its log strength, with their weights."""
        entrant_number = {entrant: number for number, entrant in enumerate(self.entrants)}
        seat_number = {seat: number for number, seat in enumerate(self.seats, start=len(self.entrants))}
        return [
            [(entrant_number[entrant], 1 / len(side)) for entrant in side]
            + ([(seat_number[seat], 1.0)] if self.seats else [])
            for side, seat in self._contenders
        ]


class BlockScores(NamedTuple):
    """Score (gradient of the log likelihood) of each block: observed minus expected."""

    numbers: Sequence[int]  # of the contenders of a ranking, in the model
    losing: list[dict[int, float]]  # by contender: the chance to be behind each of those it was placed ahead of
    terms: list[SparseVector]  # by contender: its unknowns

    def score_block(self, rankings: Iterable[Ranking]) -> SparseVector:
        """Return the score of a block by unknown."""
        values: dict[int, float] = {}  # by contender
        numbers, losing = self.numbers, self.losing
        for ranking in rankings:
            table = [numbers[contender] for contender in ranking[1:]]
            own = [0.0, *[0.0] * len(table)]
            for ahead, behind in list_untied(ranking[0], len(table)).pairs:
                value = losing[table[ahead - 1]][table[behind - 1]]
                own[ahead] += value
                own[behind] -= value
            for number, value in zip(table, own[1:], strict=True):
                values[number] = values.get(number, 0.0) + value
        score: dict[int, float] = {}
        for number, value in values.items():
            for unknown, weight in self.terms[number]:
                score[unknown] = score.get(unknown, 0.0) + weight * value
        return list(score.items())
