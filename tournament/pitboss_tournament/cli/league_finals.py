"""`pitboss league finals`: a closed tournament of the best versions of a league."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli import parameters
from pitboss_tournament.cli.league import league, open_league
from pitboss_tournament.cli.number_args import whole_number
from pitboss_tournament.cli.parameters import LeagueRoot
from pitboss_tournament.cli.setting_words import read_settings
from pitboss_tournament.cli.tournament_run import play_plan

if TYPE_CHECKING:
    from pitboss_tournament.league.finals import Finals


@league.command("finals", short_help="Hold the finals: the best versions, on new deals.")
def finals(
    folder: LeagueRoot,
    format_name: parameters.FormatName = None,
    deals: parameters.FinalsDeals = None,
    settings: parameters.Settings = None,
    top: Annotated[int, typer.Option(metavar="N", help="How many versions play.", parser=whole_number(2, 1_000))] = 16,
    min_games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Games of the league that a version must have; by default its placing_games.",
            parser=whole_number(1),
            show_default=False,
        ),
    ] = None,
    one_per_owner: Annotated[
        bool, typer.Option("--one-per-owner", help="Only the best version of each owner.")
    ] = False,
    store: Annotated[
        Path | None,
        typer.Option(help="Where the games are kept; by default FOLDER/finals-DATE.pitboss.", show_default=False),
    ] = None,
    workers: parameters.Workers = None,
    play_for: parameters.PlayFor = None,
    games: parameters.MostGames = None,
    fail_on_faults: parameters.FailOnFaults = False,
    explain: parameters.Explain = False,
    as_json: parameters.Json = False,
) -> None:
    """Play a tournament of the best active versions of a league, by its ratings and rules, on deals that nobody has
    seen: the seed is drawn now, and kept in the store of the finals alone. Who plays is said, and why others do not.

    The same command carries on the same finals, with the field and
    the seed that they began with. The league may be running meanwhile. That finals were held, with the digests of the
    versions, stands in the audit trail.

    With --json: a line of JSON with event (`field`), store, taken (name, owner, digest; version, games and rating in
    the league, if they are chosen now) and left_out (version, owner, why), then those of `pitboss run --json`.
    """
    from pitboss_tournament.league.finals import open_finals
    from pitboss_tournament.league.finals_rules import FinalsRules
    from pitboss_tournament.running.run_end import RunLimits

    with open_league(folder) as (found, book):
        taken = ("format", "deals", "workers", "pinned", "games_at_once")
        said = read_settings(settings, taken, format=format_name, deals=deals, workers=workers)
        file = said.to_file(found.file.game, deals=500)
        least = found.file.league.placing_games if min_games is None else min_games
        held = open_finals(found, book, store, FinalsRules(top, least, one_per_owner))
        plan = held.make_plan(
            found,
            deals=file.deals,
            format=file.format,
            workers=file.workers,
            pinned=file.pinned,
            games_at_once=file.games_at_once,
        )
        held.note_begin(book)
        (_print_json_field if as_json else _print_field)(held)
        play_plan(
            plan,
            RunLimits(play_for, games),
            as_json,
            fail_on_faults,
            explain,
            has_versions=False,
            on_end=lambda tournament: held.note_end(book, tournament),
        )


def _print_json_field(held: Finals) -> None:
    import msgspec

    from pitboss_tournament.cli.output import print_data_lines

    taken, left_out = held.field
    line = {"event": "field", "store": str(held.store), "taken": taken, "left_out": left_out}
    print_data_lines([msgspec.json.encode(line).decode()])


def _print_field(held: Finals) -> None:
    from pitboss.text import format_count
    from pitboss_tournament.cli.output import print_table
    from pitboss_tournament.store.header import SHOWN_DIGITS
    from pitboss_tournament.text.terminal_text import escape_line

    taken, left_out = held.field
    if not held.is_new:
        typer.echo(f"{held.store} has its field already: {format_count(len(taken), 'version')}.\n")
        return
    typer.echo(f"The field: {held.rules}.\n")
    rows = [
        (
            one.version,
            one.owner,
            "-" if one.rating is None else f"{one.rating:+.0f}",
            f"{one.games:,}",
            one.digest[:SHOWN_DIGITS],
        )
        for one in taken
    ]
    print_table(("Version", "Owner", "Rating", "Games", "Digest"), rows, right=("Rating", "Games"))
    for left in left_out:
        typer.echo(escape_line(f"  not {left.version} of {left.owner}: {left.why}"))
    typer.echo()
