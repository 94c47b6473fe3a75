"""The signature of `pitboss why`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli.parameters import Json, StoreFile


def why(
    file: StoreFile,
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="The name of the bot, as in the standings.", show_default=False)
    ],
    as_json: Json = False,
) -> None:
    """Show why a bot lost: its faults, its times, its opponents, its worst games, and the costliest decisions in them.

    The worst games are those without a forfeit in which the bot's result was farthest below its table's mean. The
    cost of a decision comes from the game's own evaluation: how much the bot's lead fell, minus the bad luck of the
    cards drawn. An evaluation is an estimate: a decision that it finds costly may have been right.

    `pitboss schema why` describes what --json writes.
    """
