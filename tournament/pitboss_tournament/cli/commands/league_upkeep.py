"""The signatures of `pitboss league retire`, `league rejudge`, `league backup`, `league renew`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss_tournament.cli.commands.league import league
from pitboss_tournament.cli.parameters import Json, LeagueRoot


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
        str, typer.Option(metavar="TEXT", help="The reason, for the audit trail and the owner.", show_default=False)
    ] = "",
    as_json: Json = False,
) -> None:
    """Take a version out of the league: it plays no more, and keeps its games and its rating.

    A league that is running notices within seconds; games in progress are finished. The same files of the same owner do
    not come back; other files may.

    With --json: a list of the submissions that were retired.
    """


@league.command("rejudge", short_help="Judge all games by the rules as they are now.")
def rejudge(
    folder: LeagueRoot,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count; change nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Replay all games of a league by the installed game, when that has another version or other files.

    Games that end as they did are kept. The others (other points or places, a decision that is illegal now, another
    length) are void, and the next `pitboss league run` plays them again. The league must not be running, except for
    --dry-run. A kill leaves the league as it was, or as it is to be.

    With --json: an object with game, old_version, new_version, kept (null: the game has not changed), void, causes
    (numbers of void games by cause: deal, decision, length, outcome) and is_dry_run.
    """


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


@league.command("renew", short_help="Begin a new season with the people of a league.")
def renew(
    folder: LeagueRoot,
    target: Annotated[
        Path, typer.Argument(metavar="TARGET", help="A new folder, for the new season.", show_default=False)
    ],
    with_bots: Annotated[
        bool, typer.Option("--bots", help="Take the newest valid version of each bot along, and validate it again.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Make a league in TARGET with the owners, tokens and names of another one, and without its games: the same tokens
    open it, and names of bots stay with their owners. FOLDER may be running, and stays as it is.

    TARGET/league.toml is that of FOLDER: change the rules before `pitboss league run TARGET`.

    With --json: an object with folder, owners, tokens (that open it) bots (versions that were taken along),
    past_closes and dropped (the end that was over, and the keys that became comments).
    """
