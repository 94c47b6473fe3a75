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
    """Tell why a bot lost: what it did wrong, whether it is slow, to whom it lost, its worst games, and the decisions
    in them that cost most.

    The worst games are those without a forfeit in which it came out farthest below the mean of its table. What a
    decision cost is told by the game's own evaluation: how much worse the bot stood after it, beside the others, less
    the bad luck of what was drawn. An evaluation is an estimate: a decision that it finds costly may have been right.

    `pitboss schema why` describes what --json writes.
    """
