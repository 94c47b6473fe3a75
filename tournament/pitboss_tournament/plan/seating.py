"""Seat designs: in which orders a set of bots plays each deal. The orders of one deal are a block; over it each bot has each seat exactly equally often.

`rotations`: everybody moves on by one seat. Each bot has each seat once, but always the same neighbours: behind a bot that plays into its hands it is better off in every game.
`mirrored`: the rotations, and the same the other way round, so that who sat before a bot sits behind it as often; who sits next to it stays the same.
`all`: all orders, so that each bot has each other one in each distance equally often.

Where seats win and lose together, bots that are partners in one order are so in all of them, and all sides being equally large, each has each seat equally often all the same.
Orders are counted from the bots of a table as they are listed: `order[seat]` is a position among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from math import factorial, prod
from typing import Any, Final, Literal, TypeAlias

from pitboss.errors import ConfigError
from pitboss.game import AnyGame
from pitboss.random_play import choose_from, play_on
from pitboss.table.randomness import Random

MAX_ORDERS: Final = 720  # of six players; a block of seven would be 5,040 games
_MAX_DECISIONS: Final = 100_000  # decisions

Seating: TypeAlias = Literal["rotations", "mirrored", "all"]
Sides: TypeAlias = tuple[tuple[int, ...], ...]  # the seats that win and lose together
Order: TypeAlias = tuple[int, ...]


@lru_cache
def seat_orders(seating: Seating, seats: int, sides: Sides | None = None) -> tuple[Order, ...]:
    """Return the orders of a block. The rotations come first, so that what is played by `rotations` is the beginning of the others."""
    around = _seat_circle(seats, sides)
    found = [
        _order_of_circle(around, [around[(place + step) % seats] for place in range(seats)]) for step in range(seats)
    ]
    if seating == "mirrored":
        found += [
            _order_of_circle(around, [around[(step - place) % seats] for place in range(seats)])
            for step in range(seats)
        ]
    if seating == "all":
        partners = _partner_sets(range(seats), sides)
        found += [order for order in permutations(range(seats)) if _partner_sets(order, sides) == partners]
    return tuple(dict.fromkeys(found))


def count_block_games(seating: Seating, seats: int, sides: Sides | None = None) -> int:
    """Return how many games a block has.

    Raises:
        ConfigError: too many.
    """
    if seating == "all" and (games := _count_orders(seats, sides)) > MAX_ORDERS:
        raise ConfigError(
            f"seating is 'all': with {seats} seats each deal would be played {games:,} times, and {MAX_ORDERS} are allowed"
        )
    return len(seat_orders(seating, seats, sides))


def find_sides(game: AnyGame, seats: int, options: Any) -> Sides | None:  # noqa: ANN401 - the game's own
    """Return the seats of a game that win and lose together, as the end of a game tells; None if each plays for itself, or it cannot be told."""
    if seats < 3:
        return None
    try:
        state = game.deal(seats, options, Random("sides"))
        state.table.stop_logging()
        play_on(state, choose_from(Random("sides/choices")), _MAX_DECISIONS)
        found = state.outcome().sides if state.turn is None else ()
    except Exception:  # noqa: BLE001 - the border to a plugin's code; its errors are reported when it is played
        return None
    return found if 0 < len(found) < seats else None


def _seat_circle(seats: int, sides: Sides | None) -> Sequence[int]:
    """Return the seats as they lie in the circle in which everybody moves on: sides alternate, so that partners stay partners.

    Where sides are not equally large, no design could do that and give each bot each seat: there it is the seats as they are, and partners change.
    """
    if sides is None or len({len(side) for side in sides}) > 1:
        return range(seats)
    return [side[member] for member in range(len(sides[0])) for side in sides]


def _order_of_circle(around: Sequence[int], bots: Sequence[int]) -> Order:
    """Return the order in which the seats of the circle are taken by these bots."""
    taken = dict(zip(around, bots, strict=True))
    return tuple(taken[seat] for seat in sorted(taken))


def _partner_sets(order: Sequence[int], sides: Sides | None) -> frozenset[frozenset[int]]:
    """Return who plays with whom in an order."""
    kept = sides if sides is not None and len({len(side) for side in sides}) == 1 else ()
    return frozenset(frozenset(order[seat] for seat in side) for side in kept)


def _count_orders(seats: int, sides: Sides | None) -> int:
    """Return how many orders there are that keep partners together."""
    if sides is None or len({len(side) for side in sides}) > 1:
        return factorial(seats)
    return factorial(len(sides)) * prod(factorial(len(side)) for side in sides)
