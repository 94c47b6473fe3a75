"""The signatures of `pitboss games` and `rules`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli import completion
from pitboss_tournament.cli.parameters import Json


def games(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="A game, to see everything about it.",
            autocompletion=completion.complete_games,
            show_default=False,
        ),
    ] = None,
    page: Annotated[
        bool, typer.Option("--page", help="Print the game's page for authors of bots: a real question of each phase.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List the installed games; with a NAME, show that game's seats, options, presets, phases, actions and what a bot
    is shown. With --page that is a page in Markdown, with a real question of each phase.

    With --json: a list of objects with name, title, version, plugin, seats and presets; with a NAME an object that also
    has about, options, phases, actions, view and unlearned.
    """


def rules(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="A game.", autocompletion=completion.complete_games, show_default=False),
    ],
    as_json: Json = False,
) -> None:
    """Print the rule book of a game, which is the description of its distribution.

    A terminal shows the rule book a page at a time. With --json: an object with game and rules, a text in Markdown.
    """
