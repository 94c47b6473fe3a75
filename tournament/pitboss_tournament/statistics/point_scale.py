"""Differences between two bots in rating points, as differences of place scores at their table.

The place score is the share of the opposing sides that finished behind, ties counting half. At a table of two sides
without ties a lead of r points is an expected score of 1 / (1 + 10^(-r/400)), as in the logistic model of chess (Elo
1978), and the difference of the two scores is 2 · score - 1. A tie makes no difference, so that the difference shrinks
with the share of places that tie. Unequal seats shrink it too: what a seat decides, the bot does not. At larger tables
the strength of the others matters: they are taken to lie midway between the two, so that each of the two has half of
the lead over or behind each of the others. In a side of m members that are otherwise alike the lead counts 1 / m, as
ratings take the mean of the members.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import tanh
from statistics import fmean
from typing import NamedTuple, Self

from pitboss.outcome import Sides
from pitboss_tournament.statistics.ratings import POINTS_PER_LOG_UNIT


class PointScale(NamedTuple):
    """The scale of a table."""

    sides: int  # that play against each other
    members: float = 1.0  # of a side
    untied: float = 1.0  # share of the places of two sides that differ
    seats: tuple[float, ...] = ()  # by seat, or set of seats that play together: its points; none: all equal

    @classmethod
    def of_table(cls, seats: int, sides: Sides | None, untied: float = 1.0, strengths: Sequence[float] = ()) -> Self:
        """Return the scale of a table with these sides, by default each seat for itself."""
        count, members = (seats, 1.0) if sides is None else (len(sides), seats / len(sides))
        return cls(count, members, untied, tuple(strengths))

    def to_score(self, points: float) -> float:
        """Return the expected difference of place scores, between -1 and 1, of two bots `points` apart."""
        lead = points / POINTS_PER_LOG_UNIT / self.members
        others = self.sides - 2
        return self.untied * (self._balance(lead) + others * self._balance(lead / 2)) / (self.sides - 1)

    def _balance(self, lead: float) -> float:
        """Return the chance to be ahead less that to be behind with a lead in log strength, over all seats."""
        strengths = [points / POINTS_PER_LOG_UNIT for points in self.seats] or [0.0, 0.0]
        return fmean(tanh((lead + one - other) / 2) for one, other in permutations(strengths, 2))  # 2 / (1 + e^-x) - 1
