"""Seat designs: the seat orders in which the bots of a table play each deal.

The orders of one deal form a block; over a block every bot sits in every seat equally often. A *circle* is the order of
the bots around the table, whoever sits in the first seat: it says who acts after whom. A block has the rotations of a
circle, so it keeps each bot's neighbours.

`balanced`: each deal has the rotations of another circle. `Circles` has their sequence.
`rotations`: all deals have the rotations of one circle. A bot seated after a weak player keeps that advantage.
`mirrored`: the rotations of one circle and of its mirror image; left and right neighbours are exchanged.
`all`: every order; every pair of bots has every distance equally often.
`partners`: every way to form sides, each in the rotations of a circle, which is another one for each deal: each bot is
everybody's partner equally often.

In the other designs partners stay partners; sides of equal size still give every bot every seat equally often.
Orders count from the bots of a table as they are listed: `order[seat]` is a position among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, islice, permutations
from math import factorial, prod
from typing import Final, Literal, TypeAlias

from pitboss.errors import ConfigError
from pitboss.outcome import Sides

MAX_ORDERS: Final = 720  # of six players; a block of seven would be 5,040 games
CIRCLE_CHOICE: Final = (
    360  # circles among which the next one is chosen: all those of seven players, mirror images aside
)
STRIDE: Final = 2**61 - 1  # a prime greater than any number of players: its multiples meet every rank of a circle
MIXERS: Final = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9)  # odd, of splitmix64 (Steele, Lea and Flood 2014)

Seating: TypeAlias = Literal["balanced", "rotations", "mirrored", "all", "partners"]
Order: TypeAlias = tuple[int, ...]
Circle: TypeAlias = tuple[int, ...]  # numbers of the bots in the order of play, from bot 0 on


class SeatDesign:
    """The seat orders in which the bots of a table play each deal."""

    def __init__(self, seating: Seating, seats: int, sides: Sides | None = None, fixed_circles: bool = False) -> None:
        """Find the orders of a table.

        `fixed_circles`: `partners` has the same circles in each deal, as in an earlier Pitboss.
        """
        self.seats = seats
        self._around = _seat_circle(seats, sides)
        self._ways = [self._around, *(_iter_other_circles(seats, sides) if seating == "partners" else ())]
        self._circles = _find_circles(seats, len(_even_sides(sides)) or seats)
        varies = seating == "balanced" or (seating == "partners" and not fixed_circles)
        self.period = self._circles.count if varies else 1  # deals of a table after which the orders come again
        self._fixed_orders = seat_orders(seating, seats, sides)
        self.block_games = len(self._fixed_orders)
        every_order = seats * len(self._ways) * self._circles.count
        self.keeps_neighbours = self.period == 1 and self.block_games < every_order  # a table has them in all its deals
        run = 1 if self.period == 1 else seats
        self.runs = tuple([range(first, first + run) for first in range(0, self.block_games, run)])
        self._orders_of_circle = lru_cache(self._build_orders)

    def list_orders(self, table: int, deal: int) -> tuple[Order, ...]:
        """Return the orders in which a table plays one of its deals.

        `table` is the table's number: the circles of tables differ, so that tables with few deals, too, are balanced
        over all of them. In the orders of one of `runs` each bot sits in each seat once at most.
        """
        if self.period == 1:
            return self._fixed_orders
        return self._orders_of_circle(_mix(table) % self.period, deal % self.period)

    def _build_orders(self, renaming: int, number: int) -> tuple[Order, ...]:
        names = self._circles.unrank(renaming)
        circle = [names[bot] for bot in self._circles.find(number)]
        turned = [[way[place] for place in circle] for way in self._ways]
        return tuple([order for bots in turned for order in _list_rotations(self._around, bots)])


class Circles:
    """The circles of the bots of a table that keep partners together, each once, in a balanced order.

    Each circle is followed by its mirror image. Of the next `CIRCLE_CHOICE` circles that one comes next which makes
    neighbours of those who have been neighbours least often; among equal ones the same is asked of those two seats
    apart, and so on. After (n - 1)! deals of n bots all circles have occurred. Bots have each neighbour equally often
    after 2 deals of three bots, 6 of four, 4 of five, 10 of six and 6 of seven. Circles are computed when asked for.
    """

    def __init__(self, seats: int, sides: int) -> None:
        """Begin for a table whose seats belong to that many sides in turn."""
        self._seats = seats
        self._sides = sides
        members = seats // sides
        self._radices = [factorial(sides - 1), factorial(members - 1), *[factorial(members)] * (sides - 1)]
        self.count = prod(self._radices)
        self._known: list[Circle] = []
        self._rest = self._iter_balanced()

    def find(self, number: int) -> Circle:
        """Return the circle of this number in the sequence, less than `count`."""
        self._known += islice(self._rest, max(0, number + 1 - len(self._known)))
        return self._known[number]

    def unrank(self, rank: int) -> Circle:
        """Return the circle of a rank; that of 0 has the bots as they are listed."""
        digits = []
        for radix in self._radices:
            rank, digit = divmod(rank, radix)
            digits.append(digit)
        members = self._seats // self._sides
        order = (0, *_unrank_permutation(digits[0], range(1, self._sides)))
        of_side = [(0, *_unrank_permutation(digits[1], range(1, members)))]
        of_side += [_unrank_permutation(digit, range(members)) for digit in digits[2:]]
        return tuple([of_side[side][member] * self._sides + side for member in range(members) for side in order])

    def _iter_balanced(self) -> Iterator[Circle]:
        ranked = (self.unrank(number * STRIDE % self.count) for number in range(self.count))
        source = (circle for circle in ranked if circle[1] <= circle[-1])  # one of each pair of mirror images
        candidates = list(islice(source, CIRCLE_CHOICE))
        met = [Counter[frozenset[int]]() for _ in range(self._seats // 2)]  # pairs, by how many seats they are apart
        while candidates:
            chosen = candidates.pop(self._choose_least_met(candidates, met))
            candidates += islice(source, 1)
            for distance, counts in enumerate(met, 1):
                counts.update(_list_pairs(chosen, distance))
            yield chosen
            if self._seats > 2:
                yield (chosen[0], *chosen[:0:-1])

    def _choose_least_met(self, candidates: Sequence[Circle], met: Sequence[Counter[frozenset[int]]]) -> int:
        best = list(range(len(candidates)))
        for distance, counts in enumerate(met, 1):
            sums = [sum([counts[pair] for pair in _list_pairs(candidates[at], distance)]) for at in best]
            best = [at for at, count in zip(best, sums, strict=True) if count == min(sums)]
            if len(best) == 1:
                break
        return best[0]


find_design = lru_cache(SeatDesign)
_find_circles = cache(Circles)


@lru_cache
def seat_orders(seating: Seating, seats: int, sides: Sides | None = None) -> tuple[Order, ...]:
    """Return the orders of the first block of a table. The rotations come first in every design."""
    around = _seat_circle(seats, sides)
    circles = [around, *(_iter_other_circles(seats, sides) if seating == "partners" else ())]
    directions = (1, -1) if seating == "mirrored" else (1,)
    orders = [
        order for circle in circles for direction in directions for order in _list_rotations(around, circle, direction)
    ]
    if seating == "all":
        partners = _partner_sets(range(seats), sides)
        orders += [order for order in permutations(range(seats)) if _partner_sets(order, sides) == partners]
    return tuple(dict.fromkeys(orders))


def count_block_games(seating: Seating, seats: int, sides: Sides | None = None) -> int:
    """Return the number of games in a block.

    Raises:
        ConfigError: the block has more than MAX_ORDERS games, or partners are to change where nobody has one.
    """
    if seating == "partners" and len(_even_sides(sides)) < 2:
        raise ConfigError("seating is 'partners', and here are no sides of equal size whose partners could change")
    every_order = _count_orders(seats, sides)
    games = every_order if seating == "all" else seats * factorial(seats) // every_order if seating == "partners" else 0
    if games > MAX_ORDERS:
        raise ConfigError(
            f"seating is {seating!r}: with {seats} seats each deal would be played {games:,} times, "
            f"and {MAX_ORDERS} are allowed"
        )
    return len(seat_orders(seating, seats, sides))


def check_seat_number(seat: int | None, seats: int) -> None:
    """Check that a seat, if one is named, is at the table.

    Raises:
        ConfigError: it is not.
    """
    if seat is not None and seat >= seats:
        raise ConfigError(f"seat {seat} is not at the table; the seats are 0 to {seats - 1}")


def _even_sides(sides: Sides | None) -> Sides:
    """Return sides of equal size; none of unequal ones: no design could keep partners and give each bot each seat."""
    return sides if sides is not None and len({len(side) for side in sides}) == 1 else ()


def _seat_circle(seats: int, sides: Sides | None) -> Sequence[int]:
    """Return the seats in rotation order. Sides of equal size alternate, so that rotation keeps partners together."""
    even = _even_sides(sides)
    return [side[member] for member in range(len(even[0])) for side in even] if even else range(seats)


def _iter_other_circles(seats: int, sides: Sides | None) -> Iterator[Sequence[int]]:
    """Yield bots in rotation order: once for each way to form sides but that of `_seat_circle`."""
    even = _even_sides(sides)
    for groups in _iter_groups(range(seats), len(even[0])):
        if set(groups) != {tuple(sorted(side)) for side in even}:
            yield [group[member] for member in range(len(even[0])) for group in groups]


def _iter_groups(bots: Sequence[int], size: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield every way to part ascending bots into groups of a size."""
    if not bots:
        yield ()
        return
    for others in combinations(bots[1:], size - 1):
        left = [bot for bot in bots[1:] if bot not in others]
        for groups in _iter_groups(left, size):
            yield ((bots[0], *others), *groups)


