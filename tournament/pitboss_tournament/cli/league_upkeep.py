"""`pitboss league retire`, `rejudge` and `backup`: what the host of a league does from time to time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli.league import league, open_league
from pitboss_tournament.cli.output import print_json, print_note
from pitboss_tournament.cli.parameters import Json, LeagueRoot
from pitboss_tournament.cli.registry import load_registry

if TYPE_CHECKING:
    from pitboss_tournament.league.backup import BackupSizes


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


@league.command("rejudge", short_help="Judge all games by a new version of the game.")
def rejudge(
    folder: LeagueRoot,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count; change nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Replay all games of a league by the installed version of its game, when that has changed.

    Games that end as they did are kept. The others (other points or places, a decision that is illegal now, another
    length) are void, and the next `pitboss league run` plays them again. The league must not be running, but for
    --dry-run. A kill leaves the league as it was, or as it is to be.

    With --json: an object with game, old_version, new_version, kept (null: the version has not changed), void, causes
    (numbers of void games by cause: deal, decision, length, outcome) and is_dry_run.
    """
    from pitboss_tournament.cli.output import progress_line
    from pitboss_tournament.league.league_folder import read_league
    from pitboss_tournament.league.rejudging import OBJECTIONS, rejudge_league

    found = read_league(folder, load_registry())
    judged = rejudge_league(found, dry_run, progress_line)
    if as_json:
        version = found.game.version
        unchanged = {"game": found.game.name, "old_version": version, "new_version": version, "kept": None, "void": 0}
        print_json({**(judged._asdict() if judged else {**unchanged, "causes": {}}), "is_dry_run": dry_run})
    elif judged is None:
        typer.echo(f"The games of the league are of {found.game.name} {found.game.version}: nothing to judge again.")
    else:
        typer.echo(f"{judged}{' (nothing is changed)' if dry_run else ''}")
        for cause, count in judged.causes.items():
            typer.echo(f"  {cause} ({count:,}): {OBJECTIONS[cause]}")


@league.command("backup", short_help="Copy a league, while it runs.")
def backup(
    folder: LeagueRoot,
    target: Annotated[
        Path,
        typer.Argument(
            metavar="TARGET", help="A new folder, or an earlier copy, which is brought up to date.", show_default=False
        ),
    ],
    as_json: Json = False,
) -> None:
    """Copy a league into TARGET, while it runs: the store as of one moment, league.toml, and the files in bots/ and
    uploads/ that this store needs. Files of versions that are there are not copied again.

    TARGET is a league: `pitboss league status TARGET` and `league run TARGET` work. It is as secret as the league. A
    kill leaves an earlier copy whole. The exit status is 1 if the league itself lacks files; they are named.

    With --json: an object with target, store_bytes, versions, versions_copied, versions_bytes, uploads, uploads_bytes
    and missing (a list of sentences).
    """
    from pitboss.errors import ConfigError
    from pitboss_tournament.league.backup import back_up_league
    from pitboss_tournament.league.league_folder import read_league

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


def _print_sizes(sizes: BackupSizes) -> None:
    from pitboss_tournament.text.terminal_text import escape_line

    def show_size(count: int) -> str:
        return f"{count / 2**20:,.1f} MiB"

    typer.echo(escape_line(f"{sizes.target} is a copy of the league."))
    typer.echo(f"  store     {show_size(sizes.store_bytes)}")
    typer.echo(
        f"  versions  {show_size(sizes.versions_bytes)}: {sizes.versions:,}, {sizes.versions_copied:,} copied now"
    )
    typer.echo(f"  uploads   {show_size(sizes.uploads_bytes)}: {sizes.uploads:,}")
