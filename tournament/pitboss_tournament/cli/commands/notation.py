"""The signature of `pitboss import`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def import_games(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Games; - is standard input.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="A file to write, a store if it ends in .pitboss. Default: standard output."
        ),
    ] = None,
    what: Annotated[
        str,
        typer.Option(
            "--what",
            "-w",
            metavar="FORMAT",
            help="The format of the text: notation, records, or a format that the game or a plugin provides.",
        ),
    ] = "notation",
    strict: Annotated[
        bool, typer.Option("--strict", help="Write nothing if any game is refused. Default: write the others.")
    ] = False,
) -> None:
    """Read games in notation, as `pitboss export --what notation` and `pitboss replay --brief` write them, replay each,
    and write their records, as `pitboss export` does. A game without a number gets the next one.

    A store has the games as if they had been played here, for `pitboss standings`, `replay`, `serve` and all else that
    shows one; they are numbered from 0. Games with one seed and the same players are a block if all are.

    A repeated game is left out; a line on standard error counts the repeated games.

    A game with a wrong line, or one that does not replay, is refused: a line on standard error says where and why. The
    other games are written all the same.

    The exit status is 4 if some games are refused, and 1 if all are, or if any is with `--strict`: nothing is written
    then.
    """
