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
            help="A game, and two versions of a bot, given as in `match`; with --from only OLD and NEW.",
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
    """Play NEW against OLD until a sequential test decides if NEW is better.

    The same command with the same --seed or --store carries on. In a
    cooperative game --bounds are points of teams that play the same deals.

    The exit status is 0 if NEW is better, 1 if not, 2 if undecided after all games, 3 after an error or if a bot never
    played.
    """
