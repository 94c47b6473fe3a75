"""`pitboss league hand-over`, `rename` and `erase`: names of a league that change."""

from __future__ import annotations

from pathlib import Path

import typer

from pitboss.text import format_count, join_words
from pitboss_tournament.cli.output import print_json
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.league.league_folder import read_league
from pitboss_tournament.league.name_changes import Erasure, rename_bot, rename_owner
from pitboss_tournament.league.name_changes import erase_owner as erase_name
from pitboss_tournament.league.name_changes import hand_over as give_bot
from pitboss_tournament.league.roster import check_owner
from pitboss_tournament.text.terminal_text import escape_line


def hand_over(folder: Path, bot: str, to: str, as_json: bool) -> None:
    """Run `pitboss league hand-over`."""
    given = give_bot(read_league(folder, load_registry()).folder, bot, to)
    if as_json:
        print_json(given)
    else:
        typer.echo(escape_line(f"{join_words((one.label for one in given), 'and')} belong to {to} now."))


def rename(folder: Path, was: str, name: str, is_owner: bool) -> None:
    """Run `pitboss league rename`."""
    root = read_league(folder, load_registry()).folder
    if is_owner:
        rename_owner(root, was, check_owner(name))
    else:
        rename_bot(root, was, name)
    typer.echo(escape_line(f"{was} is called {name} now."))


def erase(folder: Path, owner: str, files: bool, as_json: bool) -> None:
    """Run `pitboss league erase`."""
    done = erase_name(read_league(folder, load_registry()).folder, owner, files)
    if as_json:
        print_json(done)
    else:
        _print_erasure(done)


def _print_erasure(done: Erasure) -> None:
    typer.echo(f"The owner is called {done.pseudonym} now. Revoked: {format_count(done.tokens_revoked, 'token')}.")
    for was, name in done.bots.items():
        typer.echo(escape_line(f"  the bot {was} is called {name}"))
    for path in done.stores:
        typer.echo(escape_line(f"  written again: {path}"))
    for path in done.files_removed:
        typer.echo(escape_line(f"  removed: {path}"))
    for path in done.copies:
        typer.echo(escape_line(f"  a copy that has the name: {path}; `pitboss league backup` brings it up to date"))
    for path in done.seasons:
        typer.echo(escape_line(f"  another season that has the name: {path}; call `pitboss league erase` for it, too"))
    for path in done.remains:
        typer.echo(escape_line(f"  the name still stands in {path}"))
