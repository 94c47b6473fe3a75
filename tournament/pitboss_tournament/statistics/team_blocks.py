"""Bots of a cooperative game, compared by the points of their teams on the same deals.

Two bots are never opponents there. What tells them apart are the teams with the one and without the other: on each deal
the mean of their points is compared with that of the teams with the other and without the one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from pitboss.plugins.formats import PlayedBlock


class TeamBlocks:
    """The points of teams by deal; each comparison of two bots is told as soon as a deal has what it takes."""

    def __init__(self, tables: Iterable[Iterable[int]], span: float) -> None:
        """Begin with no games of these tables. `span`: the most by which the points of two teams can differ."""
        self._teams = [*dict.fromkeys(map(frozenset, tables))]
        self._span = span
        self._points = defaultdict[int, dict[frozenset[int], float]](dict)  # by deal, then team
        self._needed: dict[tuple[int, int], tuple[list[frozenset[int]], list[frozenset[int]]]] = {}

    def add(self, team: Iterable[int], deal: int, points: float) -> Iterator[PlayedBlock]:
        """Add what a team has made of a deal; yield a block for each two bots that can be compared on it now.

        The scores of a block are the mean points with either bot as a share of the span.
        """
        played, own = self._points[deal], frozenset(team)
        played[own] = points
        others = {bot for other in self._teams for bot in other} - own
        for one in sorted(own):
            for other in sorted(others):
                with_one, with_other = self._find_teams(one, other)
                if with_other and all(one_team in played for one_team in (*with_one, *with_other)):
                    yield PlayedBlock(
                        place_scores={
                            bot: sum(played[one_team] for one_team in teams) / len(teams) / self._span
                            for bot, teams in ((one, with_one), (other, with_other))
                        },
                        points={},
                    )

    def _find_teams(self, one: int, other: int) -> tuple[list[frozenset[int]], list[frozenset[int]]]:
        """Return the teams with one bot alone of two, and those with the other alone."""
        if (one, other) not in self._needed:
            teams = [team for team in self._teams if (one in team) != (other in team)]
            self._needed[one, other] = (
                [team for team in teams if one in team],
                [team for team in teams if other in team],
            )
        return self._needed[one, other]


def team_points(block: PlayedBlock) -> float:
    """Return the points of a team in a block; those of a seat that forfeited, if one did."""
    return min(block.points.values())
