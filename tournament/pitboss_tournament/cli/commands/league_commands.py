"""All commands of `pitboss league`: importing the modules below adds theirs to the first ones."""

from __future__ import annotations

from pitboss_tournament.cli.commands import league_finals, league_grades, league_names, league_upkeep
from pitboss_tournament.cli.commands.league import league

__all__ = ["league", "league_finals", "league_grades", "league_names", "league_upkeep"]
