"""Rankings: games as the order in which their sides ended, with equal rankings counted together.

A ranking is divided into *stages* (Plackett 1975): who came first of all, who of those who were left, and so on. A
stage is a set of sides to choose from; those chosen together tie. The counts of the stages are all that a rating needs
of any number of games, in whatever order they came.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from pitboss_tournament.plan.seating import Sides
from pitboss_tournament.statistics.scoring import GameResult

Side: TypeAlias = tuple[int, ...]  # the entrants that win and lose together, ascending
Ranking: TypeAlias = tuple[tuple[int, Side, int], ...]  # place, side, and the seat or number of its seats, best first


class RankingStages(NamedTuple):
    """The stages of a ranking, in any order."""

    menus: list[int]  # by stage: the sides that there were to choose from, as bits
    chosen: list[tuple[int, float]]  # each side that was chosen, with its share of the choice
    ties: list[int]  # how many were chosen at once, where it was more than one


class RankingCounts:
    """The games of a tournament as rankings, by block. Without `sides` each seat plays for itself."""

    def __init__(self, sides: Sides | None = None) -> None:
        self.rankings: list[Ranking] = []  # the different ones
        self.counts: list[int] = []  # how often each came about
        self.blocks: dict[tuple[int, int], list[int]] = {}  # by pairing and deal: the numbers of the games' rankings
        self._sides = sides
        self._numbers: dict[tuple[int, ...], int] = {}  # by the entrants and their places, both by seat
        self._by_sides: dict[Ranking, int] = {}
        self._single_sides: dict[int, Side] = {}

    @property
    def has_sides(self) -> bool:
        """Whether seats win and lose together."""
        return self._sides is not None

    def add(self, result: GameResult) -> None:
        """Add a game."""
        seats = result.seats
        key = (*[seat.entrant for seat in seats], *[seat.place for seat in seats])
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = self._add_ranking(result)
        self.counts[number] += 1
        block = self.blocks.get((result.pairing, result.deal))
        if block is None:
            block = self.blocks[result.pairing, result.deal] = []
        block.append(number)

    def _add_ranking(self, result: GameResult) -> int:
        """Add the ranking of a game, unless there is the same with other seats within the sides; return its number."""
        ranking = self._rank_seats(result) if self._sides is None else self._rank_sides(result, self._sides)
        number = len(self.rankings) if self._sides is None else self._by_sides.setdefault(ranking, len(self.rankings))
        if number == len(self.rankings):
            self.rankings.append(ranking)
            self.counts.append(0)
        return number

    def _rank_seats(self, result: GameResult) -> Ranking:
        alone = self._single_sides
        try:
            return tuple(sorted([(seat.place, alone[seat.entrant], at) for at, seat in enumerate(result.seats)]))
        except KeyError:
            alone.update({seat.entrant: (seat.entrant,) for seat in result.seats})
            return self._rank_seats(result)

    def _rank_sides(self, result: GameResult, sides: Sides) -> Ranking:
        seats = result.seats
        return tuple(
            sorted(
                (seats[side[0]].place, tuple(sorted(seats[seat].entrant for seat in side)), number)
                for number, side in enumerate(sides)
            )
        )


def split_stages(places: Sequence[int], sides: Sequence[int]) -> RankingStages:
    """Return the stages of a ranking, given as places and numbers of sides, best first.

    At each stage at least two sides are left to choose from.
    """
    left = list(accumulate([1 << side for side in reversed(sides)]))  # from the last one on
    if len(set(places)) == len(places):
        return RankingStages(left[1:], [_choice_share(side, 1) for side in sides[:-1]], [])
    apart = RankingStages([], [], [])
    begin = 0
    while begin < len(places) - 1:
        size = places.count(places[begin])
        apart.menus.append(left[-1 - begin])
        apart.chosen.extend([_choice_share(side, size) for side in sides[begin : begin + size]])
        if size > 1:
            apart.ties.append(size)
        begin += size
    return apart


@cache
def _choice_share(side: int, size: int) -> tuple[int, float]:
    """Return a side with its share of a choice of `size` sides: one shared object, as there are many rankings."""
    return side, 1 / size


def list_bits(bits: int) -> tuple[int, ...]:
    """Return the numbers, ascending, whose bits are set."""
    found = []
    while bits:
        last = bits & -bits
        found.append(last.bit_length() - 1)
        bits ^= last
    return tuple(found)


def group_comparable(pairs: Iterable[tuple[Side, Side]], entrants: Iterable[int]) -> list[list[int]]:
    """Return the groups of entrants whose strengths can be compared.

    Each pair of sides that met informs about the difference of their mean strengths. Two entrants can be compared if
    the difference of their strengths is a linear combination of such differences: for single seats, if a chain of games
    connects them; partners who are never separated cannot be compared.
    """
    basis: dict[int, dict[int, Fraction]] = {}
    for one, other in sorted(set(pairs)):
        row = _reduce_row(_difference_row(one, other), basis)
        if row:
            pivot = min(row)
            basis[pivot] = {entrant: value / row[pivot] for entrant, value in row.items()}
    groups: list[list[int]] = []
    for entrant in sorted(entrants):
        home = next(
            (group for group in groups if not _reduce_row(_difference_row((entrant,), (group[0],)), basis)), None
        )
        if home is None:
            groups.append([entrant])
        else:
            home.append(entrant)
    return groups


def _difference_row(one: Side, other: Side) -> dict[int, Fraction]:
    row: dict[int, Fraction] = {}
    for side, sign in ((one, 1), (other, -1)):
        for entrant in side:
            row[entrant] = row.get(entrant, Fraction(0)) + Fraction(sign, len(side))
    return {entrant: value for entrant, value in row.items() if value}


def _reduce_row(row: dict[int, Fraction], basis: dict[int, dict[int, Fraction]]) -> dict[int, Fraction]:
    """Return the remainder of `row` after elimination by the basis; empty for a linear combination of the basis."""
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
