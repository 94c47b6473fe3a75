"""`pitboss check` and `pitboss check-game`: whether a bot or a game keeps its promises, and what to do if not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, cast

import typer

from pitboss_tournament.cli import completion, parameters
from pitboss_tournament.cli.bot_reports import format_repeat, print_report, print_report_table
from pitboss_tournament.cli.exit_status import INTERRUPTED
from pitboss_tournament.cli.key_value_args import parse_options
from pitboss_tournament.cli.number_args import any_number, whole_number
from pitboss_tournament.cli.output import print_check, print_json, print_paragraph, progress_line
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.settings import SettingWords, takes_settings

if TYPE_CHECKING:
    from pitboss.game import AnyGame
    from pitboss.simulation.game_setup import OptionVariant
    from pitboss.testing import ConformanceReport
    from pitboss.testing.framework.failures import FailureCause
    from pitboss.testing.framework.played_game import GamePlayer, PlayedGame
    from pitboss.testing.suite import ConformanceRun
    from pitboss_tournament.bot_checks.bot_under_test import BotUnderTest
    from pitboss_tournament.bot_checks.suite import BotReport

QUICK_SECONDS: Final = 10.0
OTHER_PROCESS_SECONDS: Final = 10.0  # beside the time limit, for the games that are played again in other processes
_MORE_INDENT: Final = 4
_MAX_LINES: Final = 12  # that no game came to, of as many functions


@takes_settings("clock", "sandbox", "limits")
def check(
    context: typer.Context,
    bots: parameters.BotSpecs,
    *,
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            help="A game to play; may be given again; by default all that the bot says it plays.",
            autocompletion=completion.complete_games,
        ),
    ] = None,
    preset: parameters.Preset = None,
    option: parameters.OptionWords = None,
    seats: parameters.SeatCounts = None,
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="K", parser=whole_number(1), help="Games to play at each table.")
    ] = 1,
    game_seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            parser=any_number(0.1),
            help="The games at one table are cut short after so many seconds; by default those at all tables together "
            "take some six seconds.",
        ),
    ] = None,
    seed: Annotated[str, typer.Option(help="All deals and all choices of the opponents follow from it.")] = "check",
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="CHECK", help="A check to make, after those that it builds upon; may be given again."),
    ] = None,
    settings: SettingWords,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose",
            "-v",
            help="Show the checks that passed, too; of several bots the reports of those that failed.",
        ),
    ] = False,
    as_json: parameters.Json = False,
) -> None:
    """Check bots: do they start, speak the protocol, play whole games in time, and end? Each broken promise comes with
    a cure.

    Several bots, or a pattern of folders in quotes, as 'submissions/*', are checked one after the other. One table has
    a line for each, those that failed last; with --verbose the reports of these follow.

    The exit status is 1 if a check failed, or if one of several bots could not be checked. With --json: one object; of
    several bots a list of such objects. `pitboss schema check` has the schema.
    """
    from msgspec.structs import asdict, replace

    from pitboss.protocol.messages import Clock
    from pitboss.simulation.game_setup import list_presets
    from pitboss_tournament.bot_checks.bot_under_test import BotUnderTest, list_tables, resolve_bot
    from pitboss_tournament.config.entrants import expand_pattern
    from pitboss_tournament.processes.sandbox_probe import check_strangers, resolve_sandbox

    given = settings.to_file("")
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
        ConfigError: it is not said of which game, or an option is not one of it.
    """
    from pitboss.errors import ConfigError
    from pitboss.simulation.game_setup import OptionVariant

    if preset is None and not words:
        return None
    if len(games) != 1:
        raise ConfigError("--preset and --option are those of one game; name it: --game GAME")
    return OptionVariant(preset, parse_options(games[0], words))


