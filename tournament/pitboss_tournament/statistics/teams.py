"""Teams: the bots of a table in a cooperative game, where all seats are one side, and what each team has scored.

Nobody is placed before anybody there, so that no bot can be rated by its places. What tells teams apart is their points
on the same deals, by the tests of `point_differences`.

Bots are compared by the points of their teams on the same deals. Two bots are never opponents there. What tells them
apart are the teams with the one and without the other: on each deal the mean of their points is compared with that of
the teams with the other and without the one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from pitboss.plugins.formats import PlayedBlock
from pitboss_tournament.statistics.blocks import complete_blocks
from pitboss_tournament.statistics.pair_tests import prove_pairs
from pitboss_tournament.statistics.point_counts import PointCounts
from pitboss_tournament.statistics.point_differences import PointDifferences, fit_points
from pitboss_tournament.statistics.proven_ranks import ProvenRanks, close_proofs
from pitboss_tournament.statistics.running_moments import Estimate, gather_moments
from pitboss_tournament.statistics.scoring import GameResult


class TeamStanding(Struct, frozen=True, kw_only=True):
    """The bots of a table that play together, and their points."""

    bots: Annotated[tuple[str, ...], Meta(description="In the order in which they entered.")]
    blocks: Annotated[int, Meta(description="Complete ones: deals in all their rotations.")]
    points: Annotated[Estimate, Meta(description="A game.")]
    behind: Annotated[
        Estimate | None,
        Meta(
            description="The first team, in points on the deals that both have played; null: it is the first, or no "
            "deals are the same."
        ),
    ]

    @property
    def name(self) -> str:
        """What the team is called."""
        return " + ".join(self.bots)


class TeamScores:
    """The points of the teams of a cooperative game, deal by deal; only of those with a complete block."""

    def __init__(
        self, results: Iterable[GameResult], block_games: int | None = None, *, has_same_deals: bool = False
    ) -> None:
        """Score the complete blocks of some games.

        `has_same_deals`: all teams play the same deals, and are compared by differences on these; else by their means.
        """
        self._scored: dict[tuple[int, ...], dict[tuple[int, int], float]] = {}  # by team, by pairing and deal
        self._has_same_deals = has_same_deals
        for block in complete_blocks(results, block_games):
            first = block[0]
            team = tuple(sorted(seat.entrant for seat in first.seats))
            points = sum(result.seats[0].points for result in block) / len(block)
            self._scored.setdefault(team, {})[0 if has_same_deals else first.pairing, first.deal] = points
        self._ranking = sorted(self._scored, key=lambda team: (-_find_mean(self._scored[team]), team))

    def list_standings(self, names: Sequence[str], *, anytime: bool = False) -> list[TeamStanding]:
        """Return the teams, most points first, by the names of their bots."""
        scored = [self._scored[team] for team in self._ranking]
        return [
            TeamStanding(
                bots=tuple(names[bot] for bot in team),
                blocks=len(own),
                points=_estimate(own.values(), anytime=anytime),
                behind=_estimate_gap(scored[0], own, anytime=anytime) if number else None,
            )
            for number, (team, own) in enumerate(zip(self._ranking, scored, strict=True))
        ]

    def prove_ranks(self, *, anytime: bool) -> ProvenRanks:
        """Return which teams differ, numbered as `list_standings` has them; all at once with 95 %.

        By their differences on the deals that two have played, or, where each has deals of its own, by points.
        """
        count = len(self._ranking)
        points = fit_teams([self._scored[team] for team in self._ranking], has_same_deals=self._has_same_deals)
        tests = points.pair_tests(range(count), anytime=anytime)
        proofs = prove_pairs(tests, max(1, count * (count - 1) // 2), anytime)
        return ProvenRanks(
            range(count),
            close_proofs(count, proofs.pairs),
            anytime=anytime,
            basis="same deals" if self._has_same_deals else "points",
            least_proof=proofs.least,
        )


def fit_teams(scored: Sequence[Mapping[tuple[int, int], float]], *, has_same_deals: bool) -> PointDifferences:
    """Return the differences of teams, by their points on deals; teams are numbered by their positions."""
    deals = defaultdict[tuple[int, int], dict[int, float]](dict)
    counts = PointCounts()
    for team, own in enumerate(scored):
        for deal, points in own.items():
            if has_same_deals:
                deals[deal][team] = points
            else:
                counts.add({team: points})
    counts.add_all(deals.values())
    return PointDifferences(fit_points(counts, has_blocks=has_same_deals))


def _find_mean(points: Mapping[tuple[int, int], float]) -> float:
    return sum(points.values()) / len(points)


def _estimate(values: Iterable[float], *, anytime: bool) -> Estimate:
    return gather_moments(values).estimate(anytime=anytime)


def _list_gaps(one: Mapping[tuple[int, int], float], other: Mapping[tuple[int, int], float]) -> list[float]:
    """Return how many points more the first has made on each deal that both have played."""
    return [points - other[deal] for deal, points in one.items() if deal in other]


def _estimate_gap(
    first: Mapping[tuple[int, int], float], team: Mapping[tuple[int, int], float], *, anytime: bool
) -> Estimate | None:
    gaps = _list_gaps(first, team)
    return _estimate(gaps, anytime=anytime) if gaps else None


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
