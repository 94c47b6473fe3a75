"""The signature of `pitboss compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss_tournament.cli import completion, parameters


def compare(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME OLD NEW",
            help="A game, and two versions of a bot: folders with a bot.toml, commands in quotes, or names from "
            "`pitboss bots`. With --from OLD and NEW alone: names in the store.",
            autocompletion=completion.complete_compared,
            show_default=False,
        ),
    ],
    stored: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            metavar="STORE",
            help="Play nothing: judge by the games of stores.",
            show_default=False,
            rich_help_panel=parameters.TEST,
        ),
    ] = None,
    bounds: parameters.Bounds = (0.0, 25.0),
    alpha: parameters.Alpha = 0.05,
    beta: parameters.Beta = 0.05,
    games: parameters.ComparedGames = 10_000,
    among: parameters.Among = None,
    seats: parameters.Seats = None,
    preset: parameters.Preset = None,
    option: parameters.OptionWords = None,
    seed: parameters.Seed = None,
    settings: parameters.Settings = None,
    store: parameters.StorePath = None,
    no_store: parameters.NoStore = False,
    workers: parameters.Workers = None,
    sandbox: parameters.Sandbox = None,
    fail_on_faults: parameters.FailOnFaults = False,
    reduce: parameters.ReduceOption = None,
    as_json: parameters.Json = False,
) -> None:
    """Tell whether NEW is better than OLD: they play each deal from every seat until a sequential test is sure.

    The same command with the same --seed or --store carries on. Where all play together, teams of copies of each play
    the same deals, and --bounds are points of the game.

    The exit status is 0 if NEW is better, 1 if it is not, 2 if that is undecided at the limit of games, and 3 after
    any error or if a bot never played.
    """
