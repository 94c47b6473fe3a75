"""Seat designs: the seat orders in which the bots of a table play one deal.

The orders of one deal form a block; over a block every bot sits in every seat equally often.

`rotations`: everybody moves one seat. Neighbours stay the same, so a bot seated after a weak player keeps that
advantage in every game.
`mirrored`: rotations and their mirror images; left and right neighbours are exchanged.
`all`: every order; every pair of bots has every distance equally often.
`partners`: the rotations of every way to form sides: each bot is everybody's partner equally often.

In the other designs partners stay partners; sides of equal size still give every bot every seat equally often.
Orders count from the bots of a table as they are listed: `order[seat]` is a position among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, permutations
from math import factorial, prod
from typing import Final, Literal, TypeAlias

from pitboss.errors import ConfigError
from pitboss.outcome import Sides

MAX_ORDERS: Final = 720  # of six players; a block of seven would be 5,040 games

Seating: TypeAlias = Literal["rotations", "mirrored", "all", "partners"]
Order: TypeAlias = tuple[int, ...]


@lru_cache
def seat_orders(seating: Seating, seats: int, sides: Sides | None = None) -> tuple[Order, ...]:
    """Return the orders of a block. The rotations come first, so that they begin the blocks of every design."""
    around = _seat_circle(seats, sides)
    circles = [around, *(_iter_other_circles(seats, sides) if seating == "partners" else ())]
    directions = (1, -1) if seating == "mirrored" else (1,)
    orders = [
        _order_of_circle(around, [circle[(step + direction * place) % seats] for place in range(seats)])
        for circle in circles
        for direction in directions
        for step in range(seats)
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


def _order_of_circle(around: Sequence[int], bots: Sequence[int]) -> Order:
    """Return the order in which these bots take the seats of the circle."""
    taken = dict(zip(around, bots, strict=True))
    return tuple(taken[seat] for seat in sorted(taken))


def _partner_sets(order: Sequence[int], sides: Sides | None) -> frozenset[frozenset[int]]:
    """Return the sets of partners in an order."""
    return frozenset(frozenset(order[seat] for seat in side) for side in _even_sides(sides))


def _count_orders(seats: int, sides: Sides | None) -> int:
    """Return the number of orders that keep partners together."""
    even = _even_sides(sides)
    return factorial(len(even)) * prod(factorial(len(side)) for side in even) if even else factorial(seats)
