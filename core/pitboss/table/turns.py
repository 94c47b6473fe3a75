"""Turns: the seat that has to decide, and the circle of seats round the table."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple


class Turn(NamedTuple):
    """The seat that has to decide, and the phase of the game that the decision belongs to."""

    seat: int
    phase: str


class Seating(NamedTuple):
    """The seats in clockwise order, and the direction of play (1 clockwise, -1 counterclockwise). Immutable."""

    order: tuple[int, ...]
    direction: int = 1

    @staticmethod
    @lru_cache
    def clockwise(seats: int) -> Seating:
        """Return the seating 0, 1, … with play going clockwise."""
        return Seating(tuple(range(seats)))

    def seat_after(self, seat: int, steps: int = 1) -> int:
        """Return the seat `steps` places further in the direction of play; negative counts backwards."""
        order = self.order
        return order[(order.index(seat) + steps * self.direction) % len(order)]

    def seats_from_left_of(self, seat: int) -> tuple[int, ...]:
        """Return all seats in the direction of play, from the next one round to `seat` itself."""
        order = self.order[:: self.direction]
        at = order.index(seat) + 1
        return order[at:] + order[:at]

    @lru_cache(maxsize=1 << 10)  # noqa: B019 - it keeps no more than 1024 small tuples
    def orders_from_left(self) -> tuple[tuple[int, ...], ...]:
        """Return `seats_from_left_of(seat)` for every seat, indexed by seat (cached)."""
        return tuple(map(self.seats_from_left_of, range(len(self.order))))

    def reverse_direction(self) -> Seating:
        """Return the seating with the opposite direction of play."""
        return Seating(self.order, -self.direction)

    def move_seat(self, seat: int, places: int) -> Seating:
        """Return the seating with `seat` moved past `places` others in the direction of play, at most past all."""
        rest = [other for other in self.order if other != seat]
        if places < 1 or not rest:
            return self
        ahead = self.seat_after(seat, min(places, len(rest)))
        at = rest.index(ahead) + (1 if self.direction > 0 else 0)
        order = (*rest[:at], seat, *rest[at:])
        first = order.index(self.order[0])
        return Seating(order[first:] + order[:first], self.direction)
