"""Parameters that several commands have, each written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pitboss_tournament.cli import completion

GameName: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="The name of a game from `pitboss games`.", autocompletion=completion.complete_games
    ),
]
Preset: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--preset",
        "-p",
        metavar="NAME",
        help="A named set of the game's options; -o changes single ones.",
        autocompletion=completion.complete_presets,
    ),
]
OptionWords: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="An option of the game, its value as JSON or as plain text. May be given again.",
        autocompletion=completion.complete_options,
    ),
]
StoreFile: TypeAlias = Annotated[
    Path, typer.Argument(metavar="STORE", help="A tournament's store (….pitboss).", show_default=False)
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON instead of text for people.")]
Workers: TypeAlias = Annotated[
    int | None, typer.Option(help="Processes that play; by default one for each processor.", min=1, max=256)
]
NoPin: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--no-pin", help="Let workers and bots use all processors, as where other programs keep some of them busy."
    ),
]
