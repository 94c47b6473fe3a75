"""`pitboss league retire`, `rejudge`, `backup` and `renew`: what the host of a league does from time to time."""

from __future__ import annotations

from pathlib import Path

import typer

from pitboss.errors import ConfigError
from pitboss.text import format_count, join_words
from pitboss_tournament.cli.league import open_league
from pitboss_tournament.cli.output import print_json, print_note, progress_line
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.rejudge import print_rejudgement
from pitboss_tournament.league.backup import BackupSizes, back_up_league
from pitboss_tournament.league.league_folder import read_league
from pitboss_tournament.league.rejudging import rejudge_league
from pitboss_tournament.league.renewal import renew_league
from pitboss_tournament.text.terminal_text import escape_line


def retire(folder: Path, bot: str, why: str, as_json: bool) -> None:
    """Run `pitboss league retire`."""
    with open_league(folder) as (_, book):
        retired = book.retire([one.number for one in book.find_active(bot)], why)
    if as_json:
        print_json(retired)
    else:
        names = join_words((f"{one.label} of {one.owner}" for one in retired), "and")
        typer.echo(escape_line(f"retired: {names}"))


def rejudge(folder: Path, dry_run: bool, as_json: bool) -> None:
    """Run `pitboss league rejudge`."""
    found = read_league(folder, load_registry())
    print_rejudgement(rejudge_league(found, dry_run, progress_line), found.game, "the league", dry_run, as_json)


def backup(folder: Path, target: Path, as_json: bool) -> None:
    """Run `pitboss league backup`."""
    try:
        sizes = back_up_league(read_league(folder, load_registry()).folder, target)
    except OSError as error:
        where = error.filename or target
        raise ConfigError(f"{where}: the league cannot be copied: {error.strerror or error}") from None
    if as_json:
        print_json(sizes)
    else:
        _print_sizes(sizes)
    for what in sizes.missing:
        print_note(f"the league lacks {what}")
    if sizes.missing:
        raise typer.Exit(1)


def renew(folder: Path, target: Path, with_bots: bool, as_json: bool) -> None:
    """Run `pitboss league renew`."""
    made = renew_league(read_league(folder, load_registry()).folder, target, with_bots)
    if as_json:
        print_json(made)
        return
    people = f"{format_count(made.owners, 'owner')}, {format_count(made.tokens, 'token')}"
    typer.echo(escape_line(f"{target} is a new season: {people}, {format_count(len(made.bots), 'bot')}."))
    typer.echo(escape_line(f"  its rules  {target / 'league.toml'}"))
    typer.echo(escape_line(f"  serve it   pitboss league run {target}"))
    if made.dropped:
        keys = join_words([f"`{key}`" for key in made.dropped], "and")
        print_note(f"submissions ended at {made.past_closes}: {keys} in its rules became comments")
    elif made.past_closes:
        print_note(f"`closes` in its rules is over, {made.past_closes}: change it before `league run`")


def _print_sizes(sizes: BackupSizes) -> None:
    def show_size(count: int) -> str:
        return f"{count / 2**20:,.1f} MiB"

    typer.echo(escape_line(f"{sizes.target} is a copy of the league."))
    typer.echo(f"  store     {show_size(sizes.store_bytes)}")
    typer.echo(
        f"  versions  {show_size(sizes.versions_bytes)}: {sizes.versions:,}, {sizes.versions_copied:,} copied now"
    )
    typer.echo(f"  uploads   {show_size(sizes.uploads_bytes)}: {sizes.uploads:,}")
