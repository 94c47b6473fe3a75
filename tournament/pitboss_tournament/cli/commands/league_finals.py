"""The signature of `pitboss league finals`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss_tournament.cli import parameters
from pitboss_tournament.cli.commands.league import league
from pitboss_tournament.cli.number_args import whole_number
from pitboss_tournament.cli.parameters import LeagueRoot


@league.command("finals", short_help="Hold the finals: the best versions, on new deals.")
def finals(
    folder: LeagueRoot,
    format_name: parameters.FormatName = None,
    deals: parameters.FinalsDeals = None,
    settings: parameters.Settings = None,
    top: Annotated[
        int, typer.Option(metavar="N", help="Number of versions that play.", parser=whole_number(2, 1_000))
    ] = 16,
    min_games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="League games that a version must have. Default: the league's placing_games.",
            parser=whole_number(1),
            show_default=False,
        ),
    ] = None,
    one_per_owner: Annotated[
        bool, typer.Option("--one-per-owner", help="Take only the best version of each owner.")
    ] = False,
    store: Annotated[
        Path | None,
        typer.Option(help="The file to store the games in. Default: FOLDER/finals-DATE.pitboss.", show_default=False),
    ] = None,
    workers: parameters.Workers = None,
    play_for: parameters.PlayFor = None,
    games: parameters.MostGames = None,
    fail_on_faults: parameters.FailOnFaults = False,
    explain: parameters.Explain = False,
    as_json: parameters.Json = False,
) -> None:
    """Play a tournament of the best active versions of a league, by its ratings and rules, on deals that nobody has
    seen: the seed is drawn now, and kept in the store of the finals alone. Who plays is said, and why others do not.

    The same command carries on the same finals, with the field and
    the seed that they began with. The league may be running meanwhile. The audit trail records the finals, with the
    digests of the versions.

    With --json: a line of JSON with event (`field`), store, taken (name, owner, digest; version, games and rating in
    the league, if they are chosen now) and left_out (version, owner, why), then those of `pitboss run --json`.
    """
