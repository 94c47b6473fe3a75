"""The signature of `pitboss check`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli import completion, parameters
from pitboss_tournament.cli.number_args import any_number, whole_number


def check(
    context: typer.Context,
    bots: parameters.BotSpecs,
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            help="A game to play; repeat for more. Default: all games that the bot says it plays.",
            autocompletion=completion.complete_games,
        ),
    ] = None,
    preset: parameters.Preset = None,
    option: parameters.OptionWords = None,
    seats: parameters.SeatCounts = None,
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="K", parser=whole_number(1), help="Games to play at each table.")
    ] = 1,
    game_seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            parser=any_number(0.1),
            help="Seconds of play at one table, after which its games are cut short. Default: some six seconds for "
            "all tables together.",
        ),
    ] = None,
    seed: Annotated[str, typer.Option(help="The seed of all deals and of the opponents' choices.")] = "check",
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="CHECK", help="Run only this check, and the checks that it needs; repeat for more."),
    ] = None,
    settings: parameters.Settings = None,
    sandbox: parameters.Sandbox = None,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose",
            "-v",
            help="Also show the checks that passed; for several bots, the reports of failed bots.",
        ),
    ] = False,
    failed: Annotated[
        bool, typer.Option("--failed", help="Tell the failed checks alone, and how many others there were.")
    ] = False,
    as_json: parameters.Json = False,
) -> None:
    """Check that bots start, speak the protocol, play whole games in time, and end. Each failure comes with a cure.

    Several bots, or a quoted pattern of folders such as 'submissions/*', are checked one after the other. One table has
    a line for each bot, failed bots last; with --verbose the reports of the failed bots follow.

    The exit status is 1 if a check failed, or if one of several bots could not be checked. With --json: one object; of
    several bots a list of such objects. `pitboss schema check` has the schema.
    """
