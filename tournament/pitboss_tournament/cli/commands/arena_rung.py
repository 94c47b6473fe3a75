"""The signature of `pitboss arena rung`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli import completion, parameters
from pitboss_tournament.cli.commands.arena import arena
from pitboss_tournament.cli.number_args import whole_number


@arena.command("rung", short_help="Measure a bot by opponents of known strength.")
def rung(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="A folder with a bot.toml, a command in quotes, or a name from `pitboss bots`.",
            autocompletion=completion.complete_bots,
            show_default=False,
        ),
    ],
    game: Annotated[
        str,
        typer.Option(
            "--game",
            metavar="GAME",
            help="The name of a game with rungs.",
            autocompletion=completion.complete_games,
            show_default=False,
        ),
    ],
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals",
            metavar="N",
            help="Duplicate deals. Default: as many as the game's table of rungs says.",
            parser=whole_number(2, 100_000),
            show_default=False,
            rich_help_panel=parameters.PLAYED,
        ),
    ] = None,
    seed: parameters.Seed = None,
    sandbox: parameters.Sandbox = None,
    as_json: parameters.Json = False,
) -> None:
    """Play BOT against some of the game's rungs, frozen opponents of known strength, and say which rung the bot is.

    "rung 7 (5 to 8)": the range holds the true rung with 95 %. Each rung that is met is the one that tells most, by the
    deals before. `pitboss bots GAME` lists the rungs; each is a bot for any command: rung:7.
    """
