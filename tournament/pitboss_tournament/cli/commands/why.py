"""The signature of `pitboss why`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli import completion
from pitboss_tournament.cli.parameters import Json, Sandbox


def why(
    file: Annotated[
        str,
        typer.Argument(
            metavar="STORE",
            help="A tournament's store (….pitboss), or the address of a league that has looked into the bot's games.",
            autocompletion=completion.complete_stores,
            show_default=False,
        ),
    ],
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="The name of the bot, as in the standings.", show_default=False)
    ],
    bundle: Annotated[
        bool,
        typer.Option(
            "--bundle",
            help="Show what an author needs, in 8 kB: also five positions, and where a reference chose otherwise.",
        ),
    ] = False,
    reference: Annotated[
        str | None,
        typer.Option(
            metavar="BOT",
            help="The bot to ask for --bundle. Default: the house's bot for the game, or a search for that bot itself.",
            autocompletion=completion.complete_bots,
            show_default=False,
        ),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            envvar="PITBOSS_TOKEN",
            help="The token that the host of the league gave you.",
            show_envvar=True,
            show_default=False,
        ),
    ] = None,
    sandbox: Sandbox = None,
    as_json: Json = False,
) -> None:
    """Show why a bot lost: its faults, its times, its opponents, its worst games, and the costliest decisions in them.

    The worst games are those without a forfeit in which the bot's result was farthest below its table's mean. The
    cost of a decision comes from the game's own evaluation: how much the bot's lead fell, minus the bad luck of the
    cards drawn. An evaluation is an estimate: a decision that it finds costly may have been right.

    With --bundle the reference answers the questions of a sample of the bot's games. What its choices were worth more
    is an estimate, too, and may be less than nothing.

    In the place of a store stands the address of a league: the league looks into the games of your bot, unless it has
    done so before, and what it finds is shown as by --bundle. BOT is a name, or a name with a version: fox@3.

    `pitboss schema why` describes what --json writes, `pitboss schema bundle` what it writes with --bundle.
    """
