"""`pitboss league retire`, `rejudge` and `backup`: what the host of a league does from time to time."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli.league import LeagueRoot, league, open_league
from pitboss_tournament.cli.output import print_json
from pitboss_tournament.cli.parameters import Json


@league.command("retire", short_help="Take a version out, or all of a name.")
def retire(
    folder: LeagueRoot,
    bot: Annotated[
        str,
        typer.Argument(
            metavar="NAME[@VERSION]",
            help="The version, as fox@2, or a name for all of its versions that play.",
            show_default=False,
        ),
    ],
    why: Annotated[
        str, typer.Option(metavar="TEXT", help="For the audit trail, and for its owner.", show_default=False)
    ] = "",
    as_json: Json = False,
) -> None:
    """Take a version out of the league: it plays no more, and keeps its games and its rating.

    A league that is running notices within seconds; games in progress are finished. The same files of the same owner do
    not come back; other files may.

    With --json: a list of the submissions that were retired.
    """
    from pitboss.text import join_words
    from pitboss_tournament.text.terminal_text import escape_line

    with open_league(folder) as (_, book):
        retired = book.retire([one.number for one in book.find_active(bot)], why)
    if as_json:
        print_json(retired)
    else:
        names = join_words((f"{one.label} of {one.owner}" for one in retired), "and")
        typer.echo(escape_line(f"retired: {names}"))
