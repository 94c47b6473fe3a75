"""`pitboss run`, `match` and `stop`: play a tournament from a file or from the command line, and end one."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli import parameters
from pitboss_tournament.cli.key_value_args import parse_format, parse_limits, parse_options
from pitboss_tournament.cli.output import print_note
from pitboss_tournament.cli.registry import load_registry, resolve_bots
from pitboss_tournament.cli.tournament_run import play_plan

if TYPE_CHECKING:
    from pitboss_tournament.store.store_lock import StoreHolder


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The tournament file (TOML).", show_default=False)],
    workers: parameters.Workers = None,
    no_pin: parameters.NoPin = False,
    fail_on_faults: parameters.FailOnFaults = False,
    explain: parameters.Explain = False,
    as_json: parameters.Json = False,
) -> None:
    """Play the tournament that FILE describes; the same command again carries on where it was stopped.

    Ctrl-C stops it, with status 130, and so does SIGTERM, with 143: finished games are kept. The status is 3 if a bot
    never played: it forfeited every game before a decision of its own. With --json: one JSON object a line, `start`,
    `game` for each game, `fault` for the first fault of each bot, as soon as it happens, `end` with the standings.
    """
    from msgspec.structs import replace

    from pitboss_tournament.authoring.bot_build import build_changed, read_tournament_builds
    from pitboss_tournament.config.tournament_file import load_plan

    bots, rules = read_tournament_builds(file)
    build_changed(bots, file.parent, print_note, rules)
    plan = load_plan(file, load_registry(), workers)
    play_plan(replace(plan, pinned=False) if no_pin else plan, as_json, fail_on_faults, explain)


def match(
    game: parameters.GameName,
    bots: parameters.BotSpecs,
    seats: parameters.Seats = None,
    deals: parameters.Deals = 10,
    format: parameters.FormatName = "round-robin",
    format_option: parameters.FormatOption = None,
    seating: parameters.SeatDesign = "rotations",
    reduce: parameters.ReduceOption = None,
    seed: parameters.Seed = None,
    preset: parameters.Preset = None,
    option: parameters.OptionWords = None,
    store: parameters.StorePath = None,
    no_store: parameters.NoStore = False,
    decision_ms: parameters.DecisionMs = 1_000,
    start_ms: parameters.StartMs = 10_000,
    game_ms: parameters.GameMs = None,
    increment_ms: parameters.IncrementMs = 0,
    margin_ms: parameters.MarginMs = 10,
    games_at_once: parameters.GamesAtOnce = None,
    workers: parameters.Workers = None,
    no_pin: parameters.NoPin = False,
    policy: parameters.Policy = "forfeit",
    substitutions: parameters.Substitutions = 3,
    disqualify_after: parameters.DisqualifyAfter = 10,
    fail_on_faults: parameters.FailOnFaults = False,
    sandbox: parameters.Sandbox = "auto",
    limit: parameters.Limit = None,
    keep_logs: parameters.KeepLogs = "faults",
    explain: parameters.Explain = False,
    as_json: parameters.Json = False,
) -> None:
    """Play a tournament between some BOTs, without a file: by default all sets of bots that fit a table, each deal in
    all rotations.

    The same command with the same --seed or the same --store carries on where it was stopped. The exit status is 0 if
    all bots played, 3 if one never played (it forfeited every game before a decision of its own), 1 after another
    error, 2 if the command is wrong, 130 after Ctrl-C and 143 after SIGTERM.
    """
    from pitboss.game import resolve_options
    from pitboss.protocol.messages import Clock
    from pitboss_tournament.config.defaults import default_seats
    from pitboss_tournament.config.entrants import disambiguate_names
    from pitboss_tournament.config.match_plan import choose_store, make_match_plan
    from pitboss_tournament.plan.plan import FaultRules

    registry = load_registry()
    rules = registry.find_game(game)
    found = disambiguate_names(resolve_bots(bots, Path(), game, sandbox))
    seats = seats or default_seats(rules, len(found))
    with choose_store(game, [one.name for one in found], store, seed, not no_store) as (kept, chosen_seed):
        plan = make_match_plan(
            rules,
            found,
            registry,
            options=resolve_options(rules, seats, preset, parse_options(rules, option or ())),
            seats=seats,
            deals=deals,
            seed=chosen_seed,
            store=kept,
            keeps_store=not no_store,
            clock=Clock(
                start_ms=start_ms,
                decision_ms=decision_ms,
                game_ms=game_ms,
                increment_ms=increment_ms,
                margin_ms=margin_ms,
            ),
            faults=FaultRules(policy=policy, substitutions=substitutions, disqualify_after=disqualify_after),
            limits=parse_limits(limit or ()),
            sandbox=sandbox,
            format=parse_format(format, format_option or (), registry),
            seating=seating,
            reduce=reduce or "none",
            keep_logs=keep_logs,
            workers=workers,
            pinned=not no_pin,
            games_at_once=games_at_once,
        )
        again = "the same command" if seed or store else f"the same command with --store {shlex.quote(str(kept))}"
        play_plan(plan, as_json, fail_on_faults, explain, "" if no_store else again)


def stop(file: parameters.StoreFile) -> None:
    """Stop the tournament that is being played into STORE, as Ctrl-C in its terminal does: finished games are kept, and
    `pitboss run` carries on.

    It returns when the tournament has stopped. If none is running, it says so.
    """
    from pitboss.errors import ConfigError
    from pitboss_tournament.store.store import Store
    from pitboss_tournament.store.store_lock import find_holder, is_locked

    Store(file)  # or a sentence that it is none
    holder = find_holder(file)
    if holder is not None:
        with holder:
            _stop_process(holder, file)
    elif is_locked(file):
        raise ConfigError(
            f"{file}: a run is playing it, but its process cannot be seen from here (another user's, "
            "another machine's or container's): press Ctrl-C where it runs"
        )
    what = "It has stopped." if holder else f"No run is playing {file}."
    typer.echo(f"{what} {Store(file).count_games():,} games are kept.")


def _stop_process(holder: StoreHolder, file: Path) -> None:
    from pitboss.errors import ConfigError

    try:
        holder.stop()
    except PermissionError:
        raise ConfigError(
            f"{file}: process {holder.pid} plays it, and belongs to another user: only that user may stop it"
        ) from None
    typer.echo(f"Process {holder.pid} plays {file}; it has been asked to stop …")
    holder.wait()
