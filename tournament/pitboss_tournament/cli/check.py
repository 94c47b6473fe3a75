"""`pitboss check` and `pitboss check-game`: whether a bot or a game keeps its promises, and what to do if not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from msgspec.structs import asdict, replace

from pitboss.errors import ConfigError
from pitboss.protocol.messages import Clock
from pitboss.simulation.game_setup import OptionVariant, list_presets
from pitboss_tournament.bot_checks.bot_under_test import BotUnderTest, list_tables, resolve_bot
from pitboss_tournament.bot_checks.suite import BotReport, check_bot, select_checks
from pitboss_tournament.cli.bot_reports import format_repeat, print_report, print_report_table
from pitboss_tournament.cli.key_value_args import parse_options
from pitboss_tournament.cli.output import print_json, print_paragraph, progress_line
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.setting_words import read_settings
from pitboss_tournament.config.entrants import expand_pattern
from pitboss_tournament.processes.sandbox_probe import check_strangers, resolve_sandbox

if TYPE_CHECKING:
    from pitboss.game import AnyGame


def check(
    context: typer.Context,
    bots: list[str],
    game: list[str] | None,
    preset: str | None,
    option: list[str] | None,
    seats: list[int] | None,
    games: int,
    game_seconds: float | None,
    seed: str,
    only: list[str] | None,
    settings: list[str] | None,
    sandbox: str | None,
    verbose: bool,
    failed: bool,
    as_json: bool,
) -> None:
    """Run `pitboss check`."""
    if failed and verbose:
        raise ConfigError("--failed leaves out the checks that --verbose shows; give one of them")
    given = read_settings(settings, ("clock", "limits", "sandbox"), sandbox=sandbox).to_file("")
    mode, warning = resolve_sandbox(given.sandbox)
    check_strangers(bots, given.sandbox, mode, warning)
    chosen = tuple(load_registry().find_game(name) for name in dict.fromkeys(game or ()))
    variant = _parse_variant(chosen, preset, option or ())
    for one in chosen:
        list_tables(one, seats or None, [variant] if variant else list_presets(one))  # or there is no such table

    def resolve(spec: str) -> BotUnderTest:
        bot = resolve_bot(spec, load_registry(), Path.cwd(), chosen, Clock(**asdict(given.clock)))
        found = replace(
            bot,
            sandbox=mode,
            limits=given.limits,
            seed=seed,
            rounds=games,
            game_seconds=game_seconds,
            seats=tuple(seats) if seats else bot.seats,
            variant=variant,
        )
        found.first_table()  # or there is no such table
        return found

    specs = [*dict.fromkeys(spec for word in bots for spec in expand_pattern(word, Path()))]
    is_single = specs == bots and len(specs) == 1
    found = {spec: resolve(spec) if is_single else _resolve_or_report(spec, resolve, seed) for spec in specs}
    reports = _check_bots(found, only or ())
    if failed:
        reports = {spec: report.keep_failed() for spec, report in reports.items()}
    if as_json:
        print_json(reports[specs[0]] if is_single else list(reports.values()))
    else:
        unmet = (note for one in found.values() if isinstance(one, BotUnderTest) for note in one.unmet_limits)
        for note in (warning, *unmet):
            print_paragraph(note or "")
        if not is_single:
            print_report_table(reports)
        for spec, report in reports.items():
            if is_single or (verbose and not report.is_good):
                if not is_single:
                    typer.echo()
                print_report(report, verbose, partial(format_repeat, context, bots, spec))
    if not all(report.is_good for report in reports.values()):
        raise typer.Exit(1)


def _parse_variant(games: Sequence[AnyGame], preset: str | None, words: Sequence[str]) -> OptionVariant | None:
    """Return the variant that is asked for by preset and options, None if none is.

    Raises:
        ConfigError: the game is not named, or it has no such option.
    """
    if preset is None and not words:
        return None
    if len(games) != 1:
        raise ConfigError("--preset and --option need one game; name it: --game GAME")
    return OptionVariant(preset, parse_options(games[0], words))


def _resolve_or_report(spec: str, resolve: Callable[[str], BotUnderTest], seed: str) -> BotUnderTest | BotReport:
    """Return the bot, or a report that says why there is none."""
    try:
        return resolve(spec)
    except ConfigError as error:
        return BotReport(
            bot=spec,
            command=[],
            games=[],
            sandbox="none",
            seed=seed,
            whole_games=0,
            decisions=0,
            checks=[],
            error=str(error),
        )


def _check_bots(found: Mapping[str, BotUnderTest | BotReport], only: Sequence[str]) -> dict[str, BotReport]:
    """Return the reports of bots by what is given as the bot; reports of one name show it, too."""
    waiting = sum(not isinstance(one, BotReport) for one in found.values())
    with progress_line(len(select_checks(only)) * waiting) as show:

        def check_one(bot: BotUnderTest | BotReport) -> BotReport:
            if isinstance(bot, BotReport):
                return bot
            before = f"{bot.name}: " if len(found) > 1 else ""
            return check_bot(bot, load_registry(), only, lambda result: show(f": {before}{result.name}"))

        reports = {spec: check_one(bot) for spec, bot in found.items()}
    names = Counter(report.bot for report in reports.values())
    return {
        spec: replace(report, bot=f"{report.bot} ({spec})") if names[report.bot] > 1 else report
        for spec, report in reports.items()
    }
