"""The signature of `pitboss serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss_tournament.cli.number_args import whole_number


def serve(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[STORE|FOLDER]...",
            help="Stores, and folders with stores. Default: this folder.",
            show_default=False,
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            help="The address to listen on. Any address but this machine's own needs a token, which is printed."
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.", parser=whole_number(0, 65535))] = 8000,
) -> None:
    """Show tournaments in the browser: live standings with their intervals, faults, tables in play, and
    each game card by card.

    Stores are only read, also while other processes play into them, and new ones in the folders appear. Ctrl-C ends it.
    """
