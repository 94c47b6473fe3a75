"""The signatures of `pitboss token new`, `token list`, `token revoke`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from pitboss_tournament.cli.number_args import any_number, whole_number
from pitboss_tournament.cli.parameters import Json, LeagueRoot

token = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Tokens: who may submit to a league.")


@token.command("new", short_help="Make a token, or one for each line of a file.")
def new(
    folder: LeagueRoot,
    owner: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The owner of the token and of its bots; required without --csv.", show_default=False
        ),
    ] = None,
    role: Annotated[
        Literal["owner", "host"],
        typer.Option(
            help="owner: sees its own submissions; host: also sees all other submissions in the feed, and may retire "
            "them."
        ),
    ] = "owner",
    days: Annotated[
        float | None,
        typer.Option(
            metavar="D",
            parser=any_number(0.001, 36_500),
            help="Days until the token expires. Default: never.",
            show_default=False,
        ),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Make a token for each owner in this file that has none: a name a line, or an export of Canvas or "
            "Moodle.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Make a token and print it: this once, because only its hash is kept.

    With --csv the lines "owner,token" are printed as CSV. An owner may have several tokens.
    """


@token.command("list", short_help="List the tokens of a league.")
def list_tokens(folder: LeagueRoot, as_json: Json = False) -> None:
    """List the tokens: number, owner, role, when each was made and ends, and whether it opens the league now.

    The tokens themselves are not kept. With --json: a list of objects with number, owner, role, made, ends, revoked and
    is_valid.
    """


@token.command("revoke", short_help="Revoke a token, or all of an owner.")
def revoke(
    folder: LeagueRoot,
    number: Annotated[
        int | None,
        typer.Argument(
            metavar="[NUMBER]",
            parser=whole_number(1),
            help="The token's number, as in the token itself and in `token list`.",
            show_default=False,
        ),
    ] = None,
    owner: Annotated[
        str | None, typer.Option(metavar="NAME", help="Revoke all tokens of this owner.", show_default=False)
    ] = None,
) -> None:
    """Revoke tokens: from now on they give no access. Submissions do not change."""
