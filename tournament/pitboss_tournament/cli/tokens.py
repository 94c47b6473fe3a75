"""`pitboss token`: who may submit to a league: tokens made, listed and revoked."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated, Literal

import typer

from pitboss_tournament.cli.league import LeagueRoot
from pitboss_tournament.cli.number_args import any_number, whole_number
from pitboss_tournament.cli.output import print_data_lines, print_json, print_note, print_table
from pitboss_tournament.cli.parameters import Json
from pitboss_tournament.cli.registry import load_registry

token = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Tokens: who may submit to a league.")


@token.command("new", short_help="Make a token, or one for each line of a file.")
def new(
    folder: LeagueRoot,
    owner: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whose token it is, and whose bots.", show_default=False)
    ] = None,
    role: Annotated[
        Literal["owner", "host"],
        typer.Option(
            help="An owner sees his own submissions; a host also sees in the feed which others there are, and may "
            "retire them."
        ),
    ] = "owner",
    days: Annotated[
        float | None,
        typer.Option(
            metavar="D",
            parser=any_number(0.001, 36_500),
            help="It ends after so many days; by default never.",
            show_default=False,
        ),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A token for each owner in a file, one a line.", show_default=False),
    ] = None,
) -> None:
    """Make a token and print it: this once, because only its hash is kept.

    With --csv the lines "owner,token" are printed as CSV. An owner may have several tokens.
    """
    from pitboss.errors import ConfigError
    from pitboss_tournament.league.book import open_book
    from pitboss_tournament.league.league_folder import read_league
    from pitboss_tournament.text.columns import format_csv

    if (owner is None) == (csv is None):
        raise ConfigError("give --owner NAME for one token, or --csv FILE for one for each line of a file")
    league = read_league(folder, load_registry())
    owners = [_check_owner(owner)] if owner is not None else _read_owners(csv or Path())
    with closing(open_book(league.folder.store)) as book:
        made = book.add_tokens(owners, role, days)
    if owner is not None:
        typer.echo(made[0].token)
        print_note(f"this is the token of {owner}; it is shown this once: only its hash is kept")
        return
    typer.echo("owner,token")
    for one in made:
        print_data_lines([format_csv(one)])


@token.command("list", short_help="List the tokens of a league.")
def list_tokens(folder: LeagueRoot, as_json: Json = False) -> None:
    """List the tokens: number, owner, role, when each was made and ends, and whether it opens the league now.

    The tokens themselves are not kept. With --json: a list of objects with number, owner, role, made, ends, revoked and
    is_valid.
    """
    from pitboss_tournament.league.book import open_book
    from pitboss_tournament.league.league_folder import read_league
    from pitboss_tournament.store.rows import utc_now

    with closing(open_book(read_league(folder, load_registry()).folder.store)) as book:
        found = book.tokens()
    now = utc_now()
    if as_json:
        names = ("number", "owner", "role", "made", "ends", "revoked")
        print_json(
            [{**{name: getattr(one, name) for name in names}, "is_valid": not one.why_invalid(now)} for one in found]
        )
        return
    rows = [
        (
            str(one.number),
            one.owner,
            one.role,
            one.made,
            one.ends or "never",
            "yes" if not one.why_invalid(now) else "no",
        )
        for one in found
    ]
    print_table(("Number", "Owner", "Role", "Made", "Ends", "Valid"), rows, right=("Number",))


@token.command("revoke", short_help="Revoke a token, or all of an owner.")
def revoke(
    folder: LeagueRoot,
    number: Annotated[
        int | None,
        typer.Argument(
            metavar="[NUMBER]",
            parser=whole_number(1),
            help="The token's number: it stands in the token, and in `token list`.",
            show_default=False,
        ),
    ] = None,
    owner: Annotated[
        str | None, typer.Option(metavar="NAME", help="All tokens of this owner.", show_default=False)
    ] = None,
) -> None:
    """Revoke tokens: from now on they open nothing. Submissions stay what they are."""
    from pitboss.errors import ConfigError
    from pitboss.text import join_words
    from pitboss_tournament.league.book import open_book
    from pitboss_tournament.league.league_folder import read_league

    if (owner is None) == (number is None):
        raise ConfigError("give the NUMBER of a token, or --owner NAME for all of an owner")
    with closing(open_book(read_league(folder, load_registry()).folder.store)) as book:
        found = book.revoke_tokens(lambda one: one.number == number or one.owner == owner)
    if not found:
        what = f"token {number}" if owner is None else f"token of {owner!r}"
        raise ConfigError(f"there is no {what} that could be revoked; `pitboss token list {folder}` lists them")
    typer.echo(f"revoked: token {join_words((one.number for one in found), 'and')} of {found[0].owner}")


def _check_owner(name: str) -> str:
    from pitboss.errors import ConfigError
    from pitboss_tournament.plan.names import NAME_RULE, BotName, clean_name
    from pitboss_tournament.text.validation import InvalidValue, convert_checked

    try:
        return convert_checked(clean_name(name), BotName)
    except InvalidValue:
        raise ConfigError(f"{name!r} is no name of an owner; it must be {NAME_RULE}") from None


def _read_owners(path: Path) -> list[str]:
    """Return the owners that a file lists, one a line; what stands behind a comma is not read."""
    import csv

    from pitboss.errors import ConfigError

    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            names = [row[0].strip() for row in csv.reader(file) if row and row[0].strip()]
    except FileNotFoundError:
        raise ConfigError(f"there is no file {str(path)!r}") from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(f"{path}: cannot be read as CSV: {error}") from None
    found = [_check_owner(name) for name in (names[1:] if names[:1] == ["owner"] else names)]
    if not found:
        raise ConfigError(f"{path}: there is no owner in it; it has one a line")
    if twice := sorted({name for name in found if found.count(name) > 1}):
        raise ConfigError(f"{path}: {twice[0]!r} stands in it twice")
    return found
