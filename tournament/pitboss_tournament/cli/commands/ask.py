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
        typer.Argument(
            metavar="STORE",
            help="A store, records, or a file to import, as .pbn.",
            show_default=False,
        ),
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
            help="The seat whose question is asked: by default that of the fault; with --bot, the seat to take.",
            parser=whole_number(0),
        ),
    ] = None,
    alone: Annotated[
        bool,
        typer.Option(
            "--alone",
            help="Skip the earlier questions, as for a bot whose process starts in the middle of a game.",
        ),
    ] = False,
    repeat: Annotated[
        int,
        typer.Option(
            metavar="K", help="Ask the question K times, each time in a new process of the bot.", parser=whole_number(1)
        ),
    ] = 1,
    settings: parameters.Settings = None,
    sandbox: parameters.Sandbox = None,
    no_clock: Annotated[bool, typer.Option("--no-clock", help="Set no time limit for the bot.")] = False,
    pause: Annotated[
        bool,
        typer.Option(
            "--pause",
            help="Print the bot's process id and wait for Enter before the question, to attach a debugger.",
        ),
    ] = False,
    wire: Annotated[bool, typer.Option("--wire", help="Also show all lines exchanged.")] = False,
    as_json: Json = False,
) -> None:
    """Ask a bot the question of a recorded game again; show its answer, its time and its standard error.

    By default that of the first fault, else where the game stops; with --seat that seat's last.

    The bot starts as in the tournament, with its limits, clocks and seeds, and first answers all earlier questions of
    its seat, so that it has the same memory as in the game. The game continues as recorded; each answer that differs is
    reported. With --alone the bot gets this one question only, with all events of the game so far.

    For a debugger: --pause --no-clock --sandbox none. The exit status is 1 if the bot commits a fault.
    """