def _resolve_or_report(spec: str, resolve: Callable[[str], BotUnderTest], seed: str) -> BotUnderTest | BotReport:
    """Return the bot, or a report that says why there is none."""
    from pitboss.errors import ConfigError
    from pitboss_tournament.bot_checks.suite import BotReport

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
    """Return the reports of bots by what is given as the bot; those of one name are told apart by it."""
    from msgspec.structs import replace

    from pitboss_tournament.bot_checks.suite import BotReport, check_bot, select_checks

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


def check_game(
    game: parameters.GameName,
    seats: parameters.SeatCounts = None,
    preset: Annotated[
        list[str] | None,
        typer.Option("--preset", "-p", metavar="NAME", help="A preset to check; may be given again; by default all."),
    ] = None,
    option: parameters.OptionWords = None,
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="N", parser=whole_number(1), help="Games to play at each table.")
    ] = 2,
    seed: Annotated[str, typer.Option(metavar="TEXT", help="All follows from it.")] = "conformance",
    seconds: Annotated[
        float,
        typer.Option(
            metavar="S",
            parser=any_number(0),
            help="Stop after so many seconds of processor time, with what was checked; 0: no limit.",
        ),
    ] = 45.0,
    quick: Annotated[
        bool, typer.Option("--quick", help="As --seconds 10, for three times as many games, each checked less.")
    ] = False,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="WHO",
            help="Who plays every second game, beginning with the first: `new` does what it has done least, `estimate` "
            "what the state's estimate likes; MODULE:FUNCTION is a function of yours, which gets a state and a Random "
            "and returns a legal action. By default the first two play every second game in turn; the others are "
            "played at random.",
        ),
    ] = None,
    as_json: parameters.Json = False,
) -> None:
    """Put a game through the conformance suite: one line a check. The exit status is 1 if a check failed.

    Standard error has a line for each game that was played. Each number of seats, preset and changed option is played
    once before any is played again, short games first. With --quick a game is checked at four decisions in place of
    some twenty, and only every fifth one as a whole: its record, other deals of it, other seeds. The report ends with
    what no game came to: phases, kinds of actions, lines of the game's own code. Ctrl-C ends it with what was checked
    by then, and status 130. The status is 1 also if no game was checked to its end.

    With --json: an object with game, seed, tables, games, decisions, not_played (tables that there was no time for) and
    checks, each with name, promise, outcome ("passed", "failed" or "not applicable") and detail; never_reached (phases,
    actions, lines, line_count, reached_count); and all_failures, one
    for each check and game in which it failed. The text tells failures of one cause once.
    """
    from pitboss.testing.suite import QUICK, THOROUGH, ConformanceRun, list_setups
    from pitboss_tournament.cli.time_limit import TimeUp, time_limit

    played = load_registry().find_game(game)
    options = parse_options(played, option or ()) or None
    depth = QUICK if quick else THOROUGH
    run = ConformanceRun(
        *(played,), games=games, seed=seed, player=_find_player(player), depth=depth, show_game=_show_checked_game
    )
    limit_s = QUICK_SECONDS if quick else seconds
    broken_off = None
    try:
        with time_limit(limit_s):
            run.play(list_setups(played, seats, preset, options, seed))
    except (TimeUp, KeyboardInterrupt) as error:
        broken_off = error
    if not isinstance(broken_off, KeyboardInterrupt):
        with suppress(TimeUp), time_limit(OTHER_PROCESS_SECONDS if limit_s else 0, waiting_factor=1.0):
            run.check_all_games()
    report = run.report()
    if as_json:
        print_json({**report.to_json(), "seed": seed})
    else:
        _print_conformance(report, played.title, seed, run.checked_games)
    if broken_off is not None:
        _report_break(broken_off, limit_s, run, played)
    if isinstance(broken_off, KeyboardInterrupt):
        raise typer.Exit(INTERRUPTED)
    if report.failures or not run.checked_games:
        raise typer.Exit(1)


