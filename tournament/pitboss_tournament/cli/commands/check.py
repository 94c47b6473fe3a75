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
            help="A game to play; may be given again; by default all that the bot says it plays.",
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
            help="The games at one table are cut short after so many seconds; by default those at all tables together "
            "take some six seconds.",
        ),
    ] = None,
    seed: Annotated[str, typer.Option(help="All deals and all choices of the opponents follow from it.")] = "check",
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="CHECK", help="A check to make, after those that it builds upon; may be given again."),
    ] = None,
    settings: parameters.Settings = None,
    sandbox: parameters.Sandbox = None,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose",
            "-v",
            help="Show the checks that passed, too; of several bots the reports of those that failed.",
        ),
    ] = False,
    as_json: parameters.Json = False,
) -> None:
    """Check bots: do they start, speak the protocol, play whole games in time, and end? Each broken promise comes with
    a cure.

    Several bots, or a pattern of folders in quotes, as 'submissions/*', are checked one after the other. One table has
    a line for each, those that failed last; with --verbose the reports of these follow.

    The exit status is 1 if a check failed, or if one of several bots could not be checked. With --json: one object; of
    several bots a list of such objects. `pitboss schema check` has the schema.
    """
