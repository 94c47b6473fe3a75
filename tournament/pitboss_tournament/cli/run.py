"""`pitboss run`: the tournament that a file describes. Here is also how any tournament is played and shown."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli.parameters import Json, NoPin, Workers

if TYPE_CHECKING:
    from pitboss_tournament.plan.plan import Plan
    from pitboss_tournament.playing.tournament import Tournament

TournamentFile = Annotated[Path, typer.Argument(metavar="FILE", help="The tournament file (TOML).", show_default=False)]


def run(file: TournamentFile, workers: Workers = None, no_pin: NoPin = False, as_json: Json = False) -> None:
    """Play the tournament that FILE describes; the same command again carries on where it was stopped.

    Ctrl-C stops it: finished games are kept. With --json: one JSON object a line, `start`, `game` for each game, `end` with the standings.
    """
    from msgspec.structs import replace

    from pitboss_tournament.cli.build import build_changed, list_bots
    from pitboss_tournament.cli.registry import load_registry
    from pitboss_tournament.config.tournament_file import load_plan

    build_changed(list_bots(file), file.parent)
    plan = load_plan(file, load_registry(), workers)
    play_tournament(replace(plan, pinned=False) if no_pin else plan, as_json)


def play_tournament(plan: Plan, as_json: bool) -> None:
    """Play a tournament, or what is left of it, and show how it goes and how it ended.

    Raises:
        Exit: it was stopped by a person.
    """
    import trio
    from rich.console import Console

    from pitboss import __version__
    from pitboss_tournament.cli import INTERRUPTED
    from pitboss_tournament.cli.registry import load_registry
    from pitboss_tournament.cli.standings import print_lines, print_standings
    from pitboss_tournament.playing.tournament import Tournament
    from pitboss_tournament.showing import live
    from pitboss_tournament.store.header import make_header
    from pitboss_tournament.store.store import Store
    from pitboss_tournament.store.summary import TournamentSummary

    for warning in plan.warnings:
        typer.echo(f"pitboss: {warning}", err=True)
    game = load_registry().find_game(plan.game)
    store = Store.for_run(plan.store, make_header(plan, game.version, __version__))
    try:
        tournament = Tournament(plan, game, store)
        store.begin_run(tournament.games_before, tournament.total_games)
        if not as_json:
            typer.echo(_announcement(tournament))
        console = Console(highlight=False)
        if as_json:
            audience: live.JsonEventLines | live.LiveScreen | live.ProgressLines = live.JsonEventLines(tournament)
        else:
            audience = (
                live.LiveScreen(tournament, console)
                if console.is_terminal
                else live.ProgressLines(tournament, sys.stderr)
            )
        with audience:
            trio.run(tournament.run, audience)
        if not as_json:
            print_standings(TournamentSummary(store))
            print_lines(_closing_lines(tournament))
    finally:
        store.close()
    if tournament.was_stopped:
        raise typer.Exit(INTERRUPTED)


def _announcement(tournament: Tournament) -> str:
    plan, done = tournament.plan, tournament.games_before
    games = f"{plan.game}, {plan.seats} at a table, seed {plan.seed!r}: {len(plan.entrants)} bots, {tournament.total_games:,} games"
    return games + (f", of which {done:,} are already played" if done else "")


def _closing_lines(tournament: Tournament) -> list[str]:
    missing = tournament.total_games - tournament.running_standings.games
    lines = []
    if tournament.was_stopped:
        lines.append(f"Stopped with {missing:,} games to play; the same command carries on.")
    elif tournament.stop_reason is not None:
        lines.append(f"It is over with {missing:,} games to spare: {tournament.stop_reason}")
    elif missing:
        lines.append(f"{missing:,} games are not played: a bot in them has forfeited too often and is out.")
    if tournament.ranking:
        lines.append(f"The {tournament.plan.format.name} ends so: {', '.join(tournament.ranking)}.")
    lines.append(
        f"The games are kept in {tournament.plan.store}: see `pitboss standings`, `pitboss replay`, `pitboss log`, `pitboss export`."
    )
    return lines
