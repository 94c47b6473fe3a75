"""Rankings: games as the order in which their sides ended, a few bytes for each.

A ranking is compared pair by pair: which contender was placed ahead, ties left out. How often each contender was
placed ahead of each other is all that a rating needs of any number of games, in whatever order they came.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, islice, pairwise
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from pitboss.outcome import Sides
from pitboss_tournament.statistics.scoring import GameResult

Side: TypeAlias = tuple[int, ...]  # the entrants that win and lose together, ascending
Contender: TypeAlias = tuple[Side, int]  # a side in its seat, or in its seats by their number
# of a game: bits of the places, from the second on, that tie with the one before; then the contenders, the best first
Ranking: TypeAlias = Sequence[int]
Rational: TypeAlias = int | Fraction  # whole numbers are int, which is much faster
RationalVector: TypeAlias = dict[int, Rational]  # by entrant

PART_NUMBERS: Final = 1 << 20  # of complete blocks, that are kept together
_WIDTHS: Final = "BHI"  # of the numbers of an array, ascending


class UntiedPairs(NamedTuple):
    """What the ties of a ranking leave to compare. Positions in a `Ranking`: 1 is the best contender."""

    places: tuple[int, ...]  # by contender, the best first; the best place is 1
    pairs: tuple[tuple[int, int], ...]  # positions of each two that do not tie, the one ahead first
    squares: float  # sum over the contenders of ((how many are behind - how many are ahead) / 2)²


class RankingTotals(Struct, frozen=True):
    """All that a `RankingCounts` has, except the numbers of its complete blocks."""

    contenders: list[Contender]
    open: list[tuple[tuple[int, int], list[list[int]]]]
    length: int
    packed: int  # how many numbers the complete blocks have


class RankingCounts:
    """The games of a tournament as rankings, by block. Without `sides` each seat plays for itself.

    A block of `block_games` games is complete: its games take a byte or two for each contender, and one more.
    """

    def __init__(self, sides: Sides | None = None, block_games: int | None = None) -> None:
        self.contenders: list[Contender] = []  # by number
        self._sides = sides
        self._block_games = block_games
        self._open: dict[tuple[int, int], list[Ranking]] = {}  # by pairing and deal
        self._complete = array(_WIDTHS[0])  # rankings of equal length, block after block
        self._length = 0  # of each of them
        self._numbers: dict[tuple[int, int] | Contender, int] = {}  # by entrant or side, and seat or number of seats

    @property
    def has_sides(self) -> bool:
        """Whether seats win and lose together."""
        return self._sides is not None

    @property
    def block_count(self) -> int:
        """The number of blocks."""
        return len(self._open) + len(self._complete) // self._complete_size

    def add(self, result: GameResult) -> None:
        """Add a game."""
        ranking = self._rank_seats(result) if self._sides is None else self._rank_sides(result, self._sides)
        key = result.pairing, result.deal
        block = self._open.get(key)
        if block is None:
            block = self._open[key] = []
        block.append(ranking)
        if len(block) == self._block_games:
            self._close_block(key, block)

    @property
    def most_games(self) -> int:
        """The games of the largest block."""
        complete = (self._block_games or 0) if self._complete else 0
        return max([complete, *map(len, self._open.values())])

    @property
    def most_meetings(self) -> int:
        """In how many games of a block the same sides meet, at most; 1 without a game."""
        if self._sides is None:
            return self.most_games or 1
        blocks = islice(self.blocks(), 1) if self._complete else self._open.values()
        sides = (Counter(frozenset(self.contenders[own][0] for own in game[1:]) for game in block) for block in blocks)
        return max((max(met.values()) for met in sides), default=1)

    def blocks(self) -> Iterator[Sequence[Ranking]]:
        """Yield the rankings of each block, of the complete blocks first."""
        size, length = self._complete_size, self._length
        starts = range(0, size, length or 1)
        for first in range(0, len(self._complete), size):
            block = self._complete[first : first + size].tolist()
            yield [block[start : start + length] for start in starts]
        yield from self._open.values()

    def packed_blocks(self, most: int) -> Iterator[tuple[Sequence[int], int, int]]:
        """Yield the complete blocks as their numbers in a row, about `most` at once.

        With them, how many games each block has, and how many numbers each game.
        """
        step = max(1, most // self._complete_size) * self._complete_size
        for start in range(0, len(self._complete), step):
            yield self._complete[start : start + step], self._block_games or 1, self._length

    def loose_blocks(self) -> list[Sequence[Ranking]]:
        """Return the blocks that are not packed."""
        return list(self._open.values())

    def totals(self) -> RankingTotals:
        """Return all but the numbers of the complete blocks, as plain data."""
        opened = [(key, [list(ranking) for ranking in block]) for key, block in self._open.items()]
        return RankingTotals(self.contenders, opened, self._length, len(self._complete))

    def pack_parts(self, first: int = 0) -> Iterator[bytes]:
        """Yield the numbers of the complete blocks in parts, from part `first` on; only the last can still grow."""
        for start in range(first * PART_NUMBERS, len(self._complete), PART_NUMBERS):
            part = self._complete[start : start + PART_NUMBERS]
            yield part.typecode.encode() + part.tobytes()

    def restore(self, totals: RankingTotals, parts: Iterable[bytes]) -> None:
        """Replace all that there is.

        Raises:
            ValueError: the parts are not those of the totals.
        """
        complete = array(_WIDTHS[0])
        for packed in parts:
            part = array(packed[:1].decode("ascii"))
            part.frombytes(packed[1:])
            if part.itemsize > complete.itemsize:
                complete = array(part.typecode, complete)
            complete.extend(part if part.typecode == complete.typecode else array(complete.typecode, part))
        if len(complete) != totals.packed:
            raise ValueError(f"{len(complete)} numbers of rankings; expected {totals.packed}")
        self._complete = complete
        self._length = totals.length
        self._open = {key: list(block) for key, block in totals.open}
        self.contenders = totals.contenders
        self._numbers = {
            ((side[0], at) if self._sides is None else (side, at)): number
            for number, (side, at) in enumerate(totals.contenders)
        }

    @property
    def partners(self) -> list[Side]:
        """The sides of several entrants, if no game has separated the entrants of any side; else none."""
        sides = {side for side, _ in self.contenders}
        is_one_team = self._sides is not None and len(self._sides) == 1  # nobody plays against it
        members = [entrant for side in sides for entrant in side]
        if is_one_team or len(set(members)) < len(members):
            return []
        return sorted(side for side in sides if len(side) > 1)

    def join_partners(self) -> RankingCounts:
        """Return the same rankings with the first entrant alone for each of the `partners`; nothing can be added."""
        if not self.partners:
            return self
        joined = RankingCounts(None, self._block_games)
        joined.contenders = [((side[0],), at) for side, at in self.contenders]
        joined._open, joined._complete, joined._length = self._open, self._complete, self._length
        return joined

    def leave_out(self, pairs: Collection[frozenset[int]]) -> RankingCounts:
        """Return the rankings without the blocks in which two entrants of one of the pairs met."""
        kept = RankingCounts(self._sides, self._block_games)
        kept.contenders, kept._numbers, kept._length = self.contenders, self._numbers, self._length
        sides = [side for side, _ in self.contenders]

        @lru_cache(1 << 16)
        def has_pair(contenders: frozenset[int]) -> bool:
            seated = frozenset(entrant for own in contenders for entrant in sides[own])
            return any(pair <= seated for pair in pairs)

        kept._complete = array(self._complete.typecode)
        size = self._complete_size
        for first in range(0, len(self._complete), size):
            block = self._complete[first : first + size]
            if not has_pair(frozenset(block[1 : self._length])):
                kept._complete.extend(block)
        kept._open = {key: block for key, block in self._open.items() if not has_pair(frozenset(block[0][1:]))}
        return kept

    @property
    def _complete_size(self) -> int:
        """How many numbers a complete block has."""
        return self._length * (self._block_games or 0) or 1

    def _close_block(self, key: tuple[int, int], block: list[Ranking]) -> None:
        """Pack a complete block; one of a damaged store, with tables of several sizes, is left as it is."""
        self._length = self._length or len(block[0])
        if any(len(ranking) != self._length for ranking in block):
            return
        numbers = [number for ranking in block for number in ranking]
        while max(numbers) >= 1 << 8 * self._complete.itemsize:
            self._complete = array(_WIDTHS[_WIDTHS.index(self._complete.typecode) + 1], self._complete)
        self._complete.extend(numbers)
        del self._open[key]

    def _rank_seats(self, result: GameResult) -> Ranking:
        seats, numbers = result.seats, self._numbers
        ties, order = order_places(tuple([seat.place for seat in seats]))
        try:
            return (ties, *[numbers[seats[at].entrant, at] for at in order])
        except KeyError:
            for at, seat in enumerate(seats):
                self._add_contender((seat.entrant, at), ((seat.entrant,), at))
            return self._rank_seats(result)

    def _rank_sides(self, result: GameResult, sides: Sides) -> Ranking:
        ties, order = order_places(tuple([result.seats[side[0]].place for side in sides]))
        contenders = [
            (tuple(sorted([result.seats[seat].entrant for seat in side])), at) for at, side in enumerate(sides)
        ]
        for contender in contenders:
            self._add_contender(contender, contender)
        return (ties, *[self._numbers[contenders[at]] for at in order])

    def _add_contender(self, key: tuple[int, int] | Contender, contender: Contender) -> None:
        if self._numbers.setdefault(key, len(self.contenders)) == len(self.contenders):
            self.contenders.append(contender)


@lru_cache(10_000)
def order_places(places: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """Return which places tie with the one before, as the bits of a `Ranking`, and the positions, the best first."""
    order = tuple(sorted(range(len(places)), key=places.__getitem__))
    ties = sum(1 << number for number, (one, other) in enumerate(pairwise(order)) if places[one] == places[other])
    return ties, order


@lru_cache(10_000)
def list_untied(ties: int, contenders: int) -> UntiedPairs:
    """Return the pairs that a ranking of `contenders` contenders compares; `ties`: as the bits of a `Ranking`."""
    places: list[int] = []
    for number in range(contenders):
        places.append(places[-1] if number and ties >> (number - 1) & 1 else number + 1)
    pairs = [(one, two) for one, two in combinations(range(1, contenders + 1), 2) if places[one - 1] < places[two - 1]]
    balance = [0.0] * (contenders + 1)
    for ahead, behind in pairs:
        balance[ahead] += 0.5
        balance[behind] -= 0.5
    return UntiedPairs(tuple(places), tuple(pairs), sum(value * value for value in balance))


def group_comparable(pairs: Iterable[tuple[Side, Side]], entrants: Iterable[int]) -> list[list[int]]:
    """Return the groups of entrants whose strengths can be compared.

    Each pair of sides that met informs about the difference of their mean strengths. Two entrants can be compared if
    the difference of their strengths is a linear combination of such differences: for single seats, if a chain of games
    connects them; partners who are never separated cannot be compared.
    """
    group = {entrant: [entrant] for entrant in sorted(entrants)}
    distinct = set[tuple[Side, Side]]()  # of single bots only those that join two groups
    for pair in pairs:
        if len(pair[0]) > 1 or len(pair[1]) > 1:
            distinct.add(pair)
        elif group[pair[0][0]] is not group[pair[1][0]]:
            distinct.add(pair)
            _join_groups(group, pair[0][0], pair[1][0])
    if all(len(one) == len(other) == 1 for one, other in distinct):
        return [sorted(members) for entrant, members in group.items() if entrant == min(members)]
    basis: dict[int, RationalVector] = {}  # by pivot, which is 1 in its row and occurs in no other
    for one, other in sorted(distinct):
        row = _reduce_row(_difference_row(one, other), basis)
        if row:
            pivot = min(row)
            row = {entrant: _divide(value, row[pivot]) for entrant, value in row.items()}
            basis = {place: _subtract_row(known, known.get(pivot), row) for place, known in basis.items()}
            basis[pivot] = row
    groups: dict[frozenset[tuple[int, Rational]], list[int]] = {}
    for entrant in group:
        rest = _reduce_row({entrant: 1}, basis)
        groups.setdefault(frozenset(rest.items()), []).append(entrant)
    return list(groups.values())


def _join_groups(group: dict[int, list[int]], one: int, other: int) -> None:
    """Make one group of those of two entrants."""
    small, large = sorted((group[one], group[other]), key=len)
    large.extend(small)
    group.update(dict.fromkeys(small, large))


def _difference_row(one: Side, other: Side) -> RationalVector:
    return _subtract_row(dict.fromkeys(one, _divide(1, len(one))), 1, dict.fromkeys(other, _divide(1, len(other))))


def _divide(value: Rational, divisor: Rational) -> Rational:
    quotient = Fraction(value) / divisor
    return quotient.numerator if quotient.denominator == 1 else quotient


def _reduce_row(row: RationalVector, basis: dict[int, RationalVector]) -> RationalVector:
    """Return the remainder of `row` after elimination by the basis; empty for a linear combination of the basis."""
    for pivot in row.keys() & basis.keys():
        row = _subtract_row(row, row[pivot], basis[pivot])
    return row


def _subtract_row(row: RationalVector, factor: Rational | None, other: RationalVector) -> RationalVector:
    """Return `row` minus `factor` times `other`; `row` unchanged if there is no factor."""
    if factor is None:
        return row
    less = {entrant: row.get(entrant, 0) - factor * value for entrant, value in other.items()}
    return {entrant: value for entrant, value in {**row, **less}.items() if value}
