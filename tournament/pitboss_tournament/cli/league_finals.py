"""`pitboss league finals`: a closed tournament of the best versions of a league."""

from __future__ import annotations

from pathlib import Path

import msgspec
import typer

from pitboss.text import format_count
from pitboss_tournament.cli.league import open_league
from pitboss_tournament.cli.output import print_data_lines, print_table
from pitboss_tournament.cli.setting_words import read_deals, read_settings
from pitboss_tournament.cli.tournament_run import play_plan
from pitboss_tournament.league.finals import Finals, open_finals
from pitboss_tournament.league.finals_rules import FinalsRules
from pitboss_tournament.running.run_end import RunLimits
from pitboss_tournament.store.header import SHOWN_DIGITS
from pitboss_tournament.text.terminal_text import escape_line


def finals(
    folder: Path,
    format_name: str | None,
    deals: str | None,
    settings: list[str] | None,
    top: int,
    min_games: int | None,
    one_per_owner: bool,
    store: Path | None,
    workers: int | None,
    play_for: float | None,
    games: int | None,
    fail_on_faults: bool,
    explain: bool,
    as_json: bool,
) -> None:
    """Run `pitboss league finals`."""
    with open_league(folder) as (found, book):
        taken = ("format", "deals", "workers", "pinned", "games_at_once")
        said = read_settings(settings, taken, format=format_name, deals=read_deals(deals), workers=workers)
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
            explain or None,
            has_versions=False,
            on_end=lambda tournament: held.note_end(book, tournament),
        )


def _print_json_field(held: Finals) -> None:
    taken, left_out = held.field
    line = {"event": "field", "store": str(held.store), "taken": taken, "left_out": left_out}
    print_data_lines([msgspec.json.encode(line).decode()])


def _print_field(held: Finals) -> None:
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
