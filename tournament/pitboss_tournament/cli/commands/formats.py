"""The signature of `pitboss formats`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli import completion
from pitboss_tournament.cli.parameters import Json


def formats(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="A format, to see everything about it.",
            autocompletion=completion.complete_formats,
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the formats, ways to decide who meets whom, with their options; with a NAME, show that one.

    With --json: a list of objects with name, summary, static (all rounds are known from the start) and options (a JSON
    Schema).
    """
