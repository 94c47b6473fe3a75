"""`pitboss run`, `match` and `stop`: play a tournament from a file or from the command line, and end one."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli import completion, parameters
from pitboss_tournament.cli.output import print_note
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.tournament_run import play_plan

if TYPE_CHECKING:
    pass


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The tournament file (TOML).", show_default=False)],
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            "-s",
            metavar="KEY=VALUE",
            help="A key of FILE that changes no game, with another value: of those that `pitboss settings --run` "
            "lists. May be given again.",
            autocompletion=completion.complete_run_settings,
            rich_help_panel=parameters.MACHINE,
        ),
    ] = None,
    workers: parameters.Workers = None,
    on: parameters.On = None,
    new_version: parameters.NewVersion = False,
    play_for: parameters.PlayFor = None,
    games: parameters.MostGames = None,
    replay_models: parameters.ReplayModels = None,
    fail_on_faults: parameters.FailOnFaults = False,
    explain: parameters.Explain = False,
    as_json: parameters.Json = False,
) -> None:
    """Play the tournament that FILE describes; the same command again carries on where it was stopped.

    Bots may join and leave between two runs: who joins plays what it needs, who leaves keeps its games.

    Ctrl-C stops it, with status 130, and so does SIGTERM, with 143: finished games are kept. It ends in good order,
    with status 0, when the time of --for is up, the --games are played, or after `pitboss stop --after-running`. The
    status is 3 if a bot never played: it forfeited every game before a decision of its own.

    With --json: one JSON object a line, as games end; `pitboss schema match` describes them.
    """
    from msgspec.structs import replace

    from pitboss_tournament.authoring.bot_build import build_changed, read_tournament_builds
    from pitboss_tournament.cli.setting_words import read_run_settings
    from pitboss_tournament.config.tournament_file import load_plan
    from pitboss_tournament.running.run_end import RunLimits

    said = read_run_settings(settings, workers=workers, on=on)
    _, rules = read_tournament_builds(file)
    rules = replace(
        rules,
        has_network=said.tables.get("build_network", rules.has_network),
        hidden=(*rules.hidden, *(Path(store) for store in (said.tables.get("store"),) if store)),
    )

    def build(bot: str) -> None:
        build_changed(bot, file.parent, print_note, rules)

    plan = load_plan(file, load_registry(), build, said.list_changes())
    limits = RunLimits(play_for, games)
    play_plan(plan, limits, as_json, fail_on_faults, explain, has_versions=new_version, replayed_models=replay_models)


def match(
    game: parameters.GameName,
    bots: parameters.BotSpecs,
    seats: parameters.Seats = None,
    preset: parameters.Preset = None,
    option: parameters.OptionWords = None,
    format_name: parameters.FormatName = None,
    deals: parameters.Deals = None,
    seed: parameters.Seed = None,
    settings: parameters.Settings = None,
    store: parameters.StorePath = None,
    no_store: parameters.NoStore = False,
    workers: parameters.Workers = None,
    sandbox: parameters.Sandbox = None,
    on: parameters.On = None,
    play_for: parameters.PlayFor = None,
    games: parameters.MostGames = None,
    new_version: parameters.NewVersion = False,
    fail_on_faults: parameters.FailOnFaults = False,
    explain: parameters.Explain = False,
    as_json: parameters.Json = False,
) -> None:
    """Play a tournament between some BOTs, without a file: all sets of bots that fit a table, each deal in all
    rotations.

    The same command with the same --seed or --store carries on where it was stopped, or where --for or --games has
    ended it. The exit status is 3 if a bot never played: it forfeited every game before a decision of its own.
    """
    from pitboss_tournament.cli.setting_words import read_settings, resolve_players
    from pitboss_tournament.config.defaults import name_store
    from pitboss_tournament.config.entrants import disambiguate_names
    from pitboss_tournament.config.settings_plan import resolve_plan
    from pitboss_tournament.running.run_end import RunLimits

    said = read_settings(
        settings,
        option=option or (),
        seats=seats,
        preset=preset,
        format=format_name,
        deals=deals,
        seed=seed,
        store=store,
        workers=workers,
        sandbox=sandbox,
        on=on,
    )
    given = said.to_file(game, deals=10)
    found = disambiguate_names(resolve_players(bots, given))
    with name_store(given, [one.name for one in found], not no_store) as (seeded, kept):
        plan = resolve_plan(seeded, found, load_registry(), kept, hidden=[kept.absolute()], keeps_store=not no_store)
        is_named = given.seed or given.store
        again = "the same command" if is_named else f"the same command with --store {shlex.quote(str(kept))}"
        limits, again = RunLimits(play_for, games), "" if no_store else again
        play_plan(plan, limits, as_json, fail_on_faults, explain, again, has_versions=new_version)
