"""Team table: the points of each team of a cooperative game, as lines of text for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss_tournament.results.numbers import UNKNOWN, format_interval
from pitboss_tournament.statistics.teams import TeamStanding
from pitboss_tournament.text.columns import TableLine, TextColumn, fit_table

MAX_SHOWN: Final = 20
BEHIND: Final = "behind the first"
SAME_DEALS: Final = (
    f"{BEHIND}: on the deals that both teams have played, so that the luck of the cards falls on both alike; ± is a "
    "95 % interval. With `same_deals` all teams play the same deals."
)


def team_lines(teams: Sequence[TeamStanding], width: int | None) -> list[TableLine]:
    """Return the teams, the first ones of many, with their points and how far each is behind the first."""
    name = TextColumn[TeamStanding]("team", lambda team: " + ".join(team.bots))
    blocks = TextColumn[TeamStanding]("blocks", lambda team: f"{team.blocks:,}")
    points = TextColumn[TeamStanding]("points", lambda team: format_interval(team.points))
    behind = TextColumn[TeamStanding](
        BEHIND, lambda team: UNKNOWN if team.behind is None else format_interval(team.behind)
    )
    lines = fit_table(teams[:MAX_SHOWN], [name], [[blocks, points, behind], [points, behind], [points]], width)
    left_out = len(teams) - MAX_SHOWN
    return [*lines, TableLine(f"and {left_out:,} more teams")] if left_out > 0 else lines
