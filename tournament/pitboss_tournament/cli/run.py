"""`pitboss run`, `match` and `stop`: play a tournament from a file or from the command line, and end one."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli import parameters
from pitboss_tournament.cli.output import print_note
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.settings import SettingWords, resolve_players, takes_settings
from pitboss_tournament.cli.tournament_run import play_plan

if TYPE_CHECKING:
    pass


@takes_settings("workers", "pinned", "on", "verify")
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The tournament file (TOML).", show_default=False)],
    settings: SettingWords,
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

    With --json: one JSON object a line, `start`, `game` for each game, `fault` for the first fault of each bot, as soon
    as it happens, `end` with the standings. `cause` of `end` says why: "complete", "decided", "time", "games",
    "request" (`stop --after-running`), "budget" (of language models), "signal"; null after an error. `pitboss schema
    match` describes the lines.
    """
    from msgspec.structs import replace

    from pitboss_tournament.authoring.bot_build import build_changed, read_tournament_builds
    from pitboss_tournament.config.tournament_file import load_plan
    from pitboss_tournament.running.run_end import RunLimits

    _, rules = read_tournament_builds(file)

    def build(bot: str) -> None:
        build_changed(bot, file.parent, print_note, rules)

    plan = load_plan(file, load_registry(), settings.values["workers"], build)
    if settings.values["no_pin"]:
        plan = replace(plan, pinned=False)
    if settings.values["on"] is not None:
        plan = replace(plan, engine=settings.values["on"])
    if settings.values["verify"] is not None:
        plan = replace(plan, verify=settings.values["verify"])
    limits = RunLimits(play_for, games)
    play_plan(plan, limits, as_json, fail_on_faults, explain, has_versions=new_version, replayed_models=replay_models)


@takes_settings(deals=10)
def match(
    game: parameters.GameName,
    bots: parameters.BotSpecs,
    settings: SettingWords,
    play_for: parameters.PlayFor = None,
    games: parameters.MostGames = None,
    no_store: parameters.NoStore = False,
    new_version: parameters.NewVersion = False,
    fail_on_faults: parameters.FailOnFaults = False,
    explain: parameters.Explain = False,
    as_json: parameters.Json = False,
) -> None:
    """Play a tournament between some BOTs, without a file: by default all sets of bots that fit a table, each deal in
    all rotations.

    The same command with the same --seed or the same --store carries on where it was stopped, or where --for or --games
    has ended it. The exit status is 0 if all bots played, 3 if one never played (it forfeited every game before a
    decision of its own), 1 after another error, 2 if the command is wrong, 130 after Ctrl-C and 143 after SIGTERM.
    """
    from pitboss_tournament.config.defaults import name_store
    from pitboss_tournament.config.entrants import disambiguate_names
    from pitboss_tournament.config.settings_plan import resolve_plan
    from pitboss_tournament.running.run_end import RunLimits

    given = settings.to_file(game)
    found = disambiguate_names(resolve_players(bots, given))
    with name_store(given, [one.name for one in found], not no_store) as (seeded, store):
        plan = resolve_plan(seeded, found, load_registry(), store, hidden=[store.absolute()], keeps_store=not no_store)
        is_named = given.seed or given.store
        again = "the same command" if is_named else f"the same command with --store {shlex.quote(str(store))}"
        limits, again = RunLimits(play_for, games), "" if no_store else again
        play_plan(plan, limits, as_json, fail_on_faults, explain, again, has_versions=new_version)
