"""`pitboss check-game`: run the conformance checks of games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli.key_value_args import parse_options
from pitboss_tournament.cli.output import print_check, print_json
from pitboss_tournament.cli.parameters import GameName, Json, OptionWords
from pitboss_tournament.cli.registry import load_registry

if TYPE_CHECKING:
    from pitboss.testing import ConformanceReport


def check_game(
    game: GameName,
    seats: Annotated[
        list[int] | None,
        typer.Option("--seats", metavar="N", help="How many play; may be given again; by default all that can."),
    ] = None,
    preset: Annotated[
        list[str] | None,
        typer.Option("--preset", "-p", metavar="NAME", help="A preset to check; may be given again; by default all."),
    ] = None,
    option: OptionWords = None,
    games: Annotated[int, typer.Option("--games", "-n", metavar="N", min=1, help="Games to play at each table.")] = 2,
    seed: Annotated[str, typer.Option("--seed", metavar="TEXT", help="All follows from it.")] = "conformance",
    as_json: Json = False,
) -> None:
    """Put a game through the conformance suite: one line a check. The exit status is 1 if a check failed.

    With --json: an object with game, seed, tables, games, decisions and checks, each with name, promise, outcome
    ("passed", "failed" or "not applicable") and detail.
    """
    from pitboss import testing

    played = load_registry().find_game(game)
    options = parse_options(played, option or ()) or None
    report = testing.check_game(played, seats=seats, presets=preset, options=options, games=games, seed=seed)
    if as_json:
        print_json({**report.to_json(), "seed": seed})
    else:
        _print_report(report, played.title, seed)
    if report.failures:
        raise typer.Exit(1)


def _print_report(report: ConformanceReport, title: str, seed: str) -> None:
    from pitboss.testing.framework.check import count_outcomes
    from pitboss.text import format_count

    typer.echo(
        f"{title}, seed {seed}: {format_count(report.games, 'game')}, {format_count(report.decisions, 'decision')}\n"
    )
    for result in report.checks:
        print_check(result)
    for result in report.failures:
        typer.echo(f"\n{result.name} failed: {result.detail}")
    typer.echo(f"\n{format_count(len(report.checks), 'check')}: {count_outcomes(report.checks)}")
