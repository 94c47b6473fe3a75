"""The signature of `pitboss help`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli import completion


def show_help(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[COMMAND...]",
            help="A command, such as `match` or `league run`; or a game, a format, or a key of the settings.",
            autocompletion=completion.complete_topics,
            show_default=False,
        ),
    ] = None,
) -> None:
    """Explain a command, as its --help does, or a game, a format or a setting."""
