"""`pitboss plan`: how many deals a tournament needs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pitboss_tournament.cli import completion, parameters
from pitboss_tournament.cli.number_args import any_number, whole_number
from pitboss_tournament.cli.output import print_json, print_lines, print_note, print_table_lines, terminal_width
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.setting_words import PILOT_SETTINGS, read_settings, resolve_players
from pitboss_tournament.cli.tournament_run import check_end, format_announcement, open_tournament, play_games

if TYPE_CHECKING:
    from pitboss_tournament.results.model_use import StatedCalls
    from pitboss_tournament.store.store import Store

MIN_DEALS: Final = 2  # of a pilot
PILOT_DEALS: Final = 40  # where none are given
SIZE: Final = "The size of the tournament"  # sections of the help text
CALLS: Final = "If a bot were to ask a language model"
DEFAULT_DIFFERENCE: Final = 25.0  # in rating points
TEAM_DIFFERENCE: Final = 1.0  # in points of a cooperative game


def plan(
    game: parameters.OptionalGameName = None,
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT...",
            help="The bots, as in `pitboss match`.",
            autocompletion=completion.complete_bots,
            show_default=False,
        ),
    ] = None,
    pilot: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="STORE",
            help="Play nothing: the games of this store are the pilot.",
            show_default=False,
            rich_help_panel=SIZE,
        ),
    ] = None,
    difference: Annotated[
        float,
        typer.Option(
            metavar="POINTS",
            help="The difference to show, in rating points.",
            parser=any_number(0.1, 2_000),
            rich_help_panel=SIZE,
        ),
    ] = DEFAULT_DIFFERENCE,
    power: Annotated[
        float,
        typer.Option(
            metavar="PERCENT",
            help="The probability to show it.",
            parser=any_number(50, 99.9),
            rich_help_panel=SIZE,
        ),
    ] = 80.0,
    calls_of: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOT",
            help="Count each decision of this bot as a call of a language model.",
            show_default=False,
            rich_help_panel=CALLS,
        ),
    ] = None,
    call_usd: Annotated[
        float,
        typer.Option(
            metavar="X", help="What a call costs, in dollars.", parser=any_number(0, 1_000), rich_help_panel=CALLS
        ),
    ] = 0.0,
    call_seconds: Annotated[
        float,
        typer.Option(metavar="X", help="How long a call takes.", parser=any_number(0, 86_400), rich_help_panel=CALLS),
    ] = 1.0,
    calls_at_once: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="How many calls are open at a time.",
            parser=whole_number(1, 10_000),
            rich_help_panel=CALLS,
        ),
    ] = 4,
    seats: parameters.Seats = None,
    preset: parameters.Preset = None,
    option: parameters.OptionWords = None,
    deals: parameters.PilotDeals = None,
    seed: parameters.Seed = None,
    settings: parameters.Settings = None,
    store: parameters.StorePath = None,
    workers: parameters.Workers = None,
    sandbox: parameters.Sandbox = None,
    fail_on_faults: parameters.FailOnFaults = False,
    as_json: parameters.Json = False,
) -> None:
    """Tell how many deals a round-robin of some bots needs to show a difference between any two of them, and how long
    that takes here.

    A short pilot is played, or read from a store, to see how much the results of deals spread.
    """
    from msgspec.structs import replace

    from pitboss.errors import ConfigError
    from pitboss_tournament.audit.store_audit import find_other_files
    from pitboss_tournament.config.defaults import name_store
    from pitboss_tournament.config.entrants import disambiguate_names
    from pitboss_tournament.config.settings_plan import resolve_plan
    from pitboss_tournament.results.model_use import StatedCalls
    from pitboss_tournament.results.pilot import measure_speed
    from pitboss_tournament.store.store import Store

    stated = StatedCalls(tuple(calls_of), call_usd, call_seconds, calls_at_once) if calls_of else None
    specs = bots or []
    if pilot is not None:
        if game is not None or specs:
            raise ConfigError(f"--from {pilot}: the store says what is played and by whom; give neither GAME nor bots")
        kept_pilot = Store(pilot)
        for other in find_other_files(kept_pilot.header, pilot.resolve().parent):
            print_note(f"{other}; the plan is for the bots that played the pilot")
        _print_size(kept_pilot, difference, power, measure_speed(kept_pilot), stated, as_json)
        return
    if game is None or len(specs) < 2:
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
    if given.deals < MIN_DEALS:
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
            _print_size(tournament.store, difference, power, speed, stated, as_json)


def _print_size(
    store: Store, difference: float, power: float, speed: float | None, stated: StatedCalls | None, as_json: bool
) -> None:
    from pitboss.errors import ConfigError
    from pitboss_tournament.audit.luck_measurement import time_luck
    from pitboss_tournament.config.defaults import find_stored_span
    from pitboss_tournament.results.model_use import estimate_calls
    from pitboss_tournament.results.pilot import Pilot
    from pitboss_tournament.showing.tournament_size import compute_size, size_lines, size_sentences

    span = find_stored_span(store.header, load_registry())
    if span is not None and difference == DEFAULT_DIFFERENCE:
        difference = TEAM_DIFFERENCE
    pilot, luck_s = Pilot(store, span), None
    with suppress(ConfigError):  # the game of the store is not installed
        luck_s = time_luck(store, load_registry().find_game(store.header.game))
    size = compute_size(pilot, difference, power, speed, luck_s, estimate_calls(store, stated))
    if as_json:
        print_json(size)
        return
    print_table_lines(size_lines(size, terminal_width()))
    print_lines(size_sentences(size))
