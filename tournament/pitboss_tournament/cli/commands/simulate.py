"""The signature of `pitboss simulate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss_tournament.cli.number_args import parse_seed, whole_number
from pitboss_tournament.cli.parameters import GameName, Json, OptionWords, Preset


def simulate(
    game: GameName,
    seats: Annotated[
        int | None,
        typer.Option(metavar="N", help="Number of players. Default: as few as the options allow.", show_default=False),
    ] = None,
    preset: Preset = None,
    option: OptionWords = None,
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="N", parser=whole_number(1), help="Number of games to play.")
    ] = 100,
    seed: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            parser=parse_seed,
            help="The seed of the games. Default: a new one.",
            show_default=False,
        ),
    ] = None,
    write_deals: Annotated[
        Path | None,
        typer.Option(
            "--write-deals",
            metavar="FILE",
            help="Write the deals of the games into FILE (.json, .pbn, .phhs), and play none.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Play random games in this process, and tell how long, how balanced and how fast they are.

    With --write-deals the deals are written for a tournament (`deals = "FILE"`), or for others.

    With --json: an object with game, game_version, seats, preset, options, seed, games, decisions, lengths, choices,
    forced, log10_paths, phases, balance and speed.
    """
