"""`pitboss study`: what kind of game it is, variants side by side."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, Final

import typer
from msgspec import to_builtins
from msgspec.structs import replace

from pitboss.simulation.game_setup import DEFAULTS, GameSetup, OptionVariant
from pitboss_tournament.cli.key_value_args import parse_options
from pitboss_tournament.cli.output import print_json, print_note, print_paragraph, print_table, progress_line
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.setting_words import SettingWords, read_settings, resolve_players
from pitboss_tournament.cli.tournament_run import check_end, open_tournament, play_games
from pitboss_tournament.cli.whole_file import write_whole_file
from pitboss_tournament.config.defaults import draw_seed
from pitboss_tournament.config.entrants import disambiguate_names
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.store.store import Store
from pitboss_tournament.study import loadouts as study_loadouts
from pitboss_tournament.study import skill
from pitboss_tournament.study.page import render_study
from pitboss_tournament.study.skill import SkillFigures, count_tables
from pitboss_tournament.study.study import GameStudy, choose_setups, study_random_play, table_label
from pitboss_tournament.study.tables import study_tables

if TYPE_CHECKING:
    from pitboss.game import AnyGame
    from pitboss_tournament.plan.plan import Plan
    from pitboss_tournament.statistics.part_effects import PartEffects

SEARCH: Final = "house:search"
CLOCK_MS: Final = 60_000  # for a decision, and to start: the time that counts is the bot's own


def study(
    game: str,
    variant: list[str] | None,
    preset: str | None,
    option: list[str] | None,
    each_option: bool,
    seats: list[int] | None,
    games: int,
    minutes: float,
    ms: int,
    seed: str | None,
    page: Path | None,
    workers: int | None,
    sandbox: str | None,
    as_json: bool,
) -> None:
    """Run `pitboss study`."""
    said = read_settings((), ("workers", "sandbox"), workers=workers, sandbox=sandbox)
    played = load_registry().find_game(game)
    variants = [_parse_variant(played, text) for text in variant or ()]
    if preset is not None or option:
        variants.append(OptionVariant(preset, parse_options(played, option or ())))
    setups = choose_setups(played, variants, seats or (), with_single_changes=each_option)
    chosen_seed = seed or draw_seed()
    with progress_line(len(setups) * games) as show:
        found = [study_random_play(setup, games, chosen_seed, lambda: show(" random games")) for setup in setups]
    if minutes:
        has_parts = study_loadouts.has_parts(played)
        seconds = 60 * minutes / len(setups) / (1 + has_parts)
        found = [
            replace(
                one,
                skill=_play_ladder(setup, ms, seconds, chosen_seed, said),
                parts=_play_loadouts(setup, ms, seconds, chosen_seed, said) if has_parts else None,
            )
            for one, setup in zip(found, setups, strict=True)
        ]
    whole = GameStudy(
        game=played.name, title=played.title, game_version=played.version, seed=chosen_seed, variants=found
    )
    if page is not None:
        with write_whole_file(page) as part:
            part.write_text(render_study(whole), encoding="utf-8", newline="\n")
    if as_json:
        print_json(whole)
    else:
        _print_study(whole)
        if page is not None:
            typer.echo(f"\nThe page is in {page}.")


def _parse_variant(game: AnyGame, text: str) -> OptionVariant:
    first, *rest = text.split(",")
    if "=" in first:
        return OptionVariant(None, parse_options(game, text.split(",")))
    return OptionVariant(None if first == DEFAULTS else first, parse_options(game, rest))


def _play_ladder(setup: GameSetup, ms: int, seconds: float, seed: str, settings: SettingWords) -> SkillFigures:
    """Play the tournament of one variant for about `seconds`, a deal at each table at least; return its figures."""
    times = [ms * factor for factor in skill.TIME_FACTORS] * skill.count_copies(setup.seats)
    with TemporaryDirectory(prefix="pitboss-") as folder:
        plan = _plan_ladder(setup, times, Path(folder) / "ladder.pitboss", seed, settings)
        print_note(f"{table_label(setup)}: {SEARCH} plays itself with {', '.join(map(str, sorted(set(times))))} ms")
        deals = int(seconds / _play_deals(plan))
        if deals > 1:
            _play_deals(replace(plan, deals=deals))
        with closing(Store(plan.store)) as store:
            return skill.measure_skill(store, setup.game, SEARCH, times)


def _play_loadouts(setup: GameSetup, ms: int, seconds: float, seed: str, settings: SettingWords) -> PartEffects | None:
    """Play a tournament of loadouts at random for about `seconds`, a deal at each table at least."""
    drawn = study_loadouts.draw_loadouts(setup, seed)
    programs = study_loadouts.choose_programs(setup, load_registry(), f"{SEARCH}?ms={ms}")
    with TemporaryDirectory(prefix="pitboss-") as folder:
        file = settings.to_file(
            setup.game.name,
            options=to_builtins(setup.options),
            seats=setup.seats,
            deals=1,
            seed=seed,
            format=study_loadouts.choose_loadout_format(len(drawn), setup.seats),
            clock={"start_ms": CLOCK_MS, "decision_ms": CLOCK_MS},
        )
        bots = study_loadouts.bring_loadouts(resolve_players(programs, file), drawn)
        store = Path(folder) / "loadouts.pitboss"
        plan = resolve_plan(file, bots, load_registry(), store, hidden=[store], keeps_store=False)
        print_note(f"{table_label(setup)}: {', '.join(programs)} with {len(drawn)} loadouts at random")
        deals = int(seconds / _play_deals(plan))
        if deals > 1:
            _play_deals(replace(plan, deals=deals))
        with closing(Store(plan.store)) as played:
            return study_loadouts.measure_parts(played)


def _play_deals(plan: Plan) -> float:
    """Play what is left of a tournament; return how many seconds that took, the start of the bots aside.

    Raises:
        Exit: a person stopped it, or a bot committed a fault.
    """
    began = monotonic()
    with open_tournament(plan) as tournament:
        play_games(tournament, as_events=False, is_quiet=True)
    check_end(tournament, fail_on_faults=True)
    return monotonic() - (tournament.first_ready or began)


def _plan_ladder(setup: GameSetup, times: Sequence[int], store: Path, seed: str, given: SettingWords) -> Plan:
    tables = count_tables(setup.seats)
    settings = given.to_file(
        setup.game.name,
        options=to_builtins(setup.options),
        seats=setup.seats,
        deals=1,
        seed=seed,
        format="round-robin" if tables is None else {"name": "round-robin", "tables": tables},
        clock={"start_ms": CLOCK_MS, "decision_ms": CLOCK_MS},
    )
    bots = disambiguate_names(resolve_players([f"{SEARCH}?ms={ms}" for ms in times], settings))
    return resolve_plan(settings, bots, load_registry(), store, hidden=[store.absolute()], keeps_store=False)


def _print_study(found: GameStudy) -> None:
    typer.echo(f"{found.title}, seed {found.seed}")
    for one in study_tables(found):
        typer.echo(f"\n{one.title}")
        print_table(one.columns, one.rows, right=one.columns[1:])
        print_paragraph(one.note)
