"""`pitboss run`, `match` and `stop`: play a tournament from a file or from the command line, and end one."""

from __future__ import annotations

import shlex
from pathlib import Path

from msgspec.structs import replace

from pitboss_tournament.authoring.bot_build import build_changed, read_tournament_builds
from pitboss_tournament.cli.first_word import check_no_store, require_game
from pitboss_tournament.cli.output import print_note
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.setting_words import read_deals, read_run_settings, read_settings, resolve_players
from pitboss_tournament.cli.tournament_run import play_plan
from pitboss_tournament.config.defaults import name_store
from pitboss_tournament.config.out_watch import OutWatch
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.config.tournament_file import load_plan
from pitboss_tournament.config.versions import name_players
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.running.run_end import RunLimits


def run(
    file: Path,
    settings: list[str] | None,
    workers: int | None,
    on: str | None,
    new_version: bool,
    play_for: float | None,
    games: int | None,
    replay_models: Path | None,
    fail_on_faults: bool,
    explain: bool | None,
    as_json: bool,
) -> None:
    """Run `pitboss run`."""
    check_no_store(file)
    said = read_run_settings(settings, workers=workers, on=on)
    _, rules = read_tournament_builds(file)
    rules = replace(
        rules,
        has_network=said.tables.get("build_network", rules.has_network),
        hidden=(*rules.hidden, *(Path(store) for store in (said.tables.get("store"),) if store)),
    )

    def build(bot: str) -> None:
        build_changed(bot, file.parent, print_note, rules)

    def load() -> Plan:
        return load_plan(file, load_registry(), build, said.list_changes())

    watch = OutWatch(file, load, print_note)
    play_plan(
        watch.plan,
        RunLimits(play_for, games, watch.has_changed),
        *(as_json, fail_on_faults, explain),
        has_versions=new_version,
        replayed_models=replay_models,
        reload=lambda: watch.plan,
    )


def match(
    game: str,
    bots: list[str],
    seats: int | None,
    preset: str | None,
    option: list[str] | None,
    format_name: str | None,
    deals: str | None,
    seed: str | None,
    settings: list[str] | None,
    store: Path | None,
    no_store: bool,
    workers: int | None,
    sandbox: str | None,
    on: str | None,
    play_for: float | None,
    games: int | None,
    new_version: bool,
    fail_on_faults: bool,
    explain: bool | None,
    as_json: bool,
) -> None:
    """Run `pitboss match`."""
    said = read_settings(
        settings,
        option=option or (),
        seats=seats,
        preset=preset,
        format=format_name,
        deals=read_deals(deals),
        seed=seed,
        store=store,
        workers=workers,
        sandbox=sandbox,
        on=on,
    )
    given = said.to_file(require_game("match", game, bots), deals=10)
    registry = load_registry()
    found = name_players(resolve_players(bots, given), given, registry)
    with name_store(given, [one.name for one in found], not no_store) as (seeded, kept):
        plan = resolve_plan(seeded, found, registry, kept, hidden=[kept.absolute()], keeps_store=not no_store)
        is_named = given.seed or given.store
        again = "the same command" if is_named else f"the same command with --store {shlex.quote(str(kept))}"
        limits, again = RunLimits(play_for, games), "" if no_store else again
        play_plan(plan, limits, as_json, fail_on_faults, explain, again, has_versions=new_version)
