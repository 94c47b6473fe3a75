"""`pitboss league`: a folder that people submit bots to: made, served, looked at."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Final, NoReturn

import trio
import typer

from pitboss.errors import ConfigError
from pitboss.text import format_count, join_words
from pitboss_tournament.cli.exit_status import signal_status
from pitboss_tournament.cli.output import print_json, print_lines, print_note, print_table
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.setting_words import read_settings
from pitboss_tournament.cli.tournament_run import find_engine
from pitboss_tournament.cli.web_extra import import_web
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.html.page_parts import capitalize_first
from pitboss_tournament.league.book import Book, open_book
from pitboss_tournament.league.ladder_columns import choose_ladder_columns
from pitboss_tournament.league.ladder_view import make_idle_line
from pitboss_tournament.league.league_field import find_changed_version
from pitboss_tournament.league.league_folder import League, create_folder, find_leagues, read_league
from pitboss_tournament.league.rule_changes import find_next, read_wall_clock
from pitboss_tournament.league.seasons import begin_due_season
from pitboss_tournament.league.similarity.class_similarity import find_similar
from pitboss_tournament.league.similarity.similarity_page import (
    MAX_PAIRS_SHOWN,
    PAIR_HEADINGS,
    PAIR_NUMBERS,
    list_rows,
    render_similarity_page,
    say_compared,
)
from pitboss_tournament.league.stored_ladder import has_tournament
from pitboss_tournament.league.submission import ACTIVE, Submission
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from pitboss_tournament.reporting.plain_summary import GiftSummary, list_gift_summaries
from pitboss_tournament.results.own_settings import list_run_levels, sandbox_text
from pitboss_tournament.results.verdict import gift_lines
from pitboss_tournament.running.worker_pool import PROCESSES
from pitboss_tournament.store.header import SHOWN_DIGITS
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.host_names import is_loopback
from pitboss_tournament.text.terminal_text import escape_line

PREFIX_FORM: Final = re.compile(r"/[A-Za-z0-9][A-Za-z0-9._-]{0,63}")  # of the path below which a league is
MACHINE_SETTINGS: Final = ("workers", "games_at_once", "on", "verify", "pinned")
LATEST: Final = 8  # entries of the audit trail


def init(folder: Path, game: str) -> None:
    """Run `pitboss league init`."""
    made = create_folder(folder, load_registry().find_game(game))
    Book(made.store).close()
    typer.echo(f"{folder} is a league of {game}.\n")
    typer.echo(f"  its rules               {folder / made.file.name}")
    typer.echo(f"  a token for somebody    pitboss token new {folder} --owner NAME")
    typer.echo(f"  serve it                pitboss league run {folder} --port 8000")


def run(
    folder: Path,
    settings: list[str] | None,
    workers: int | None,
    on: str | None,
    host: str,
    port: int,
    name: str | None,
    plays: bool,
    prefix: str,
) -> None:
    """Run `pitboss league run`."""
    with import_web("league run"):
        from pitboss_tournament.league.site.league_server import NEXT_RULES, run_league  # noqa: PLC0415 - an extra

    leagues = find_leagues([folder])
    if leagues != [folder]:
        _run_term(folder, leagues, settings, workers, on, host, port, name, plays)
    if prefix and not PREFIX_FORM.fullmatch(prefix):
        raise ConfigError(f"--prefix {prefix!r}: a path of one part, such as /racko")
    found = read_league(folder, load_registry())
    said = read_settings(settings, MACHINE_SETTINGS, workers=workers, on=on)
    chosen = said.to_file(found.game.name)
    _warn_of_clear_text(host)
    if said_of_season := begin_due_season(found):
        print_note(escape_line(said_of_season))
    change = find_next(found.file.changes, read_wall_clock())
    changes_at = None if change is None else change.at
    serve = partial(run_league, plays=plays, prefix=prefix, changes_at=changes_at)
    ended = trio.run(
        serve,
        found,
        find_engine(chosen.on or PROCESSES.name, chosen.verify or 0.0),
        {name: getattr(chosen, name) for name in MACHINE_SETTINGS},
        host,
        port,
        name or host,
        lambda address: typer.echo(f"The league {escape_line(found.name)} is at {address} (Ctrl-C ends it)"),
        lambda text: print_note(escape_line(text)),
        _wait_for_signal,
    )
    if ended == NEXT_RULES:
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    raise typer.Exit(signal_status(ended) if ended else 0)


async def _wait_for_signal() -> int:
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for number in signals:
            return int(number)
    raise AssertionError("signals do not end")


def _warn_of_clear_text(host: str) -> None:
    if not is_loopback(host):
        print_note(
            f"on {host} tokens, cookies and sources are sent in the clear: whoever is on the way can read them, and "
            "submit in another's name; listen on 127.0.0.1, and let a proxy speak TLS (docs/open-ladder.md)"
        )


def _run_term(
    folder: Path,
    leagues: list[Path],
    settings: list[str] | None,
    workers: int | None,
    on: str | None,
    host: str,
    port: int,
    name: str | None,
    plays: bool,
) -> NoReturn:
    """Serve the leagues in a folder under one address."""
    from pitboss_tournament.league.site.term_server import run_term  # noqa: PLC0415 - it needs an extra

    found = [read_league(one, load_registry()) for one in leagues]
    wrong = [one.name for one in leagues if not PREFIX_FORM.fullmatch(f"/{one.name}")]
    if wrong:
        raise ConfigError(f"the folder {wrong[0]!r} cannot be a path of the address; it has other signs than letters")
    each = workers or max(1, (os.cpu_count() or 1) // len(leagues))
    words = ["--workers", str(each), "--name", name or host, *([] if plays else ["--no-play"])]
    words += [word for one in settings or () for word in ("-s", one)] + (["--on", on] if on else [])
    _warn_of_clear_text(host)
    ended = trio.run(
        run_term,
        [(one, league.name) for one, league in zip(leagues, found, strict=True)],
        folder.resolve().name,
        words,
        host,
        port,
        lambda address: typer.echo(
            f"{join_words((escape_line(one.name) for one in found), 'and')} are at {address} (Ctrl-C ends them)"
        ),
        lambda text: print_note(escape_line(text)),
        _wait_for_signal,
    )
    raise typer.Exit(signal_status(ended) if ended else 0)


def status(folder: Path, as_json: bool) -> None:
    """Run `pitboss league status`."""
    with open_league(folder) as (found, book):
        if as_json:
            _print_status_json(found, book)
        else:
            _print_status(found, book)


def similar(folder: Path, as_json: bool) -> None:
    """Run `pitboss league similar`."""
    with open_league(folder) as (found, book):
        submissions = book.submissions()
        level, warning = resolve_sandbox(found.file.sandbox)
        if warning:
            print_note(warning)
        report = find_similar(found, submissions, level, lambda label: print_note(f"looking at {escape_line(label)}"))
    folders = {one.label: found.folder.bots / one.digest for one in submissions}
    page = folder / "similar.html"
    page.write_text(render_similarity_page(report, folders, found.folder.store), encoding="utf-8")
    if as_json:
        print_json(report)
        return
    rows = list_rows([pair for pair in report.pairs if pair.stands_out][:MAX_PAIRS_SHOWN])
    print_lines(map(escape_line, say_compared(report)))
    typer.echo()
    if rows:
        print_table(PAIR_HEADINGS, rows, PAIR_NUMBERS)
    else:
        typer.echo("No pair stands out.")
    typer.echo(f"\nThe page with what is alike: {escape_line(str(page))}")


@contextmanager
def open_league(folder: Path) -> Iterator[tuple[League, Book]]:
    """Context manager: the league of a folder, and its book."""
    found = read_league(folder, load_registry())
    with closing(open_book(found.folder.store)) as book:
        yield found, book


def _print_status_json(found: League, book: Book) -> None:

    def number(some: list[Submission]) -> list[int]:
        return [one.number for one in some]

    print_json(
        {
            "name": found.name,
            "game": found.game.name,
            "seats": found.seats,
            "sandbox": found.file.sandbox,
            "run_levels": _list_run_levels(found),
            "waiting": number(book.list_waiting()),
            "submissions": book.submissions(),
            "gifts": _list_gifts(found),
            "shared": [{"digest": digest, "submissions": number(same)} for digest, same in book.find_shared()],
            "owners": book.owners(),
            "damaged": [{"number": one.number, "why": why} for one, why in _find_damaged(found, book)],
            "audit": book.audit(),
        }
    )


def _find_damaged(found: League, book: Book) -> Iterator[tuple[Submission, str]]:
    """Yield the versions that should play, and whose files are not those that were submitted, with what is wrong."""
    for one in book.submissions():
        if one.state in ACTIVE and (why := find_changed_version(found, one)):
            yield one, why


@contextmanager
def _open_store(found: League) -> Iterator[Store | None]:
    """Context manager: the store of a league; None if no game was planned."""
    if not has_tournament(found.folder.store):
        yield None
        return
    with closing(Store(found.folder.store)) as store:
        yield store


def _read_summary(found: League) -> StoredFindings | None:
    """Return the results of a league; None if no game was planned."""
    with _open_store(found) as store:
        return None if store is None else StoredFindings(store)


def _list_run_levels(found: League) -> list[str]:
    with _open_store(found) as store:
        return [] if store is None else list_run_levels(store)


def _list_gifts(found: League) -> list[GiftSummary]:
    summary = _read_summary(found)
    return [] if summary is None else list_gift_summaries(summary)


def _print_status(found: League, book: Book) -> None:
    known, waiting = book.submissions(), book.list_waiting()
    typer.echo(f"{escape_line(found.name)}: {found.game.title}, {found.seats} at a table")
    counts = Counter(one.state for one in known)
    said = ", ".join(f"{count} {state}" for state, count in counts.items())
    typer.echo(
        f"{format_count(len(known), 'submission')} of {format_count(len(book.owners()), 'owner')}: {said or '-'}"
    )
    print_lines(filter(None, [sandbox_text(_list_run_levels(found))]))
    if known:
        typer.echo()
        versions = [make_idle_line(one) for one in known]
        shown = [column.shown for column in choose_ladder_columns("status", versions)]
        rows = [[column.text(version) for column in shown] for version in versions]
        heads = [capitalize_first(column.heading) for column in shown]
        print_table(heads, rows, [head for head, column in zip(heads, shown, strict=True) if column.kind == "number"])
    if waiting:
        typer.echo(f"\nqueued: {', '.join(f'{one.number} ({one.label})' for one in waiting)}")
    for one, why in _find_damaged(found, book):
        typer.echo(f"\n{one.label} of {one.owner} does not play: {escape_line(why)}")
    for digest, same in book.find_shared():
        whose = ", ".join(f"{one.label} of {one.owner} ({one.number})" for one in same)
        typer.echo(f"\nthe same files, {digest[:SHOWN_DIGITS]}: {whose}")
    if (summary := _read_summary(found)) is not None and (lines := list(gift_lines(summary))):
        typer.echo()
        print_lines(lines)
    if latest := book.audit(LATEST):
        typer.echo("\nThe latest lines of the audit trail; --json has all:")
        for entry in latest:
            typer.echo(f"  {entry.at}  {escape_line(entry.who)}: {entry.what}: {escape_line(entry.about)}")
