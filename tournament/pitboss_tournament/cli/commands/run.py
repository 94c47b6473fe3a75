"""The signatures of `pitboss run`, `match`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss_tournament.cli import completion, parameters


def run(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="The tournament file (TOML).",
            autocompletion=completion.complete_tournament_files,
            show_default=False,
        ),
    ],
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            "-s",
            metavar="KEY=VALUE",
            help="Set a key of FILE for this run: one of `pitboss settings --run`, which change no game. Repeat "
            "for more.",
            autocompletion=completion.complete_run_settings,
            rich_help_panel=parameters.MACHINE,
        ),
    ] = None,
    workers: parameters.Workers = None,
    on: parameters.On = None,
    new_version: parameters.NewVersion = False,
    play_for: parameters.PlayFor = None,
    games: parameters.MostGames = None,
    replay_models: parameters.ReplayModels = None,
    fail_on_faults: parameters.FailOnFaults = False,
    explain: parameters.ExplainOrSummary = None,
    as_json: parameters.Json = False,
) -> None:
    """Play the tournament that FILE describes; the same command again carries on where it was stopped.

    Bots may join and leave between two runs: a bot that joins plays the games it lacks, a bot that leaves keeps its
    games.

    Ctrl-C stops the run with status 130, SIGTERM with 143; finished games are kept. The status is 0 at the end of
    the tournament, of the time of --for, of the --games, or after `pitboss stop --after-running`. The status is 3 if a
    bot never played: it forfeited every game before a decision of its own.

    With --json: one JSON object a line, as games end, or with --summary the last one alone; `pitboss schema match`
    describes them.
    """


def match(
    game: parameters.GameName,
    bots: parameters.BotSpecs,
    seats: parameters.Seats = None,
    preset: parameters.Preset = None,
    option: parameters.OptionWords = None,
    format_name: parameters.FormatName = None,
    deals: parameters.Deals = None,
    seed: parameters.Seed = None,
    settings: parameters.Settings = None,
    store: parameters.StorePath = None,
    no_store: parameters.NoStore = False,
    workers: parameters.Workers = None,
    sandbox: parameters.Sandbox = None,
    on: parameters.On = None,
    play_for: parameters.PlayFor = None,
    games: parameters.MostGames = None,
    new_version: parameters.NewVersion = False,
    fail_on_faults: parameters.FailOnFaults = False,
    explain: parameters.ExplainOrSummary = None,
    as_json: parameters.Json = False,
) -> None:
    """Play a tournament between some BOTs, without a file: all sets of bots that fit a table, each deal in all
    rotations.

    The same command with the same --seed or --store carries on where it was stopped, or where --for or --games has
    ended it. The exit status is 3 if a bot never played: it forfeited every game before a decision of its own.
    """
