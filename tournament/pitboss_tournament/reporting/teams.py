"""The teams of a cooperative game: their picture, which opens the report, and the table with the numbers behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss_tournament.counting.report_findings import ReportFindings
from pitboss_tournament.counting.team_standings import read_team_scores
from pitboss_tournament.html.charts import WhiskerRow, draw_whiskers
from pitboss_tournament.html.elements import Markup
from pitboss_tournament.html.number_format import typeset, typeset_interval
from pitboss_tournament.html.page_parts import (
    Section,
    column_heading,
    explain,
    figure,
    list_meanings,
    note,
    section,
    table,
)
from pitboss_tournament.reporting.interval_rows import decimal_places, interval_axis
from pitboss_tournament.results.team_columns import SAME_DEALS, TEAM, TEAM_COLUMNS
from pitboss_tournament.statistics.teams import TeamScores, TeamStanding
from pitboss_tournament.store.store import Store

MAX_DRAWN: Final = 30


def teams_figure(statistics: ReportFindings, scores: TeamScores) -> Markup:
    """Return the picture of the points of the teams with its caption."""
    teams = scores.list_standings(statistics.names, anytime=statistics.anytime)[:MAX_DRAWN]
    digits = decimal_places(team.points.mean for team in teams)
    rows = [
        WhiskerRow(f"{number}. {TEAM.text(team)}", typeset_interval(team.points, digits=digits), team.points)
        for number, team in enumerate(teams, 1)
    ]
    picture = draw_whiskers("teams", "Points of the teams", rows, interval_axis([team.points for team in teams]))
    return figure("Points a game of each team, with 95 % intervals.", picture)


def teams_section(statistics: ReportFindings, store: Store) -> Section:
    """Return the section on the teams."""
    scores = read_team_scores(store)
    teams = scores.list_standings(statistics.names, anytime=statistics.anytime) if scores else []
    return section(
        "teams",
        "Teams",
        table("teams-table", "The picture in numbers.", [*map(column_heading, TEAM_COLUMNS)], _list_cells(teams)),
        explain(
            note("All seats play together, so that no bot is placed before another: points tell teams apart."),
            list_meanings(TEAM_COLUMNS),
            note(SAME_DEALS),
        ),
    )


def _list_cells(teams: Sequence[TeamStanding]) -> list[tuple[str | Markup, ...]]:
    digits = decimal_places(team.points.mean for team in teams)
    first, *others = TEAM_COLUMNS
    return [
        (f"{number}. {first.text(team)}", *(typeset(column.text(team, digits)) for column in others))
        for number, team in enumerate(teams, 1)
    ]
