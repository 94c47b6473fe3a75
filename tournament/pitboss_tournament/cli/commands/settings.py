"""The signature of `pitboss settings`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli import completion
from pitboss_tournament.cli.parameters import Json


def settings(
    key: Annotated[
        str | None,
        typer.Argument(
            metavar="[KEY]",
            help="A key, or a table of keys, to read all about it.",
            autocompletion=completion.complete_setting_keys,
            show_default=False,
        ),
    ] = None,
    of_run: Annotated[
        bool,
        typer.Option(
            "--run", help="List only keys that `pitboss run FILE -s KEY=VALUE` takes: no game depends on them."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """List the settings of a tournament: the keys of a tournament file, which commands take as -s KEY=VALUE.

    NAME stands for a name of your choice, or for an option of the game or of the format.
    """
