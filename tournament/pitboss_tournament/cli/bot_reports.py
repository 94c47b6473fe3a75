"""What `pitboss check` prints: the report of a bot, and a table of several."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer
from msgspec import UNSET

from pitboss.testing.framework.check import CheckResult, count_outcomes
from pitboss.text import format_count, join_words
from pitboss_tournament.cli.output import print_check, print_item, print_paragraph, print_table_lines, terminal_width
from pitboss_tournament.text.columns import COLUMN_GAP, format_table
from pitboss_tournament.text.terminal_text import count_cells, escape_line, truncate_cells

if TYPE_CHECKING:
    from pitboss_tournament.bot_checks.suite import BotReport

WIDEST_PIPED: Final = 160  # columns of the table where there is no terminal
MAX_NAMED_GAMES: Final = 3  # of more games, their number
_MARK_WIDTH: Final = 8  # under the marks
_SHORTEST_FAILURE: Final = 30  # columns
_HEADER: Final = ("Bot", "Passed", "Failed")


def print_report(report: BotReport, verbose: bool, repeat: Callable[[str], str]) -> None:
    """Print the report of a bot; `repeat` returns the command that makes a check again."""
    if report.error is not UNSET:
        print_paragraph(f"{report.bot}: {report.error}")
        return

    sandbox = "without a sandbox" if report.sandbox == "none" else f"in a {report.sandbox} sandbox"
    names = report.games if verbose or len(report.games) <= MAX_NAMED_GAMES else [f"{len(report.games)} games"]
    played = f"{format_count(report.whole_games, 'whole game')} of {join_words(names, 'and')} {sandbox}"
    more = f", {format_count(report.decisions, 'decision')}, seed {report.seed}" if verbose else ""
    print_paragraph(f"{report.bot}: {played}{more}")
    typer.echo()
    for result in report.checks:
        if result.outcome == "failed" or result.is_note or verbose:
            _print_result(result, repeat)
    if report.decisions and not report.whole_games and not report.results_with("failed"):
        print_paragraph("No whole game was played: the time was up before one ended. --game-seconds 300 gives it more.")
        typer.echo()
    if not verbose:
        _print_skipped(report)
    if report.left_out is not UNSET:
        others = f", {format_count(report.left_out, 'other')} left out"
        typer.echo(f"{format_count(len(report.checks), 'check')} failed{others}")
        return
    typer.echo(f"{format_count(len(report.checks), 'check')}: {count_outcomes(report.checks)}")


def print_report_table(reports: Mapping[str, BotReport]) -> None:
    """Print a line for each bot with its first failure, the bots that failed last; and how many failed.

    The reports are by what was given as the bot.
    """
    ordered = sorted(reports, key=lambda spec: not reports[spec].is_good)
    counts = [_count_results(reports[spec]) for spec in ordered]
    before = max(count_cells(line.text) for line in format_table(_HEADER, counts)) + len(COLUMN_GAP)
    room = max((terminal_width() or WIDEST_PIPED) - before, _SHORTEST_FAILURE)
    failures = [truncate_cells(_describe_failure(reports[spec], spec), room) for spec in ordered]
    rows = [(*cells, failure) for cells, failure in zip(counts, failures, strict=True)]
    print_table_lines(format_table((*_HEADER, "First failure"), rows, right=_HEADER[1:]))
    failed = sum(not report.is_good for report in reports.values())
    typer.echo(f"\n{format_count(len(reports), 'bot')}: {len(reports) - failed} passed, {failed} failed")


def format_repeat(context: typer.Context, bots: Collection[str], bot: str, check: str) -> str:
    """Return the command that makes this check of one of its `bots` again, and plays the same games."""
    valued = {name for one in context.command.params if not getattr(one, "is_flag", True) for name in one.opts}
    words = sys.argv[1:]
    places = [at for at in range(1, len(words)) if words[at] in bots and words[at - 1] not in valued]
    kept = [bot if at == places[0] else word for at, word in enumerate(words) if at not in places[1:]]
    return shlex.join(["pitboss", *kept, "--only", check])


def _count_results(report: BotReport) -> tuple[str, str, str]:
    """Return the bot's name, and how many checks passed and failed, if any was made."""
    counts = [str(len(report.results_with(outcome))) if report.checks else "-" for outcome in ("passed", "failed")]
    return escape_line(report.bot), counts[0], counts[1]


def _describe_failure(report: BotReport, spec: str) -> str:
    """Return in one line what went wrong first, files by their names within the bot's folder; "" if nothing did."""
    failed = (f"{result.name}: {result.detail}" for result in report.results_with("failed"))
    text = next(failed, "") if report.error is UNSET else report.error
    return escape_line(text.replace(f"{Path(spec).resolve()}/", ""))


def _print_result(result: CheckResult, repeat: Callable[[str], str]) -> None:
    is_finding = result.outcome == "failed" or result.is_note
    print_check(result, f" ({result.detail})" if result.detail and not is_finding else "")
    if not is_finding:
        return
    print_paragraph(f"seen: {result.detail}", _MARK_WIDTH, 6)
    for line in result.stderr.splitlines():
        typer.echo(f"{'':{_MARK_WIDTH}}stderr| {line}")
    print_paragraph(f"cure: {result.advice}", _MARK_WIDTH, 6)
    if result.outcome == "failed":
        typer.echo(f"{'':{_MARK_WIDTH}}again: {repeat(result.name)}")
    typer.echo()


def _print_skipped(report: BotReport) -> None:
    """Say how many checks each failed one has kept from being run."""
    reasons = Counter(result.detail for result in report.results_with("skipped"))
    for reason, number in reasons.items():
        print_item("skip  ", f"{format_count(number, 'check')} skipped: {reason}", colour="cyan")
    if reasons:
        typer.echo()