def _find_player(name: str | None) -> GamePlayer | None:
    """Return who plays every second game; None: nobody was named.

    Raises:
        ConfigError: there is no such player.
    """
    from importlib import import_module

    from pitboss.errors import ConfigError
    from pitboss.testing.framework.choosers import NewKindChooser, choose_by_estimate
    from pitboss.text import describe_exception

    if name is None:
        return None
    known: dict[str, GamePlayer] = {"new": NewKindChooser(), "estimate": choose_by_estimate}
    if name in known:
        return known[name]
    module, _, function = name.partition(":")
    try:
        found = getattr(import_module(module), function, None) if module and function else None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - the border to an author's module
        raise ConfigError(f"--player {name}: {module!r} cannot be imported: {describe_exception(error)}") from None
    if not callable(found):
        raise ConfigError(f"--player is {name!r}; it is new, estimate, or a function as MODULE:FUNCTION")
    return cast("GamePlayer", found)


def _show_checked_game(game: PlayedGame, causes: Sequence[FailureCause]) -> None:
    """Print a line about a game that was played, and one about each cause of failures that was not seen before."""
    from pitboss.text import format_count

    typer.echo(
        f"{game.setup.label}: seed {game.seed}, {format_count(len(game), 'decision')}, played {game.style}", err=True
    )
    for cause in causes:
        typer.echo(f"FAILED  {cause.first.name}: {cause.first.detail}", err=True)


def _report_break(error: BaseException, seconds: float, run: ConformanceRun, game: AnyGame) -> None:
    """Say why the suite was broken off, where, and what was not played."""
    report = run.report()
    from pitboss.plugins.registry import find_distribution
    from pitboss.text import format_count
    from pitboss_tournament.match.plugin_calls import locate_raise

    where = locate_raise(error.__traceback__)
    why = "interrupted" if isinstance(error, KeyboardInterrupt) else f"the processor time of {seconds:g} s is up"
    at = f", in the plugin of {game.name!r} ({find_distribution(game)}, {where})" if where else ""
    left = f"{len(report.not_played)} of {format_count(len(report.tables), 'table')}"
    typer.echo(
        f"pitboss: {why}{at}: {format_count(run.checked_games, 'game')} checked, {left} not played; "
        "--seconds 0 sets no limit",
        err=True,
    )


def _print_conformance(report: ConformanceReport, title: str, seed: str, checked_games: int) -> None:
    from pitboss.testing.framework.check import count_outcomes
    from pitboss.text import format_count

    typer.echo(
        f"{title}, seed {seed}: {format_count(report.games, 'game')}, {format_count(report.decisions, 'decision')}\n"
    )
    for result in report.checks:
        print_check(result)
    for cause in report.causes:
        typer.echo(f"\n{cause.first}")
        print_paragraph(cause.more_games, _MORE_INDENT, _MORE_INDENT)
        print_paragraph(cause.more_checks, _MORE_INDENT, _MORE_INDENT)
    _print_unreached(report)
    if checked_games:
        typer.echo(f"\n{format_count(len(report.checks), 'check')}: {count_outcomes(report.checks)}")
    else:
        typer.echo("\nno game was checked to its end: it is not known whether this game keeps its promises")


def _print_unreached(report: ConformanceReport) -> None:
    """Print what no game came to: what lies there has not been checked."""
    from pitboss.text import format_count, join_words

    reach = report.never_reached
    if reach.is_whole or not report.games:
        return
    parts = [
        *([f"phase {join_words(reach.phases)}"] if reach.phases else []),
        *([f"action {join_words(reach.actions)}"] if reach.actions else []),
        *([f"{reach.line_count - reach.reached_count} of {reach.line_count} lines"] if reach.lines else []),
    ]
    typer.echo("")
    print_paragraph(f"No game came to: {'; '.join(parts)}. What lies there is not checked; --player may come further.")
    for line in reach.lines[:_MAX_LINES]:
        print_paragraph(line, _MORE_INDENT, 2 * _MORE_INDENT)
    if (more := len(reach.lines) - _MAX_LINES) > 0:
        typer.echo(f"{' ' * _MORE_INDENT}and in {format_count(more, 'more function')} (--json has all)")
