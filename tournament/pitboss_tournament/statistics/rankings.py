"""Rankings: games as the order in which their sides ended, counted together where they are equal.

A ranking is taken apart into *stages* (Plackett 1975): who came first of all, who of those who were left, and so on. A stage is a set of
sides to choose from; those chosen together tie. The stages' counts are all that a rating needs of any number of games, in whatever order they came.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from pitboss_tournament.results.scoring import GameResult

Side: TypeAlias = tuple[int, ...]  # the entrants that win and lose together, ascending
Sides: TypeAlias = Sequence[Sequence[int]]  # the seats of each side
Ranking: TypeAlias = tuple[tuple[int, Side], ...]  # place and side, best first
Stage: TypeAlias = tuple[tuple[Side, ...], tuple[Side, ...]]  # whom there was to choose from, who was chosen


class Rankings:
    """The games of a tournament as rankings, by block. Without `sides` each seat plays for itself."""

    def __init__(self, sides: Sides | None = None) -> None:
        self.rankings: list[Ranking] = []  # the different ones
        self.counts: list[int] = []  # how often each came about
        self.blocks: dict[tuple[int, int], list[int]] = {}  # by pairing and deal: the numbers of the games' rankings
        self._sides = sides
        self._numbers: dict[Ranking, int] = {}
        self._alone: dict[int, Side] = {}

    def add(self, result: GameResult) -> None:
        """Take a game."""
        ranking = self._alone_ranking(result) if self._sides is None else self._side_ranking(result, self._sides)
        number = self._numbers.setdefault(ranking, len(self.rankings))
        if number == len(self.rankings):
            self.rankings.append(ranking)
            self.counts.append(0)
        self.counts[number] += 1
        block = self.blocks.get((result.pairing, result.deal))
        if block is None:
            block = self.blocks[result.pairing, result.deal] = []
        block.append(number)

    def add_all(self, results: Iterable[GameResult]) -> None:
        """Take many games."""
        for result in results:
            self.add(result)

    def _alone_ranking(self, result: GameResult) -> Ranking:
        alone = self._alone
        try:
            return tuple(sorted([(seat.place, alone[seat.entrant]) for seat in result.seats]))
        except KeyError:
            alone.update({seat.entrant: (seat.entrant,) for seat in result.seats})
            return self._alone_ranking(result)

    def _side_ranking(self, result: GameResult, sides: Sides) -> Ranking:
        seats = result.seats
        return tuple(sorted((seats[side[0]].place, tuple(sorted(seats[seat].entrant for seat in side))) for side in sides))


def stages(ranking: Ranking) -> Iterator[Stage]:
    """Yield the stages of a ranking: at each at least two sides are left to choose from."""
    left = sorted([side for _, side in ranking])
    begin = 0
    while len(left) > 1:
        place = ranking[begin][0]
        end = begin + 1
        while end < len(ranking) and ranking[end][0] == place:
            end += 1
        chosen = tuple([side for _, side in ranking[begin:end]])
        yield tuple(left), chosen
        for side in chosen:
            left.remove(side)
        begin = end


def comparable(pairs: Iterable[tuple[Side, Side]], entrants: Iterable[int]) -> list[list[int]]:
    """Return the groups of entrants between which sides that met allow a comparison.

    Each pair of sides that met tells about the mean strength of the one less that of the other. Two entrants can be compared if the difference
    of their strengths is a combination of such differences: alone, if a chain of games connects them; of partners who are never parted nothing can be told.
    """
    basis: dict[int, dict[int, Fraction]] = {}
    for one, other in sorted(set(pairs)):
        row = _reduced(_difference(one, other), basis)
        if row:
            pivot = min(row)
            basis[pivot] = {entrant: value / row[pivot] for entrant, value in row.items()}
    groups: list[list[int]] = []
    for entrant in sorted(entrants):
        home = next((group for group in groups if not _reduced(_difference((entrant,), (group[0],)), basis)), None)
        if home is None:
            groups.append([entrant])
        else:
            home.append(entrant)
    return groups


def _difference(one: Side, other: Side) -> dict[int, Fraction]:
    row: dict[int, Fraction] = {}
    for side, sign in ((one, 1), (other, -1)):
        for entrant in side:
            row[entrant] = row.get(entrant, Fraction(0)) + Fraction(sign, len(side))
    return {entrant: value for entrant, value in row.items() if value}


def _reduced(row: dict[int, Fraction], basis: dict[int, dict[int, Fraction]]) -> dict[int, Fraction]:
    """Return what is left of a row, pivots going upwards, when the basis' rows are taken out; nothing if it is a combination of them."""
    rest: dict[int, Fraction] = {}
    while row:
        pivot = min(row)
        value = row[pivot]
        if pivot not in basis:
            rest[pivot] = row.pop(pivot)
            continue
        for entrant, part in basis[pivot].items():
            row[entrant] = row.get(entrant, Fraction(0)) - value * part
        row = {entrant: left for entrant, left in row.items() if left}
    return rest
