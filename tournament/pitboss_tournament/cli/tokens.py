"""`pitboss token`: who may submit to a league: tokens made, listed and revoked."""

from __future__ import annotations

import csv
from contextlib import closing
from pathlib import Path
from typing import Literal

import typer

from pitboss.errors import ConfigError
from pitboss.text import join_words
from pitboss_tournament.cli.output import print_data_lines, print_json, print_note, print_table
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.league.book import open_book
from pitboss_tournament.league.league_folder import read_league
from pitboss_tournament.plan.names import NAME_RULE, BotName, clean_name
from pitboss_tournament.store.rows import utc_now
from pitboss_tournament.text.columns import format_csv
from pitboss_tournament.text.validation import InvalidValue, convert_checked


def new(folder: Path, owner: str | None, role: Literal["owner", "host"], days: float | None, csv: Path | None) -> None:
    """Run `pitboss token new`."""
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


def list_tokens(folder: Path, as_json: bool) -> None:
    """Run `pitboss token list`."""
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


def revoke(folder: Path, number: int | None, owner: str | None) -> None:
    """Run `pitboss token revoke`."""
    if (owner is None) == (number is None):
        raise ConfigError("give the NUMBER of a token, or --owner NAME for all of an owner")
    with closing(open_book(read_league(folder, load_registry()).folder.store)) as book:
        found = book.revoke_tokens(lambda one: one.number == number or one.owner == owner)
    if not found:
        what = f"token {number}" if owner is None else f"token of {owner!r}"
        raise ConfigError(f"there is no {what} that could be revoked; `pitboss token list {folder}` lists them")
    typer.echo(f"revoked: token {join_words((one.number for one in found), 'and')} of {found[0].owner}")


def _check_owner(name: str) -> str:
    try:
        return convert_checked(clean_name(name), BotName)
    except InvalidValue:
        raise ConfigError(f"{name!r} is no name of an owner; it must be {NAME_RULE}") from None


def _read_owners(path: Path) -> list[str]:
    """Return the owners that a file lists, one a line; text behind a comma is not read."""
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
        raise ConfigError(f"{path}: {twice[0]!r} occurs twice; keep one line")
    return found
