"""`pitboss queue`: comparisons that run one after another, as overnight."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

import typer
from msgspec.structs import replace

from pitboss.text import format_count, join_words
from pitboss_tournament.bot_checks.admission import find_first_incidents
from pitboss_tournament.cli.comparison import open_comparison, verdict_status
from pitboss_tournament.cli.error_report import describe_mistake, is_no_bug, report_error
from pitboss_tournament.cli.exit_status import (
    NO_VERDICT,
    UNDECIDED,
    signal_status,
)
from pitboss_tournament.cli.output import print_json, print_note, print_table
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.setting_words import COMPARISON_SETTINGS, read_settings
from pitboss_tournament.cli.tournament_run import list_complaints, play_games
from pitboss_tournament.comparison_queue.git_revisions import find_uncommitted, resolve_revision
from pitboss_tournament.comparison_queue.listing import QUEUE_HEADING, list_comparisons, queue_rows
from pitboss_tournament.comparison_queue.queue_folder import ComparisonQueue, QueuedBot, QueueEntry, find_queue_folder
from pitboss_tournament.config.defaults import draw_seed
from pitboss_tournament.config.entrants import check_entrant
from pitboss_tournament.config.versions import ComparisonSettings, check_bounds, check_table
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.plan.plan import StopBounds
from pitboss_tournament.running.run_end import RunLimits
from pitboss_tournament.showing.plain_summary import collect_first_faults
from pitboss_tournament.showing.standings_table import fault_lines
from pitboss_tournament.showing.version_comparison import announce_comparison, describe_comparison
from pitboss_tournament.store.rows import utc_now
from pitboss_tournament.text.terminal_text import escape_line

if TYPE_CHECKING:
    from pitboss_tournament.running.tournament import Tournament

SAID_LINES: Final = 20  # of a bot's standard error, the last ones


def add(
    game: str,
    old: str,
    new: str,
    folder: Path | None,
    bounds: tuple[float, float],
    alpha: float,
    beta: float,
    games: int,
    among: str | None,
    seats: int | None,
    preset: str | None,
    option: list[str] | None,
    seed: str | None,
    settings: list[str] | None,
    workers: int | None,
    sandbox: str | None,
    fail_on_faults: bool,
) -> None:
    """Run `pitboss queue add`."""
    base, registry = Path.cwd(), load_registry()
    said = read_settings(
        settings,
        [one for one in COMPARISON_SETTINGS if one != "store"],
        option=option or (),
        seats=seats,
        preset=preset,
        seed=seed,
        workers=workers,
        sandbox=sandbox,
    )
    given = said.to_file(game)
    comparison = ComparisonSettings(
        settings=replace(given, seed=given.seed or draw_seed()),
        bounds=StopBounds(low=bounds[0], high=bounds[1], alpha=alpha, beta=beta),
        most_games=games,
        among=among,
        fails_on_faults=fail_on_faults,
    )
    check_bounds(comparison.bounds)
    check_table(comparison, registry)
    found = ComparisonQueue.make(folder or find_queue_folder(base))

    def make(number: int, bots: list[QueuedBot]) -> QueueEntry:
        for bot in bots:
            check_entrant(found.find_bot(bot), registry, base, game)
        return QueueEntry(
            number=number,
            added=utc_now(),
            base=str(base),
            old=bots[0],
            new=bots[1],
            among=next(iter(bots[2:]), None),
            comparison=comparison,
        )

    entry = found.add((old, new, among), base, registry, make)
    for note in _list_notes(entry, base):
        print_note(note)
    typer.echo(f"{_escape(entry.title)}: waits in {found.folder}; `pitboss queue run` plays it.")


def run(folder: Path | None, play_for: float | None, keep_going: bool) -> None:
    """Run `pitboss queue run`."""
    found = _open_queue(folder)
    until = None if play_for is None else monotonic() + play_for
    worst = 0
    with found.lock_run():
        while (left := _seconds_left(until)) is None or left > 0:
            if (entry := found.begin_next()) is None:
                break
            ended = _play_entry(found, entry, until, keep_going)
            if ended is None:  # held: the time is up, or somebody asked for it
                break
            found.write(ended)
            worst = max(worst, _print_end(ended))
        if waiting := sum(entry.is_open for entry in found.entries()):
            print_note(f"{format_count(waiting, 'comparison')} still to be played; `pitboss queue run` carries on")
            worst = max(worst, UNDECIDED)
    if worst:
        raise typer.Exit(worst)


def list_queue(folder: Path | None, as_json: bool) -> None:
    """Run `pitboss queue list`."""
    listed = list_comparisons(_open_queue(folder))
    if as_json:
        print_json(listed)
        return
    if not listed:
        typer.echo("The queue is empty.")
        return
    print_table(QUEUE_HEADING, [tuple(map(_escape, row)) for row in queue_rows(listed)], (QUEUE_HEADING[0],))
    for one in listed:
        if one.why[1:]:
            typer.echo(f"\n{one.number} failed:")
            _print_evidence(one.why, is_error=False)


def remove(number: int, folder: Path | None) -> None:
    """Run `pitboss queue remove`."""
    typer.echo(f"{_escape(_open_queue(folder).remove(number).title)}: removed.")


def _open_queue(folder: Path | None) -> ComparisonQueue:
    return ComparisonQueue(folder or find_queue_folder(Path.cwd()))


def _list_notes(entry: QueueEntry, base: Path) -> Iterator[str]:
    """Yield what a person may have thought otherwise about what is compared."""
    for bot in (entry.old, entry.new, entry.among):
        if bot is not None and bot.commit and (files := find_uncommitted(resolve_revision(bot.spec, base))):
            some = [*files[:3], *(["others"] if files[3:] else [])]
            yield _escape(f"{bot.spec} is the commit, without what is not committed: {join_words(some, 'and')}")
    if entry.old.digest and entry.old.digest == entry.new.digest:
        yield "OLD and NEW consist of the same files"


def _play_entry(queue: ComparisonQueue, entry: QueueEntry, until: float | None, keep_going: bool) -> QueueEntry | None:
    """Play a comparison; return its entry as it has ended or failed, None if the run is to begin no more games.

    Raises:
        Exit: somebody stopped it.
        PitbossError: an error that is no bot's, without `keep_going` (or in an exception group).
    """
    try:
        return _play_open(queue, entry, until)
    except typer.Exit:
        raise
    except Exception as error:
        why = describe_mistake(error)
        if not why and not (keep_going and is_no_bug(error)):
            raise
        if not why:
            report_error(error)
            why = [" ".join(str(error).split())]
        return replace(entry, state="failed", why=tuple(why))


def _play_open(queue: ComparisonQueue, entry: QueueEntry, until: float | None) -> QueueEntry | None:
    left = _seconds_left(until)
    with open_comparison(
        _place_comparison(queue, entry),
        queue.find_bot(entry.old),
        queue.find_bot(entry.new),
        Path(entry.base),
        hidden=[queue.folder],
        shows_builds=False,
        limits=RunLimits(None if left is None else max(left, 0.001)),
    ) as tournament:
        if not tournament.games_before and (why := _find_start_failures(tournament)):
            return replace(entry, state="failed", why=tuple(why))
        print_note(f"{entry.number}: {announce_comparison(tournament)}")
        play_games(tournament, as_events=False, is_quiet=True)
        if tournament.stop_signal is not None:
            raise typer.Exit(signal_status(tournament.stop_signal))
        if tournament.end_cause in ("time", "request"):
            return None
        if complaints := list_complaints(tournament, entry.comparison.fails_on_faults):
            return replace(entry, state="failed", why=(*complaints, *_list_fault_lines(tournament)))
        return replace(entry, state="ended", report=describe_comparison(tournament, has_hint=False))


def _place_comparison(queue: ComparisonQueue, entry: QueueEntry) -> ComparisonSettings:
    """Return the comparison with its store, and the bot that has the other seats as it is called in the queue."""
    settings = replace(entry.comparison.settings, store=str(queue.store(entry)))
    among = None if entry.among is None else queue.find_bot(entry.among)
    return replace(entry.comparison, settings=settings, among=among)


def _find_start_failures(tournament: Tournament) -> list[str]:
    """Return why bots cannot play: one whose process fails at its start or its first decision would lose each game, and
    two of them would tie to the limit of games.
    """
    game = load_registry().find_game(tournament.plan.game)
    compared = {tournament.plan.stop.bot, tournament.plan.stop.better_than} if tournament.plan.stop else set()
    bots = [bot for bot in tournament.plan.entrants if bot.name in compared]
    lines: list[str] = []
    for name, incident in find_first_incidents(tournament.plan, game, bots).items():
        if incident.fault.kind in ("never_started", "crashed", "ended_early", "out_of_memory"):
            lines.append(f"{name} cannot play: {incident.fault.kind}: {incident.fault.message}")
            lines += incident.last_words.splitlines()[-SAID_LINES:]
    return lines


def _list_fault_lines(tournament: Tournament) -> Iterator[str]:
    """Yield the faults of each bot, and its first one with its standard error then."""
    summary = StoredFindings(tournament.store)
    first = collect_first_faults(summary)
    for standing in summary.standings:
        if standing.faults or standing.substituted:
            yield from fault_lines(standing, first.get(standing.name), summary.store.path)


def _print_end(entry: QueueEntry) -> int:
    """Print a line about a comparison that has ended or failed, with the evidence on standard error; return its exit
    status.
    """
    if entry.report is None:
        typer.echo(_escape(f"{entry.title}: failed: {next(iter(entry.why), '')}"))
        _print_evidence(entry.why[1:], is_error=True)
        return NO_VERDICT
    typer.echo(_escape(f"{entry.title}: {entry.report.sentence}"))
    return verdict_status(entry.report)


def _print_evidence(lines: tuple[str, ...], is_error: bool) -> None:
    for line in lines:
        typer.echo(f"    {_escape(line)}", err=is_error)


def _escape(text: str) -> str:
    return escape_line(text)


def _seconds_left(until: float | None) -> float | None:
    return None if until is None else until - monotonic()
