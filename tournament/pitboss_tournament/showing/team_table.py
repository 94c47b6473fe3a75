"""Team table: the points of each team of a cooperative game, as lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss_tournament.results.columns import Column
from pitboss_tournament.results.team_columns import TEAM_COLUMNS
from pitboss_tournament.statistics.teams import TeamStanding
from pitboss_tournament.text.columns import TableLine, TextColumn, fit_table

MAX_SHOWN: Final = 20


def team_lines(teams: Sequence[TeamStanding], width: int | None) -> list[TableLine]:
    """Return the teams, the first ones of many, with their points and how far each is behind the first."""
    name, blocks, points, behind = map(_make_text_column, TEAM_COLUMNS)
    lines = fit_table(teams[:MAX_SHOWN], [name], [[blocks, points, behind], [points, behind], [points]], width)
    left_out = len(teams) - MAX_SHOWN
    return [*lines, TableLine(f"and {left_out:,} more teams")] if left_out > 0 else lines


def _make_text_column(column: Column[TeamStanding]) -> TextColumn[TeamStanding]:
    return TextColumn(column.heading, column.text)
