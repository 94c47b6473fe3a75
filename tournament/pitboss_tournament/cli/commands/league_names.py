"""The signatures of `pitboss league hand-over`, `league rename`, `league erase`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli.commands.league import league
from pitboss_tournament.cli.parameters import Json, LeagueRoot


@league.command("hand-over", short_help="Give a bot to another owner.")
def hand_over(
    folder: LeagueRoot,
    bot: Annotated[str, typer.Argument(metavar="NAME", help="The bot.", show_default=False)],
    to: Annotated[
        str,
        typer.Option("--to", metavar="OWNER", help="The owner who gets the bot.", show_default=False),
    ],
    as_json: Json = False,
) -> None:
    """Give a bot with all of its versions, games and findings to another owner, who may submit under its name.

    The league must not be running. The audit trail says who had the bot before.

    With --json: a list of the submissions that were handed over.
    """


@league.command("rename", short_help="Call a bot or an owner otherwise.")
def rename(
    folder: LeagueRoot,
    was: Annotated[str, typer.Argument(metavar="NAME", help="The bot; with --owner the owner.", show_default=False)],
    name: Annotated[str, typer.Argument(metavar="NEW", help="The new name.", show_default=False)],
    is_owner: Annotated[bool, typer.Option("--owner", help="An owner, and not a bot, is called otherwise.")] = False,
) -> None:
    """Call a bot otherwise, in its games too, or with --owner an owner, whose tokens and bots stay.

    The league must not be running. The audit trail keeps both names: `pitboss league erase` forgets one.
    """


@league.command("erase", short_help="Put a pseudonym in the place of an owner's name.")
def erase(
    folder: LeagueRoot,
    owner: Annotated[str, typer.Argument(metavar="OWNER", help="The owner.", show_default=False)],
    files: Annotated[
        bool, typer.Option("--files", help="Remove the files of the owner's bots, too; these bots play no more.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Put a pseudonym in the place of an owner's name: in submissions, tokens, games, the audit trail, stores of finals
    and of people's games. Bots whose names hold the owner's are called otherwise. Games stay, and so does the ladder.

    The tokens are revoked. What was found in validations, and what these bots wrote to standard error, is removed. The
    files are written again, so that nothing deleted is left in them. The league must not be running. Copies of the
    league and other seasons are named: they still have the name.

    With --json: an object with pseudonym, bots (renamed ones: was, is), tokens_revoked, stores, files_removed, copies,
    seasons (folders made by `pitboss league renew`) and remains (where the name still stands).
    """