def _list_rotations(around: Sequence[int], bots: Sequence[int], direction: int = 1) -> list[Order]:
    """Return the orders in which these bots, in this direction, have the seats that lie `around` the table."""
    places = sorted(range(len(around)), key=around.__getitem__)
    return [tuple([bots[(step + direction * place) % len(bots)] for place in places]) for step in range(len(bots))]


def _partner_sets(order: Sequence[int], sides: Sides | None) -> frozenset[frozenset[int]]:
    """Return the sets of partners in an order."""
    return frozenset(frozenset(order[seat] for seat in side) for side in _even_sides(sides))


def _count_orders(seats: int, sides: Sides | None) -> int:
    """Return the number of orders that keep partners together."""
    even = _even_sides(sides)
    return factorial(len(even)) * prod(factorial(len(side)) for side in even) if even else factorial(seats)


def _unrank_permutation(rank: int, things: Sequence[int]) -> tuple[int, ...]:
    """Return the permutation of this rank; that of 0 has the things in their order."""
    left, found = list(things), []
    for after in range(len(left) - 1, -1, -1):
        place, rank = divmod(rank, factorial(after))
        found.append(left.pop(place))
    return tuple(found)


def _mix(number: int) -> int:
    """Return a number whose every bit depends on all bits of another; 0 for 0."""
    for mixer in MIXERS:
        number = number * mixer % 2**64
        number ^= number >> 29
    return number


def _list_pairs(circle: Circle, distance: int) -> list[frozenset[int]]:
    """Return the pairs of bots that sit this many seats apart."""
    return [frozenset(pair) for pair in zip(circle, circle[distance:] + circle[:distance], strict=True)]
