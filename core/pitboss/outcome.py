"""The outcome of a game: points, places with ties, and the sides that play together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, TypeVar

from msgspec import Struct

Sides: TypeAlias = tuple[tuple[int, ...], ...]  # the seats that win and lose together

T = TypeVar("T")


class Outcome(Struct, frozen=True):
    """How a game ended.

    `points[seat]` is what the game itself counts (more or less may be better: the places tell); `places[seat]` is 1 for
    the best, equal places are shared ("1224"); `sides` are the groups of seats that win and lose together, a seat alone
    being a side of one.
    """

    points: tuple[float, ...]
    places: tuple[int, ...]
    sides: Sides

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in first place."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)

    def win_shares(self) -> tuple[float, ...]:
        """Return, by seat, 1 divided by the number of sides in first place; 0.0 for seats of other sides."""
        first = [side for side in self.sides if self.places[side[0]] == 1]
        return tuple(1 / len(first) if place == 1 else 0.0 for place in self.places)

    def signed_points(self) -> tuple[float, ...]:
        """Return the points so that more is better: negated where the last has more than the first."""
        first, last = self.places.index(1), self.places.index(max(self.places))
        return self.points if self.points[first] >= self.points[last] else tuple(-point for point in self.points)


def solo_sides(seats: int) -> Sides:
    """Return the sides of a game in which each seat plays for itself."""
    return tuple((seat,) for seat in range(seats))


def competition_places(totals: Sequence[float], *, lowest_wins: bool = False) -> tuple[int, ...]:
    """Return standard competition places ("1224") for totals, the highest first unless `lowest_wins`."""
    best_first = sorted(totals, reverse=not lowest_wins)
    return tuple(best_first.index(total) + 1 for total in totals)


def outcome_by_side(side_totals: Sequence[float], sides: Sides | None = None, *, lowest_wins: bool = False) -> Outcome:
    """Return the outcome in which each seat has its side's total and its side's place.

    Without `sides` each seat plays for itself.
    """
    sides = solo_sides(len(side_totals)) if sides is None else sides
    side_places = competition_places(side_totals, lowest_wins=lowest_wins)
    points = spread_over_sides([float(total) for total in side_totals], sides)
    return Outcome(points=points, places=spread_over_sides(side_places, sides), sides=sides)


def spread_over_sides(values: Sequence[T], sides: Sequence[Sequence[int]]) -> tuple[T, ...]:
    """Return by seat the value of its side."""
    side_of = {seat: number for number, side in enumerate(sides) for seat in side}
    return tuple([values[side_of[seat]] for seat in range(len(side_of))])
