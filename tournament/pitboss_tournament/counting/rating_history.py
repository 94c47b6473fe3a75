"""Ratings over the time of a tournament: those by its first games, in the order of the schedule."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Final, NamedTuple

from msgspec import Struct

from pitboss_tournament.statistics.ratings import Ratings, widen_intervals
from pitboss_tournament.statistics.running_moments import Estimate

MOMENTS: Final = 8  # at which ratings are noted, evenly spread over the games
MOMENTS_OF_MANY: Final = 4  # the same for a large field, whose fit takes most of a second
MANY_BOTS: Final = 200  # and more are a large field


class RatedMoment(NamedTuple):
    """The rating of a bot by the first games of a tournament."""

    games: int
    rating: Estimate  # its half-width is that of a comparison interval that holds at any time


class NotedRatings(Struct, frozen=True):
    """The ratings by the first games of a tournament, as far as a history shows them."""

    games: int
    are_comparable: bool  # all bots that had played
    ratings: dict[int, Estimate]  # by bot; without those that had none


class RatingHistory:
    """The ratings after each eighth of the games; of a large field after each quarter."""

    def __init__(self, games: int, bots: int = 0) -> None:
        """Begin with no ratings, for a tournament with these numbers of games and bots."""
        moments = MOMENTS_OF_MANY if bots >= MANY_BOTS else MOMENTS
        self.due = frozenset(games * number // moments for number in range(1, moments + 1)) - {0}
        self.noted: list[NotedRatings] = []

    def add(self, games: int, ratings: Ratings) -> None:
        """Note the ratings by the first games."""
        lines = widen_intervals(ratings).lines
        known = {
            line.entrant: Estimate(line.points.mean, line.comparison) for line in lines if line.points.mean is not None
        }
        self.noted.append(NotedRatings(games, ratings.group_count == 1, known))

    def list_moments(self, entrant: int, zero: Sequence[int]) -> list[RatedMoment]:
        """Return the ratings of a bot in which the mean of the entrants `zero` is 0.

        Moments at which some bots could not be compared, or had not played, are left out.
        """
        moments = []
        for noted in self.noted:
            found = [noted.ratings.get(one) for one in (entrant, *zero)]
            known = [one.mean for one in found if one is not None and one.mean is not None]
            own = found[0]
            if noted.are_comparable and own is not None and len(known) == len(found):
                mean = known[0] - fmean(known[1:])
                moments.append(RatedMoment(noted.games, Estimate(mean, own.half_width)))
        return moments
