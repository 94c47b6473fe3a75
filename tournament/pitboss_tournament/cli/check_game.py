"""`pitboss check-game`: whether a game keeps the promises that every game makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli.parameters import GameName, Given, Json

if TYPE_CHECKING:
    from pitboss.testing import Report


def check_game(
    game: GameName,
    seats: Annotated[
        list[int] | None, typer.Option("--seats", metavar="N", help="How many play; may be given again; by default all that can.")
    ] = None,
    preset: Annotated[
        list[str] | None,
        typer.Option("--preset", "-p", metavar="NAME", help="A preset to check; may be given again; by default all."),
    ] = None,
    option: Given = None,
    games: Annotated[int, typer.Option("--games", "-n", metavar="N", min=1, help="Games to play at each table.")] = 2,
    seed: Annotated[str, typer.Option("--seed", metavar="TEXT", help="All follows from it.")] = "conformance",
    as_json: Json = False,
) -> None:
    """Put a game through the conformance suite: one line a check. The exit status is 1 if a check failed.

    With --json: an object with game, seed, tables, games, decisions and checks, each with name, promise, outcome ("passed", "failed" or
    "not applicable") and detail.
    """
    import msgspec

    from pitboss import testing
    from pitboss_tournament.cli.given import option_values
    from pitboss_tournament.cli.installed import registry
    from pitboss_tournament.cli.printing import print_json

    played = registry().game(game)
    options = option_values(played, option or ()) or None
    report = testing.check_game(played, seats=seats, presets=preset, options=options, games=games, seed=seed)
    if as_json:
        print_json({**msgspec.structs.asdict(report), "seed": seed})
    else:
        _print(report, played.title, seed)
    if report.failed:
        raise typer.Exit(1)


_WORDS = {"passed": "ok", "failed": "FAILED", "not applicable": "n/a"}


def _print(report: Report, title: str, seed: str) -> None:
    from pitboss_tournament.cli.printing import print_item
    from pitboss_tournament.planning.wording import counted

    typer.echo(f"{title}, seed {seed}: {counted(report.games, 'game')}, {counted(report.decisions, 'decision')}\n")
    for one in report.checks:
        print_item(f"{_WORDS[one.outcome]:6}", f"{one.name}: {one.promise}")
    for one in report.failed:
        typer.echo(f"\n{one.name} failed: {one.detail}")
    count = len(report.failed)
    typer.echo(f"\n{counted(len(report.checks), 'promise')}, {f'{count} broken' if count else 'all kept'}")
