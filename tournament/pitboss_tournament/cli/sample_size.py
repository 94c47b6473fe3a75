"""`pitboss plan`: how many deals a tournament needs."""

from __future__ import annotations

import shlex
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Final

from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.audit.luck_measurement import time_luck
from pitboss_tournament.audit.store_audit import find_other_files
from pitboss_tournament.cli.commands.sample_size import DEFAULT_DIFFERENCE
from pitboss_tournament.cli.first_word import require_game
from pitboss_tournament.cli.output import print_json, print_lines, print_note, print_table_lines, terminal_width
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.setting_words import PILOT_SETTINGS, read_settings, resolve_players
from pitboss_tournament.cli.tournament_run import check_end, format_announcement, open_tournament, play_games
from pitboss_tournament.config.defaults import find_stored_span, name_store
from pitboss_tournament.config.entrants import disambiguate_names
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.results.model_use import StatedCalls, estimate_calls
from pitboss_tournament.results.pilot import Pilot, measure_speed
from pitboss_tournament.showing.tournament_size import (
    TournamentSize,
    compute_size,
    size_details,
    size_lines,
    size_sentences,
)
from pitboss_tournament.store.store import Store

MIN_DEALS: Final = 2  # of a pilot
PILOT_DEALS: Final = 40  # where none are given
TEAM_DIFFERENCE: Final = 1.0  # in points of a cooperative game


def plan(
    words: list[str] | None,
    pilot: Path | None,
    difference: float,
    power: float,
    calls_of: list[str] | None,
    call_usd: float,
    call_seconds: float,
    calls_at_once: int,
    seats: int | None,
    preset: str | None,
    option: list[str] | None,
    deals: int | None,
    seed: str | None,
    settings: list[str] | None,
    store: Path | None,
    workers: int | None,
    sandbox: str | None,
    fail_on_faults: bool,
    explain: bool,
    as_json: bool,
) -> None:
    """Run `pitboss plan`."""
    stated = StatedCalls(tuple(calls_of), call_usd, call_seconds, calls_at_once) if calls_of else None
    game, *specs = words or [""]
    if pilot is not None:
        if words:
            raise ConfigError(f"--from {pilot}: the store says what is played and by whom; give neither GAME nor bots")
        kept_pilot = Store(pilot)
        for other in find_other_files(kept_pilot.header, pilot.resolve().parent):
            print_note(f"{other}; the plan is for the bots that played the pilot")
        size = _size_tournament(kept_pilot, difference, power, measure_speed(kept_pilot), stated)
        _print_size(size, pilot, explain, as_json)
        return
    if game:
        game = require_game("plan", game, specs)
    if not game or len(specs) < 2:
        raise ConfigError(
            "what is planned, and for whom? for example: pitboss plan racko house:racko house:search, "
            "or pitboss plan --from STORE"
        )
    said = read_settings(
        settings,
        PILOT_SETTINGS,
        option=option or (),
        seats=seats,
        preset=preset,
        deals=deals,
        seed=seed,
        store=store,
        workers=workers,
        sandbox=sandbox,
    )
    given = said.to_file(game, deals=PILOT_DEALS)
    if not isinstance(given.deals, int) or given.deals < MIN_DEALS:
        raise ConfigError(f"--deals is {given.deals}; a pilot has {MIN_DEALS} deals at least")
    found = disambiguate_names(resolve_players(specs, given))
    keeps_store = given.store is not None
    with name_store(given, [one.name for one in found], keeps_store) as (seeded, kept):
        hidden = [kept.absolute()]
        made = resolve_plan(seeded, found, load_registry(), kept, hidden=hidden, keeps_store=keeps_store)
        if made.is_cooperative:  # teams are compared on the same deals
            made = replace(made, same_deals=True)
        with open_tournament(made) as tournament:
            if not as_json:
                print_lines([f"A pilot of {format_announcement(tournament)}"])
            play_games(tournament, as_events=False, is_quiet=as_json)
            check_end(tournament, fail_on_faults)
            games = tournament.running_standings.games - tournament.games_before
            since = tournament.first_ready
            speed = games / (monotonic() - since) if since is not None and games else measure_speed(tournament.store)
            size = _size_tournament(tournament.store, difference, power, speed, stated)
            _print_size(size, kept if keeps_store else None, explain, as_json)


def _size_tournament(
    store: Store, difference: float, power: float, speed: float | None, stated: StatedCalls | None
) -> TournamentSize:
    """Return the size of a tournament by the pilot in a store; the default difference fits what ranks go by."""
    span = find_stored_span(store.header, load_registry())
    if span is not None and difference == DEFAULT_DIFFERENCE:
        difference = TEAM_DIFFERENCE
    pilot, luck_s = Pilot(store, span), None
    if pilot.by_points and difference == DEFAULT_DIFFERENCE:
        difference = pilot.choose_difference()
    with suppress(ConfigError):  # the game of the store is not installed
        luck_s = time_luck(store, load_registry().find_game(store.header.game))
    size = compute_size(pilot, difference, power, speed, luck_s, estimate_calls(store, stated))
    if luck := store.kept.luck():
        removal = StoredFindings(store, luck=luck).luck_removal
        size = replace(size, luck_saving=removal and removal.estimate_reduction("points"))
    return size


def _print_size(size: TournamentSize, pilot: Path | None, explains: bool, as_json: bool) -> None:
    """Print the size of a tournament; with `explains` also each pair of bots, and what the numbers assume."""
    if as_json:
        print_json(size)
        return
    if explains:
        print_table_lines(size_lines(size, terminal_width()))
    print_lines(size_sentences(size))
    if explains:
        print_lines(["", *size_details(size)])
    elif pilot is not None:
        print_lines([f"More: {shlex.join(['pitboss', 'plan', '--from', str(pilot), '--explain'])}"])
