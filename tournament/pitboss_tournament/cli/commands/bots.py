"""The signature of `pitboss bots`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli import completion
from pitboss_tournament.cli.parameters import Json


def bots(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="List only bots that play this game.",
            autocompletion=completion.complete_games,
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the bots that have a name to give instead of a folder or a command.

    Options follow the name: house:search?ms=50&worlds=200. With --json: a list of objects with name, summary, games,
    presets and seats (null: all), command, options and plugin.
    """
