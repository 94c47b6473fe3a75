"""`pitboss check`: whether a bot keeps the promises that every bot should make, and what to do if it does not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pitboss_tournament.cli import completion
from pitboss_tournament.cli.key_value_args import parse_limits
from pitboss_tournament.cli.output import print_item, print_json, print_paragraph, progress_line
from pitboss_tournament.cli.parameters import DecisionMs, GameMs, IncrementMs, Json, Limit, MarginMs, Sandbox, StartMs
from pitboss_tournament.cli.registry import load_registry

if TYPE_CHECKING:
    from pitboss.game import AnyGame
    from pitboss.plugins import Registry
    from pitboss_tournament.checks.bot_check import BotCheckResult, BotReport

_COLOURS: Final = {"kept": "green", "broken": "red", "note": "yellow", "skipped": "cyan"}
_WORDS: Final = {"kept": "ok", "broken": "BROKEN", "note": "note", "skipped": "n/a"}
_MARK_WIDTH: Final = 8  # under the marks


def check(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="A folder with a bot.toml, a command in quotes, or a name from `pitboss bots`.",
            autocompletion=completion.complete_bots,
            show_default=False,
        ),
    ],
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            help="A game to play; may be given again; by default all that the bot says it plays.",
            autocompletion=completion.complete_games,
        ),
    ] = None,
    seats: Annotated[
        list[int] | None,
        typer.Option("--seats", metavar="N", help="How many play; may be given again; by default all that can."),
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", metavar="K", min=1, help="Games to play at each table.")] = 1,
    game_seconds: Annotated[
        float, typer.Option(metavar="S", min=0.1, help="The games at one table are cut short after so many seconds.")
    ] = 5.0,
    seed: Annotated[str, typer.Option(help="All deals and all choices of the opponents follow from it.")] = "check",
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only", metavar="CHECK", help="A check to make, after those that it builds upon; may be given again."
        ),
    ] = None,
    decision_ms: DecisionMs = 1_000,
    start_ms: StartMs = 10_000,
    game_ms: GameMs = None,
    increment_ms: IncrementMs = 0,
    margin_ms: MarginMs = 10,
    sandbox: Sandbox = "auto",
    limit: Limit = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show the promises that were kept, too.")] = False,
    as_json: Json = False,
) -> None:
    """Check a bot: does it start, speak the protocol, play whole games in time, and end? Each broken promise comes with a cure.

    The exit status is 1 if a promise was broken. With --json: one object, of which `pitboss schema check` has the schema.
    """
    from msgspec.structs import replace

    from pitboss.protocol.messages import Clock
    from pitboss_tournament.checks.bot_under_test import resolve_bot
    from pitboss_tournament.checks.suite import check_bot, select_checks
    from pitboss_tournament.processes.sandbox import resolve_sandbox

    mode, warning = resolve_sandbox(sandbox)
    clock = Clock(
        start_ms=start_ms, decision_ms=decision_ms, game_ms=game_ms, increment_ms=increment_ms, margin_ms=margin_ms
    )
    found = replace(
        resolve_bot(bot, load_registry(), Path.cwd(), _select_games(load_registry(), game or ()), clock),
        sandbox=mode,
        limits=parse_limits(limit or (), Path.cwd()),
        seed=seed,
        rounds=games,
        game_seconds=game_seconds,
        seats=tuple(seats) if seats else None,
    )
    found.first_table()  # or there is no such table
    checks = select_checks(only or ())
    with progress_line() as show:
        done = count(1)
        report = check_bot(
            found,
            load_registry(),
            only or (),
            lambda result: show(f"{next(done)} of {len(checks)}: {result.name}"),
        )
    if as_json:
        print_json(report)
    else:
        for note in (warning, *found.unmet_limits):
            print_paragraph(note or "")
        _print_report(report, verbose)
    if report.results_with("broken"):
        raise typer.Exit(1)


def _select_games(registry: Registry, names: Sequence[str]) -> tuple[AnyGame, ...]:
    return tuple(registry.find_game(name) for name in dict.fromkeys(names))


def _print_report(report: BotReport, verbose: bool) -> None:
    from pitboss.text import format_count, join_words

    sandbox = "in a bubblewrap sandbox" if report.sandbox == "bubblewrap" else "without a sandbox"
    about = f"{report.bot}: {format_count(report.decisions, 'decision')} in whole games of {join_words(report.games, 'and')}, seed {report.seed}, {sandbox}"
    print_paragraph(about)
    typer.echo()
    for verdict in report.checks:
        if verdict.outcome in ("broken", "note") or verbose:
            _print_result(verdict)
    if not verbose:
        _print_skipped(report)
    broken, kept, notes, skipped = (
        len(report.results_with(outcome)) for outcome in ("broken", "kept", "note", "skipped")
    )
    parts = [
        f"{kept} kept",
        f"{broken} broken",
        *([format_count(notes, "note")] if notes else []),
        *([f"{skipped} skipped"] if skipped else []),
    ]
    typer.echo(f"{format_count(len(report.checks), 'check')}: {', '.join(parts)}")


def _print_result(verdict: BotCheckResult) -> None:

    seen = f" ({verdict.seen})" if verdict.outcome in ("kept", "skipped") and verdict.seen else ""
    print_item(
        f"{_WORDS[verdict.outcome]:6}", f"{verdict.name}: {verdict.promise}{seen}", colour=_COLOURS[verdict.outcome]
    )
    if verdict.outcome in ("kept", "skipped"):
        return
    print_paragraph(f"seen: {verdict.seen}", _MARK_WIDTH, 6)
    for line in verdict.stderr.splitlines():
        typer.echo(f"{'':{_MARK_WIDTH}}stderr| {line}")
    print_paragraph(f"cure: {verdict.cure}", _MARK_WIDTH, 6)
    typer.echo()


def _print_skipped(report: BotReport) -> None:
    """Say how many checks each broken one has kept from being made."""
    from pitboss.text import format_count

    reasons: dict[str, int] = {}
    for verdict in report.results_with("skipped"):
        if verdict.seen.endswith(" is broken"):
            reasons[verdict.seen] = reasons.get(verdict.seen, 0) + 1
    for reason, skipped in reasons.items():
        print_item(
            f"{_WORDS['skipped']:6}",
            f"{format_count(skipped, 'check')} could not be made: {reason}",
            colour=_COLOURS["skipped"],
        )
    if reasons:
        typer.echo()
