"""`pitboss league retire`, `rejudge` and `backup`: what the host of a league does from time to time."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli.league import LeagueRoot, league, open_league
from pitboss_tournament.cli.output import print_json
from pitboss_tournament.cli.parameters import Json
from pitboss_tournament.cli.registry import load_registry


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
