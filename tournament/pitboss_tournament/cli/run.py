"""`pitboss run`: the tournament that a file describes. Here is also how any tournament is played and shown."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli.parameters import Json, NoPin, Workers

if TYPE_CHECKING:
    from pitboss_tournament.planning.plan import Plan
    from pitboss_tournament.playing.runner import Tournament

TournamentFile = Annotated[Path, typer.Argument(metavar="FILE", help="The tournament file (TOML).", show_default=False)]


def run(file: TournamentFile, workers: Workers = None, no_pin: NoPin = False, as_json: Json = False) -> None:
    """Play the tournament that FILE describes; the same command again carries on where it was stopped.

    Ctrl-C stops it: finished games are kept. With --json: one JSON object a line, `start`, `game` for each game, `end` with the standings.
    """
    from msgspec.structs import replace

    from pitboss_tournament.cli.build import bots_of, build_where_needed
    from pitboss_tournament.cli.installed import registry
    from pitboss_tournament.planning.config import planned

    build_where_needed(bots_of(file), file.parent)
    plan = planned(file, registry(), workers)
    play(replace(plan, pinned=False) if no_pin else plan, as_json)


def play(plan: Plan, as_json: bool) -> None:
    """Play a tournament, or what is left of it, and show how it goes and how it ended.

    Raises:
        Exit: it was stopped by a person.
    """
    import trio
    from rich.console import Console

    from pitboss import __version__
    from pitboss_tournament.cli import INTERRUPTED
    from pitboss_tournament.cli.installed import registry
    from pitboss_tournament.cli.standings import print_lines, print_standings
    from pitboss_tournament.playing.runner import Tournament
    from pitboss_tournament.results.header import header_of
    from pitboss_tournament.results.store import Store
    from pitboss_tournament.results.summary import Summary
    from pitboss_tournament.showing import live

    for warning in plan.warnings:
        typer.echo(f"pitboss: {warning}", err=True)
    game = registry().game(plan.game)
    store = Store.for_run(plan.store, header_of(plan, game.version, __version__))
    try:
        tournament = Tournament(plan, game, store)
        store.begin_run(tournament.played_before, tournament.total)
        if not as_json:
            typer.echo(_announced(tournament))
        console = Console(highlight=False)
        if as_json:
            audience: live.JsonLines | live.Screen | live.Lines = live.JsonLines(tournament)
        else:
            audience = live.Screen(tournament, console) if console.is_terminal else live.Lines(tournament, sys.stderr)
        with audience:
            trio.run(tournament.run, audience)
        if not as_json:
            print_standings(Summary(store))
            print_lines(_closing(tournament))
    finally:
        store.close()
    if tournament.was_stopped:
        raise typer.Exit(INTERRUPTED)


def _announced(tournament: Tournament) -> str:
    plan, done = tournament.plan, tournament.played_before
    games = f"{plan.game}, {plan.seats} at a table, seed {plan.seed!r}: {len(plan.entrants)} bots, {tournament.total:,} games"
    return games + (f", of which {done:,} are already played" if done else "")


def _closing(tournament: Tournament) -> list[str]:
    missing = tournament.total - tournament.tally.games
    lines = []
    if tournament.was_stopped:
        lines.append(f"Stopped with {missing:,} games to play; the same command carries on.")
    elif tournament.decided is not None:
        lines.append(f"It is over with {missing:,} games to spare: {tournament.decided}")
    elif missing:
        lines.append(f"{missing:,} games are not played: a bot in them has forfeited too often and is out.")
    if tournament.ranking:
        lines.append(f"The {tournament.plan.format.name} ends so: {', '.join(tournament.ranking)}.")
    lines.append(
        f"The games are kept in {tournament.plan.store}: see `pitboss standings`, `pitboss replay`, `pitboss log`, `pitboss export`."
    )
    return lines
