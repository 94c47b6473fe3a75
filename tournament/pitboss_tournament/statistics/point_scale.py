"""Differences between two bots in rating points, as differences of place scores at their table, and back.

The place score is the share of the opposing sides that finished behind, ties counting half. At a table of two sides a
lead of r points is an expected score of 1 / (1 + 10^(-r/400)), as in the logistic model of chess (Elo 1978), and the
difference of the two scores is 2 · score - 1. At larger tables the strength of the others matters too: they are taken
to lie midway between the two, so that each of the two has half of the lead over or behind each of the others. In a side
of m members that are otherwise alike the lead counts 1 / m, as ratings take the mean of the members.
"""

from __future__ import annotations

from math import inf, tanh
from typing import Final, NamedTuple, Self

from pitboss_tournament.plan.seating import Sides
from pitboss_tournament.statistics.ratings import POINTS_PER_LOG_UNIT

MOST_POINTS: Final = 4_000.0  # beyond, the difference of the scores is 1 in all digits that count


class PointScale(NamedTuple):
    """The scale of a table."""

    sides: int  # that play against each other
    members: float = 1.0  # of a side

    @classmethod
    def of_table(cls, seats: int, sides: Sides | None) -> Self:
        """Return the scale of a table with these sides, by default each seat for itself."""
        return cls(seats) if sides is None else cls(len(sides), seats / len(sides))

    def to_score(self, points: float) -> float:
        """Return the expected difference of place scores, between -1 and 1, of two bots `points` apart."""
        lead = points / POINTS_PER_LOG_UNIT / self.members
        others = self.sides - 2
        return (tanh(lead / 2) + others * tanh(lead / 4)) / (self.sides - 1)  # tanh(x / 2) = 2 / (1 + e^-x) - 1

    def to_points(self, score: float) -> float:
        """Return the rating points of a difference of place scores; infinite at the ends of the range."""
        low, high = -MOST_POINTS, MOST_POINTS
        if not self.to_score(low) < score < self.to_score(high):
            return inf if score > 0 else -inf
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self.to_score(middle) < score else (low, middle)
        return (low + high) / 2
