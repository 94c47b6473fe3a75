"""The signature of `pitboss schema`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli import completion


def schema(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[WHAT]",
            help="protocol, record, events, tournament, bot, league, match, standings, report, compare, plan, log, "
            "ask, why, check, or the name of a game.",
            autocompletion=completion.complete_schemas,
            show_default=False,
        ),
    ] = None,
) -> None:
    """Print a JSON Schema; without WHAT, list what there is a schema of."""
