"""Ratings over the time of a tournament: those by its first games, in the order of the schedule."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Final, NamedTuple

from pitboss_tournament.statistics.ratings import Ratings, widen_intervals
from pitboss_tournament.statistics.running_moments import Estimate

MOMENTS: Final = 8  # at which ratings are noted, evenly spread over the games


class RatedMoment(NamedTuple):
    """The rating of a bot by the first games of a tournament."""

    games: int
    rating: Estimate  # its half-width is that of a comparison interval that holds at any time


class RatingHistory:
    """The ratings after each eighth of the games."""

    def __init__(self, games: int) -> None:
        """Begin with no ratings, for a tournament of so many games."""
        self.due = frozenset(games * number // MOMENTS for number in range(1, MOMENTS + 1)) - {0}
        self._noted: list[tuple[int, Ratings]] = []

    def add(self, games: int, ratings: Ratings) -> None:
        """Note the ratings by the first games."""
        self._noted.append((games, widen_intervals(ratings)))

    def list_moments(self, entrant: int, zero: Sequence[int]) -> list[RatedMoment]:
        """Return the ratings of a bot in which the mean of the entrants `zero` is 0.

        Moments at which some bots could not be compared, or had not played, are left out.
        """
        moments = []
        for games, ratings in self._noted:
            means = [ratings.rating_of(one).points.mean for one in (entrant, *zero)]
            known = [mean for mean in means if mean is not None]
            if ratings.group_count == 1 and len(known) == len(means):
                half_width = ratings.rating_of(entrant).comparison
                moments.append(RatedMoment(games, Estimate(known[0] - fmean(known[1:]), half_width)))
        return moments
