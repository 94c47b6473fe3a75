"""The signature of `pitboss play`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss_tournament.cli import completion, parameters
from pitboss_tournament.cli.number_args import parse_seed, whole_number

ADVISER = "house:search"  # the default adviser, where it is installed
PEOPLE = "Who plays"  # sections of the help text
BROWSER = "In the browser"
SCREEN = "In the terminal"


def play(
    context: typer.Context,
    game: parameters.OptionalGameName = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOT",
            help="A bot to play against; repeat for more.",
            autocompletion=completion.complete_bots,
            rich_help_panel=PEOPLE,
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Your name; in the browser once for each person. Default: You.",
            show_default=False,
            rich_help_panel=PEOPLE,
        ),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(metavar="N|random", help="Your seat in the first game. Default: 0.", rich_help_panel=PEOPLE),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            metavar="N",
            help="Games in a row. Default: ask after each.",
            parser=whole_number(1),
            rich_help_panel=PEOPLE,
        ),
    ] = None,
    hint: Annotated[
        str | None,
        typer.Option(
            metavar="BOT",
            help=f"The bot that gives advice at ?. Default: {ADVISER}.",
            autocompletion=completion.complete_bots,
            rich_help_panel=PEOPLE,
        ),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Carry on with a broken-off game, of any file.",
            rich_help_panel=PEOPLE,
        ),
    ] = None,
    preset: parameters.Preset = None,
    option: parameters.OptionWords = None,
    seed: Annotated[
        str | None,
        typer.Option(
            help="The seed of all deals. Default: a new one.",
            parser=parse_seed,
            metavar="TEXT",
            rich_help_panel=parameters.PLAYED,
        ),
    ] = None,
    settings: parameters.Settings = None,
    store: parameters.StorePath = None,
    sandbox: parameters.Sandbox = None,
    browser: Annotated[
        bool,
        typer.Option(
            "--browser", help="Print a link for each person; without GAME open a lobby.", rich_help_panel=BROWSER
        ),
    ] = False,
    host: Annotated[
        str,
        typer.Option(
            metavar="HOST",
            help="The address to listen on; 0.0.0.0: all.",
            rich_help_panel=BROWSER,
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            metavar="N", help="The port; 0 takes a free one.", parser=whole_number(0, 65535), rich_help_panel=BROWSER
        ),
    ] = 8000,
    people_time: Annotated[
        str | None,
        typer.Option(
            metavar="SECONDS[+MORE]",
            help="The time of a person for a game; MORE: added after each decision.",
            rich_help_panel=BROWSER,
        ),
    ] = None,
    league: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="In a lobby: a league against whose best bots people may play.",
            show_default=False,
            rich_help_panel=BROWSER,
        ),
    ] = None,
    plain: Annotated[
        bool,
        typer.Option("--plain", help="Print plain lines, as for a screen reader.", rich_help_panel=SCREEN),
    ] = False,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Play a choice at once, without Enter.", rich_help_panel=SCREEN),
    ] = False,
) -> None:
    """Play GAME against bots, in the terminal or, also several people together, in the browser.

    In the terminal type the number of an action, from 1 on, or some of its words; h lists more. The game is on
    the disk after each decision: stop when you like, and the same command carries on.
    """
