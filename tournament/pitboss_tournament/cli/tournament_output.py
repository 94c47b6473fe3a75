"""What `pitboss run`, `match` and `standings` print of a tournament: its progress, its standings and its pairs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from pitboss_tournament.cli.exit_status import INTERRUPTED
from pitboss_tournament.cli.output import print_note, print_table_lines, terminal_width
from pitboss_tournament.cli.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pitboss.record import Incident
    from pitboss_tournament.plan.plan import Plan
    from pitboss_tournament.playing.tournament import Tournament
    from pitboss_tournament.store.summary import TournamentSummary


def play_tournament(plan: Plan, as_json: bool) -> None:
    """Play the rest of a tournament; print its progress and its standings.

    Raises:
        Exit: a person stopped it.
    """
    import trio
    from rich.console import Console

    from pitboss import __version__
    from pitboss_tournament.playing.tournament import Tournament
    from pitboss_tournament.showing import live
    from pitboss_tournament.store.header import make_header
    from pitboss_tournament.store.store import Store
    from pitboss_tournament.store.summary import TournamentSummary

    for warning in plan.warnings:
        print_note(warning)
    game = load_registry().find_game(plan.game)
    store = Store.for_run(plan.store, make_header(plan, game.version, __version__))
    try:
        tournament = Tournament(plan, game, store)
        store.begin_run(tournament.games_before, tournament.total_games)
        if not as_json:
            typer.echo(_announcement(tournament))
        console = Console(highlight=False)
        audience: live.JsonEventLines | live.LiveScreen | live.ProgressLines
        if as_json:
            audience = live.JsonEventLines(tournament)
        elif console.is_terminal:
            audience = live.LiveScreen(tournament, console)
        else:
            audience = live.ProgressLines(tournament, sys.stderr)
        with audience:
            trio.run(tournament.run, audience)
        if not as_json:
            print_standings(TournamentSummary(store))
            print_lines(_closing_lines(tournament))
    finally:
        store.close()
    if tournament.was_stopped:
        raise typer.Exit(INTERRUPTED)


def print_standings(summary: TournamentSummary) -> None:
    """Print the standings, what the numbers mean, and each bot's first fault."""
    from pitboss_tournament.showing.standings_table import board_lines, fault_lines, note_lines

    width = terminal_width()
    first = collect_first_faults(summary)
    print_table_lines(board_lines(summary.standings, width, summary.ratings))
    print_lines(note_lines(summary.tally, summary.voids, summary.ratings, summary.variance_reduction))
    for standing in summary.standings:
        if standing.faults or standing.substituted:
            print_lines(fault_lines(standing, first.get(standing.name), summary.store.path))


def print_pairs(summary: TournamentSummary) -> None:
    """Print each two bots side by side, and what the numbers mean."""
    from pitboss_tournament.showing.pair_table import PAIRS_EXPLAINED, order_pairs, pair_lines

    order = [summary.names.index(line.name) for line in summary.standings]
    print_table_lines(pair_lines(order_pairs(summary.comparisons, order), summary.names, terminal_width()))
    print_lines([PAIRS_EXPLAINED])


def print_lines(lines: Iterable[str]) -> None:
    """Print lines of text, folded where the terminal is narrower."""
    from pitboss_tournament.showing.standings_table import fold_lines

    for text, _ in fold_lines(lines, terminal_width()):
        typer.echo(text)


def collect_first_faults(summary: TournamentSummary) -> dict[str, tuple[int, Incident]]:
    """Return the first fault of each bot that has one, with its game."""
    found = {}
    for entrant, by_kind in summary.tally.first_faults.items():
        game, seat = min(by_kind.values())
        incidents = [incident for incident in summary.store.record(game).incidents if incident.fault.seat == seat]
        if incidents:  # there are none only in a damaged store: see `pitboss integrity`
            found[summary.names[entrant]] = (game, incidents[0])
    return found


def _announcement(tournament: Tournament) -> str:
    plan, done = tournament.plan, tournament.games_before
    games = (
        f"{plan.game}, {plan.seats} at a table, seed {plan.seed!r}: "
        f"{len(plan.entrants)} bots, {tournament.total_games:,} games"
    )
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
        f"The games are kept in {tournament.plan.store}: "
        "see `pitboss standings`, `pitboss replay`, `pitboss log`, `pitboss export`."
    )
    return lines
