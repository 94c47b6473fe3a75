"""A tournament played from the command line: its progress, its standings, and the exit status."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

import trio
import typer
from msgspec.structs import replace

from pitboss import __version__
from pitboss.errors import ConfigError
from pitboss.text import format_count
from pitboss_tournament.cli.error_hints import print_hints
from pitboss_tournament.cli.exit_status import BOT_FAULTS, signal_status
from pitboss_tournament.cli.output import print_lines, print_note
from pitboss_tournament.cli.registry import find_offer, load_registry
from pitboss_tournament.cli.standings_output import print_standings
from pitboss_tournament.counting.stored_findings import StoredFindings, keep_findings, kept_luck
from pitboss_tournament.formats.selection import check_plan
from pitboss_tournament.match.game_length import describe_long_game
from pitboss_tournament.plan.plan import Admission, Plan, require_bot
from pitboss_tournament.processes.memory_folder import check_new_memories
from pitboss_tournament.results.notes import format_fault_counts, format_kinds
from pitboss_tournament.rounds.round_replay import find_next_round
from pitboss_tournament.running.engine import Engine
from pitboss_tournament.running.run_end import NO_LIMITS, RunLimits
from pitboss_tournament.running.worker_pool import PROCESSES, list_worker_setups
from pitboss_tournament.running.worker_process import fork_workers
from pitboss_tournament.showing import live
from pitboss_tournament.showing.live import HOLD_SENTENCES
from pitboss_tournament.store.database import StoreError
from pitboss_tournament.store.field_changes import FieldChanges, list_newcomers
from pitboss_tournament.store.game_code import digest_game
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store

if TYPE_CHECKING:
    from pitboss.game import AnyGame
    from pitboss_tournament.counting.tally import Standing
    from pitboss_tournament.running.tournament import Tournament

MANY_GAMES: Final = 10  # whose length is announced


def play_plan(
    plan: Plan,
    limits: RunLimits,
    as_json: bool,
    fail_on_faults: bool,
    explains: bool | None,
    again: str = "the same command",
    *,
    has_versions: bool,
    on_end: Callable[[Tournament], None] | None = None,
    replayed_models: Path | None = None,
    reload: Callable[[], Plan] | None = None,
) -> None:
    """Play the rest of a tournament, within the limits of the run; print its progress and its standings.

    `explains`: whether numbers are explained; None: as usual; False: the result is printed alone. `again`: what carries
    on if it ends before the tournament.

    Bots may have joined or left since the last run; with `has_versions` those that changed are other versions.
    `on_end` is called when the run has ended, whatever ended it, and its store is still open. `reload`: returns the
    plan with which it goes on if `limits.has_changed`.

    Raises:
        Exit: a person stopped it, or a bot never played, or, with `fail_on_faults`, committed a fault.
    """
    changes = FieldChanges(has_versions, find_next_round)
    began = monotonic()
    with open_tournament(plan, limits, changes, replayed_models) as tournament:
        if not as_json and explains is not False:
            print_lines(_announce(tournament))
        play_games(tournament, as_json, has_result_alone=explains is False)
        is_changed = reload is not None and tournament.end_cause == "change"
        played = tournament.running_standings.games - tournament.games_before
        if on_end is not None:
            on_end(tournament)
        if not as_json and not is_changed:
            summary = StoredFindings(tournament.store, luck=kept_luck(tournament.store))
            is_brief = explains is False
            print_standings(summary, keeps_store=plan.keeps_store, explains=explains is True, is_brief=is_brief)
            if not is_brief:
                print_lines(_closing_lines(tournament, again))
    if reload is None or not is_changed:
        check_end(tournament, fail_on_faults)
        return
    play_plan(
        reload(),
        limits.shorten(monotonic() - began, played),
        *(as_json, fail_on_faults, explains, again),
        has_versions=has_versions,
        on_end=on_end,
        replayed_models=replayed_models,
        reload=reload,
    )


@contextmanager
def open_tournament(
    plan: Plan,
    limits: RunLimits | None = None,
    changes: FieldChanges | None = None,
    replayed_models: Path | None = None,
) -> Iterator[Tournament]:
    """Context manager: open the store of a tournament, and begin a run; print the warnings of the plan.

    To be called before trio runs: the workers of this machine are forked first, while little is in memory.

    `changes`: how the plan's bots may differ from those of the store; by default they may not. `replayed_models`: the
    store with all answers of language models.
    """
    for warning in plan.warnings:
        print_note(warning)
    game = load_registry().find_game(plan.game)
    engine = find_engine(plan.engine, plan.verify)
    if plan.admission is not None:
        plan = _admit_bots(plan, game, plan.admission)
    limits = limits or NO_LIMITS
    if limits.games and engine is PROCESSES:  # a worker more would take a game that another one is ready to play
        plan = replace(plan, workers=min(plan.workers, limits.games))
    setups = list_worker_setups(plan) if engine is PROCESSES else ()
    with fork_workers(setups, game):
        from pitboss_tournament.running.tournament import Tournament  # noqa: PLC0415 - workers are forked before it

        store = Store.for_run(plan.store, make_header(plan, game.version, __version__, digest_game(game)), changes)
        for note in store.notes:
            print_note(note)
        try:
            if not store.count_games():
                check_new_memories(plan.entrants)
            replayed = None if replayed_models is None else _open_replayed(replayed_models, plan)
            tournament = Tournament(plan, game, store, engine, limits, replayed_calls=replayed)
            store.begin_run(tournament.games_before, tournament.total_games)
            yield tournament
        finally:
            store.close()


def _open_replayed(path: Path, plan: Plan) -> Store:
    """Return the store from which the answers of language models are taken.

    Raises:
        ConfigError: it has none, or it is the one that is played into.
    """
    if path.resolve() == plan.store.resolve():
        raise ConfigError(f"--replay-models: {path} is played into; move it away to play its games again")
    store = Store(path)
    if not store.calls.has_any():
        raise ConfigError(f"--replay-models: in {path} no language model was asked")
    return store


def find_engine(said: str, verify: float) -> Engine:
    """Return the engine that `said` names, perhaps with an address, for a run that verifies `verify` percent of games.

    Raises:
        ConfigError: no engine has this name, or the engine takes no address, or cannot be verified.
    """
    engine = find_offer("--on", said.partition(":")[0], "pitboss_engines", Engine)
    if ":" in said and not engine.address:
        raise ConfigError(f"--on: engine {engine.name} takes no address; got {said!r}")
    if verify and engine is PROCESSES:
        raise ConfigError("verify needs an engine on other machines (--on)")
    return engine


def _admit_bots(plan: Plan, game: AnyGame, admission: Admission) -> Plan:
    """Let the bots that are new in a store show that they play; return the plan, with why some do not.

    Raises:
        ConfigError: too few are left.
    """
    from pitboss_tournament.bot_checks.admission import find_unfit  # noqa: PLC0415 - few tournaments admit bots

    header = make_header(plan, game.version, __version__, digest_game(game))
    newcomers = list_newcomers(Store(plan.store).header if plan.store.exists() else None, header)
    new = [name for name in newcomers if name not in plan.unfit]
    if not new:
        return plan
    print_note(f"admission: {format_count(len(new), 'new bot')} to play {format_count(admission.games, 'game')}")
    unfit = find_unfit(plan, game, admission, [entrant for entrant in plan.entrants if entrant.name in new])
    for name, why in unfit.items():
        print_note(f"{name} is left out: {why}")
    unfit = {**plan.unfit, **unfit}
    fit = tuple(entrant for entrant in plan.entrants if entrant.name not in unfit)
    if len(fit) < plan.seats:
        raise ConfigError(f"{plan.seats} seats need at least {plan.seats} bots, and {len(fit)} are admitted")
    if plan.stop is not None:
        require_bot("stop.bot", plan.stop.bot, [entrant.name for entrant in fit])
        require_bot("stop.better_than", plan.stop.better_than, [entrant.name for entrant in fit])
    check_plan(replace(plan, entrants=fit))
    return replace(plan, unfit=unfit)


def play_games(
    tournament: Tournament, as_events: bool, is_quiet: bool = False, *, has_result_alone: bool = False
) -> None:
    """Play the games that are left, and show the progress: as JSON events, or on the screen; where that is no terminal,
    or `is_quiet`, by lines on standard error. With `has_result_alone` there is of the events the last one alone.
    """
    audience: live.JsonEventLines | LiveScreen | live.ProgressLines
    if as_events:
        out = sys.__stdout__ or sys.stdout  # it has to know that its reader left
        if isinstance(out, io.TextIOWrapper):
            out.reconfigure(encoding="utf-8")
        audience = live.JsonEventLines(tournament, out, has_end_alone=has_result_alone)
    elif sys.stdout.isatty() and not is_quiet:
        from rich.console import Console  # noqa: PLC0415 - a pipe needs no screen

        from pitboss_tournament.showing.live_screen import LiveScreen  # noqa: PLC0415 - a pipe needs no screen

        audience = LiveScreen(tournament, Console(highlight=False))
    else:
        audience = live.ProgressLines(tournament, sys.stderr)
    with audience:
        trio.run(tournament.run, audience)
        with suppress(StoreError):  # a full disk: then they are computed from the games whenever they are wanted
            keep_findings(tournament.store)
        if as_events:
            _keep_luck(tournament)  # the event `end` has the standings without it
    if not as_events:
        _keep_luck(tournament)  # the live screen, which is gone now, would show its progress line by line


def _keep_luck(tournament: Tournament) -> None:
    if tournament.plan.reduce == "luck" and not tournament.was_stopped:
        from pitboss_tournament.cli.luck import measure_missing_luck  # noqa: PLC0415 - few tournaments measure luck

        measure_missing_luck(tournament.store)


def check_end(tournament: Tournament, fail_on_faults: bool) -> None:
    """Check that nobody stopped the tournament and that all bots played.

    Raises:
        Exit: a person stopped it, or a bot never played, or, with `fail_on_faults`, committed a fault.
    """
    if tournament.stop_signal is not None:
        raise typer.Exit(signal_status(tournament.stop_signal))
    if complaints := list_complaints(tournament, fail_on_faults):
        for complaint in complaints:
            print_note(complaint)
        print_hints((None, complaint) for complaint in complaints)
        raise typer.Exit(BOT_FAULTS)


def list_complaints(tournament: Tournament, fail_on_faults: bool) -> list[str]:
    """Return a sentence on each bot that never played and, with `fail_on_faults`, on each bot with a fault."""
    labels = tournament.plan.labels
    gone = {labels[bot] for bot in tournament.plan.absent}
    standings = [line for line in tournament.running_standings.standings() if line.name not in gone]
    return list(_complain_of(standings, fail_on_faults))


def format_announcement(tournament: Tournament) -> str:
    """Return what is played, by how many bots, and how many games it is."""
    plan, done = tournament.plan, tournament.games_before
    games = (
        f"{plan.game}, {plan.seats} at a table, seed {plan.seed!r}: "
        f"{len(plan.entrants) - len(plan.absent)} bots, {tournament.total_games:,} games"
    )
    kept = tournament.store.count_games()
    more = f"; the store has {kept:,}, which all count" if kept > done else ""
    return games + (f", of which {done:,} are already played" if done else "") + more


def _announce(tournament: Tournament) -> Iterator[str]:
    """Yield what is played and, if it is much, how long its games are."""
    yield format_announcement(tournament)
    plan = tournament.plan
    if tournament.total_games - tournament.games_before >= MANY_GAMES:
        with suppress(Exception):  # a game that breaks is told by who plays it
            if said := describe_long_game(load_registry().find_game(plan.game), plan.seats, plan.options):
                yield said


def _complain_of(standings: Iterable[Standing], fail_on_faults: bool) -> Iterator[str]:
    for line in standings:
        if line.never_played:
            kinds = format_kinds(line.faults)
            yield f"{line.name} never played: it forfeited each of its games before a decision of its own ({kinds})"
        elif fail_on_faults and (line.faults or line.substituted):
            yield f"{line.name} committed faults, and --fail-on-faults is given: {format_fault_counts(line)}"


def _closing_lines(tournament: Tournament, again: str) -> list[str]:
    missing = tournament.total_games - tournament.running_standings.games
    left = f"with {format_count(missing, 'game')} to play{f'; {again} carries on' if again else ''}."
    lines = []
    if tournament.was_stopped:
        lines.append(f"Stopped {left}")
    elif (cause := tournament.end_cause) in HOLD_SENTENCES:
        why = tournament.used_up or HOLD_SENTENCES[cause]
        lines.append(f"{why[0].upper()}{why[1:]}, {left}")
    elif tournament.stop_reason is not None:
        lines.append(f"It is over with {missing:,} games to spare: {tournament.stop_reason}")
    elif missing:
        lines.append(f"{missing:,} games are not played, or are void: a bot in them is out.")
    if tournament.ranking:
        lines.append(f"The {tournament.plan.format.name} ends so: {', '.join(tournament.ranking)}.")
    if tournament.plan.keeps_store:
        lines.append(
            f"The games are kept in {tournament.plan.store}: "
            "see `pitboss standings`, `pitboss why`, `pitboss replay`, `pitboss log`, `pitboss export`."
        )
    return lines
