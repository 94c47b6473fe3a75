"""The signature of `pitboss stop`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli import parameters


def stop(
    file: parameters.StoreFile,
    after_running: Annotated[
        bool,
        typer.Option("--after-running", help="Finish the games in progress, and begin no more."),
    ] = False,
) -> None:
    """Stop the tournament that is being played into STORE, as Ctrl-C in its terminal does: finished games are kept, and
    `pitboss run` carries on.

    Games in progress are broken off, unless --after-running is given; that may be followed by a `stop` without it. With
    --after-running people in `pitboss play` are not disturbed: it waits until they leave.

    Of a league STORE is FOLDER/league.pitboss; a league that only serves its pages is stopped, too.

    It returns when the tournament has stopped. If none is running, it says so.
    """
