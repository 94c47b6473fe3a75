"""`pitboss run`: the tournament that a file describes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss_tournament.cli.output import print_note
from pitboss_tournament.cli.parameters import Json, NoPin, Workers
from pitboss_tournament.cli.registry import load_registry

TournamentFile = Annotated[Path, typer.Argument(metavar="FILE", help="The tournament file (TOML).", show_default=False)]


def run(file: TournamentFile, workers: Workers = None, no_pin: NoPin = False, as_json: Json = False) -> None:
    """Play the tournament that FILE describes; the same command again carries on where it was stopped.

    Ctrl-C stops it: finished games are kept. With --json: one JSON object a line, `start`, `game` for each game, `end`
    with the standings.
    """
    from msgspec.structs import replace

    from pitboss_tournament.authoring.bot_build import build_changed, list_bots
    from pitboss_tournament.cli.tournament_output import play_tournament
    from pitboss_tournament.config.tournament_file import load_plan

    build_changed(list_bots(file), file.parent, print_note)
    plan = load_plan(file, load_registry(), workers)
    play_tournament(replace(plan, pinned=False) if no_pin else plan, as_json)
