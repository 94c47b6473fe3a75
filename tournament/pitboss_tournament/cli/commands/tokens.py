"""The signatures of `pitboss token new`, `token invite`, `token invitations`, `token list`, `token revoke`."""

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
    link: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="The address of the league: print a link for each owner, which logs in by one button.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Make a token and print it: this once, because only its hash is kept.

    With --csv the lines "owner,token" are printed as CSV, with --link "owner,token,link". An owner may have several
    tokens. A link has the token behind a #, which browsers send to no server: it is as secret as the token.
    """


@token.command("invite", short_help="Make a link by which a class joins.")
def invite(
    folder: LeagueRoot,
    url: Annotated[
        str, typer.Argument(metavar="URL", help="The address of the league, such as https://league.example.org.")
    ],
    uses: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=whole_number(1, 100_000),
            help="How many may join by it. Default: any number.",
            show_default=False,
        ),
    ] = None,
    days: Annotated[
        float | None,
        typer.Option(
            metavar="D",
            parser=any_number(0.001, 36_500),
            help="Days until it expires. Default: never.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Print one link for a class. Whoever opens it chooses a name, becomes an owner and gets a token of their own.

    Names of owners, as those of a roster, are not taken by others. `pitboss token revoke` takes the number of an
    invitation, too.
    """


@token.command("invitations", short_help="List the invitations of a league.")
def invitations(folder: LeagueRoot, as_json: Json = False) -> None:
    """List the invitations: number, how many have joined and may join, when each was made and ends, and whether it is
    good now.

    With --json: a list of objects with number, uses (null: any number), used, made, ends, revoked and is_valid.
    """


@token.command("list", short_help="List the tokens of a league.")
def list_tokens(folder: LeagueRoot, as_json: Json = False) -> None:
    """List the tokens: number, owner, role, when each was made and ends, and whether it opens the league now.

    The tokens themselves are not kept. With --json: a list of objects with number, owner, role, made, ends, revoked and
    is_valid.
    """


@token.command("revoke", short_help="Revoke a token, all of an owner, or an invitation.")
def revoke(
    folder: LeagueRoot,
    number: Annotated[
        int | None,
        typer.Argument(
            metavar="[NUMBER]",
            parser=whole_number(1),
            help="The number of a token or an invitation, as in itself and in the lists.",
            show_default=False,
        ),
    ] = None,
    owner: Annotated[
        str | None, typer.Option(metavar="NAME", help="Revoke all tokens of this owner.", show_default=False)
    ] = None,
) -> None:
    """Revoke tokens: from now on they give no access. Submissions do not change."""
