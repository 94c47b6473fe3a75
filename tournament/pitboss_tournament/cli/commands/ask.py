"""The signature of `pitboss ask`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss_tournament.cli import completion, parameters
from pitboss_tournament.cli.number_args import whole_number
from pitboss_tournament.cli.parameters import Json


def ask(
    file: Annotated[
        Path,
        typer.Argument(metavar="STORE", help="A store, or records that `pitboss export` wrote.", show_default=False),
    ],
    game_id: parameters.OptionalGameNumber = None,
    decision: parameters.OptionalDecision = None,
    bot: Annotated[
        str | None,
        typer.Option(
            "--bot",
            metavar="BOT",
            help="Ask another bot: a folder with a bot.toml, a command in quotes, or a name from `pitboss bots`. "
            "Default: the bot that sat there.",
            autocompletion=completion.complete_bots,
            show_default=False,
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Whose decision it is, to ask for the fault of this seat, or --bot in another bot's place.",
            parser=whole_number(0),
        ),
    ] = None,
    alone: Annotated[
        bool,
        typer.Option(
            "--alone",
            help="Ask nothing before it: as a bot is asked whose process was started in the middle of a game.",
        ),
    ] = False,
    repeat: Annotated[
        int, typer.Option(metavar="K", help="Ask so many times, each time a fresh process.", parser=whole_number(1))
    ] = 1,
    settings: parameters.Settings = None,
    sandbox: parameters.Sandbox = None,
    no_clock: Annotated[bool, typer.Option("--no-clock", help="Wait for the bot as long as it takes.")] = False,
    pause: Annotated[
        bool,
        typer.Option(
            "--pause",
            help="Say the bot's process id and wait for Enter before the question, so that a debugger can be attached.",
        ),
    ] = False,
    wire: Annotated[bool, typer.Option("--wire", help="Show all lines exchanged, too.")] = False,
    as_json: Json = False,
) -> None:
    """Ask a bot exactly what was asked in a recorded game, and see what it does now, how long it takes and what it
    writes to standard error.

    The bot is started as in the tournament, with its limits, clocks and seeds, and is asked all earlier questions of
    its seat first, so that it remembers what it would remember; the game goes on as it was recorded, and where it now
    answers otherwise is said. With --alone it is asked this one question only, with all events of the game so far.

    For a debugger: --pause --no-clock --sandbox none. The exit status is 1 if the bot does wrong.
    """
