"""`pitboss arena`: programs that write bots, in rounds of editing and play."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import typer

from pitboss.errors import ConfigError
from pitboss.text import format_count, join_words
from pitboss_tournament.arena.arena_audit import audit_arena, repeat_round
from pitboss_tournament.arena.arena_folder import Arena, create_arena, hold_arena, read_arena
from pitboss_tournament.arena.arena_page import render_arena_page, render_games_page
from pitboss_tournament.arena.beginning import begin_arena, read_secret
from pitboss_tournament.arena.edit_phase import edit_bots
from pitboss_tournament.arena.feedback import NOT_DISTINGUISHED, write_feedback
from pitboss_tournament.arena.freezing import enter_frozen, freeze_bots, validate_bots
from pitboss_tournament.arena.journal import (
    GAME_KINDS,
    Drawn,
    Ended,
    GameKind,
    Journal,
    Played,
    Revealed,
    derive_seed,
)
from pitboss_tournament.arena.matches import plan_tables
from pitboss_tournament.arena.measures import ArenaReport, read_scores, report_arena
from pitboss_tournament.arena.over_games import compare_games
from pitboss_tournament.arena.report_lines import audit_lines, game_lines, report_lines
from pitboss_tournament.arena.workspace import delete_folder, put_given
from pitboss_tournament.cli.exit_status import signal_status
from pitboss_tournament.cli.output import print_json, print_lines, print_note, print_table_lines
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.tournament_run import open_tournament, play_games
from pitboss_tournament.cli.whole_file import write_whole_file
from pitboss_tournament.exchange.export import digest_records
from pitboss_tournament.exchange.pooling import merge_stores
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.text.terminal_text import escape_line

PAGE: Final = "report.html"


def init(folder: Path, game: str, preset: str | None, rounds: int, entrants: Path | None) -> None:
    """Run `pitboss arena init`."""
    made = create_arena(folder, load_registry().find_game(game), preset, rounds, entrants)
    typer.echo(f"{made.file} says what is played, and who takes part; `pitboss arena run {folder}` plays it.")


def run(folder: Path) -> None:
    """Run `pitboss arena run`."""
    _play(folder, all_rounds=True)


def play_round(folder: Path) -> None:
    """Run `pitboss arena round`."""
    _play(folder, all_rounds=False)


def report(folders: list[Path], output: Path | None, as_json: bool) -> None:
    """Run `pitboss arena report`."""
    reports = [_read_report(folder) for folder in folders]
    if len(reports) == 1:
        if as_json:
            print_json(reports[0])
        else:
            print_table_lines(report_lines(reports[0]))
        page = render_arena_page(reports[0])
    else:
        over = compare_games(reports)
        if as_json:
            print_json(over)
        else:
            print_table_lines(game_lines(over))
        page = render_games_page(over, reports)
    if output is not None:
        with write_whole_file(output) as part:
            part.write_text(page, encoding="utf-8")


def audit(folder: Path, again: int | None, as_json: bool) -> None:
    """Run `pitboss arena audit`."""
    arena = read_arena(folder, load_registry())
    found = audit_arena(arena)
    if again is not None:
        found = [*found, *repeat_round(arena, again, _play_tables)]
    if as_json:
        print_json(found)
    else:
        print_lines(audit_lines(found))
    if any(not one.is_good for one in found):
        raise typer.Exit(1)


def _read_report(folder: Path) -> ArenaReport:
    arena = read_arena(folder, load_registry())
    return report_arena(arena, Journal(arena.folder.journal))


def _play(folder: Path, *, all_rounds: bool) -> None:
    """Play the rounds that are left, or the next one.

    Raises:
        Exit: somebody stopped it.
    """
    arena = read_arena(folder, load_registry())
    with hold_arena(arena.folder):
        journal = Journal(arena.folder.journal)
        begin_arena(arena, journal)
        freeze_bots(arena, journal, 0)
        validate_bots(arena, journal, 0, print_note)
        _check_starters(arena, journal)
        if journal.ended_rounds >= arena.file.rounds:
            typer.echo(f"All {format_count(arena.file.rounds, 'round')} of {arena.title} are over.")
        while journal.ended_rounds < arena.file.rounds:
            _play_round(arena, journal, journal.ended_rounds + 1)
            if not all_rounds:
                break
        if journal.ended_rounds >= arena.file.rounds and journal.revealed is None:
            journal.add(Revealed(secret=read_secret(arena, journal)))
        page = arena.folder.root / PAGE
        found = report_arena(arena, journal)
        with write_whole_file(page) as part:
            part.write_text(render_arena_page(found), encoding="utf-8")
        print_table_lines(report_lines(found))
        print_lines([f"{page} shows it in the browser."])


def _check_starters(arena: Arena, journal: Journal) -> None:
    valid = journal.choose_versions(0, list(arena.file.entrants))
    if missing := [name for name in arena.file.entrants if name not in valid]:
        raise ConfigError(
            f"{arena.folder.file}: the bot that {join_words(missing, 'and')} would begin with does not play (see "
            "above); mend what it lacks, and make another arena: `pitboss arena init`"
        )


def _play_round(arena: Arena, journal: Journal, number: int) -> None:
    folder = arena.folder
    folder.round(number).mkdir(parents=True, exist_ok=True)
    typer.echo(f"Round {number} of {arena.file.rounds}")
    edit_bots(arena, journal, number, print_note)
    digests = freeze_bots(arena, journal, number)
    if journal.find_drawn(number) is None:
        journal.add(Drawn(round=number, digests=digests))
    validate_bots(arena, journal, number, print_note)
    for kind in GAME_KINDS:
        _play_games(arena, journal, number, kind)
    scores = {kind: found for kind in GAME_KINDS if (found := read_scores(arena, number, kind)) is not None}
    for name in arena.file.entrants:
        write_feedback(arena, journal, number, scores, name)
        put_given(folder.given(name), folder.workspace(name))
    journal.add(Ended(round=number))
    delete_folder(folder.round(number) / "before")
    print_lines([escape_line(f"Round {number}: {scores['judged'].winner or NOT_DISTINGUISHED}")])


def _play_games(arena: Arena, journal: Journal, number: int, kind: GameKind) -> None:
    """Play the games of a round on one kind of deals, unless that is done, and note them."""
    if journal.find_played(number, kind) is not None:
        return
    versions = journal.choose_versions(number, list(arena.file.entrants))
    seed = find_seed(arena, journal, number, kind)
    deals = arena.file.judge.practice if kind == "practice" else arena.file.judge.deals
    store = arena.folder.store(number, kind)
    entrants = [enter_frozen(arena, name, digest) for name, digest in versions.items()]
    _play_tables(plan_tables(arena, entrants, store, deals=deals, seed=seed), store)
    games, records = digest_records(store)
    journal.add(Played(round=number, kind=kind, seed=seed, bots=dict(versions), games=games, records=records))


def find_seed(arena: Arena, journal: Journal, number: int, kind: GameKind) -> str:
    """Return the seed of a round's deals.

    Raises:
        ConfigError: the secret cannot be read.
    """
    drawn = journal.find_drawn(number)
    assert journal.begun is not None
    assert drawn is not None
    return journal.begun.practice_seed if kind == "practice" else derive_seed(read_secret(arena, journal), drawn[1])


def _play_tables(tables: Sequence[Plan], store: Path) -> None:
    """Play the games of a round, or what is left of them, into a store.

    Raises:
        Exit: somebody stopped it.
    """
    for plan in tables:
        with open_tournament(plan) as tournament:
            play_games(tournament, as_events=False, is_quiet=True)
        if tournament.stop_signal is not None:
            raise typer.Exit(signal_status(tournament.stop_signal))
    if len(tables) > 1 and not store.exists():
        part = store.with_name(f".part-{store.name}")
        for ending in ("", "-wal", "-shm"):
            part.with_name(f"{part.name}{ending}").unlink(missing_ok=True)
        merge_stores([plan.store for plan in tables], part)
        part.rename(store)
