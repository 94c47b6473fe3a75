"""The columns of the teams of a cooperative game, declared once: the terminal, the report and pages show these."""

from __future__ import annotations

from typing import Final

from pitboss_tournament.results.columns import Column
from pitboss_tournament.results.numbers import UNKNOWN, format_interval, hide_wide
from pitboss_tournament.statistics.teams import TeamStanding

SAME_DEALS: Final = (
    "Behind the first: on the deals that both teams have played, so that the luck of the cards falls on both alike; ± "
    "is a 95 % interval."
)

TEAM: Final = Column[TeamStanding]("bots", "team", "the bots that played together.", "name", lambda team, _: team.name)
TEAM_COLUMNS: Final = (
    TEAM,
    Column[TeamStanding](
        "blocks", "blocks", "complete ones: deals in all their rotations.", "number", lambda team, _: f"{team.blocks:,}"
    ),
    Column[TeamStanding](
        "points",
        "points",
        "a game.",
        "number",
        lambda team, digits: format_interval(hide_wide(team.points, team.blocks), digits=digits),
    ),
    Column[TeamStanding](
        "behind",
        "behind the first",
        "how many points it is behind the first team on the deals that both have played.",
        "number",
        lambda team, digits: (
            UNKNOWN if team.behind is None else format_interval(hide_wide(team.behind, team.blocks), digits=digits)
        ),
    ),
)
