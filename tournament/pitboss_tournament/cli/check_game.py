"""`pitboss check-game`: whether a game keeps its promises."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Final, cast

import typer

from pitboss.errors import ConfigError
from pitboss.plugins.registry import find_distribution
from pitboss.testing.framework.check import count_outcomes
from pitboss.testing.framework.choosers import NewKindChooser, choose_by_estimate
from pitboss.testing.framework.failed_game import play_again
from pitboss.testing.framework.playouts import PlayoutBudget
from pitboss.testing.suite import QUICK, THOROUGH, ConformanceRun, list_setups
from pitboss.text import describe_exception, format_count, join_words
from pitboss_tournament.authoring.kept_failures import describe_again, keep_failures
from pitboss_tournament.cli.exit_status import INTERRUPTED
from pitboss_tournament.cli.key_value_args import parse_options
from pitboss_tournament.cli.output import print_check, print_json, print_paragraph
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.time_limit import TimeUp, time_limit
from pitboss_tournament.match.plugin_calls import locate_raise
from pitboss_tournament.store.store import Store

if TYPE_CHECKING:
    from pitboss.game import AnyGame
    from pitboss.testing import ConformanceReport
    from pitboss.testing.framework.checked_setup import CheckedSetup
    from pitboss.testing.framework.failures import FailureCause
    from pitboss.testing.framework.played_game import GamePlayer, PlayedGame

THOROUGH_SECONDS: Final = 45.0
QUICK_SECONDS: Final = 10.0
PLAYOUT_SHARE: Final = 0.2  # of the seconds
OPTION_SHARE: Final = 0.2
LOOK_SHARE: Final = 0.1  # for looks at the rarest decisions, before the games in depth
PLAYOUTS: Final = PlayoutBudget(games=10_000, decisions=1_000_000)  # the most, where seconds end them
MAX_UNTIMED_RARE: Final = 20  # decisions that are left when all games are checked
UNTIMED_PLAYOUTS: Final = PlayoutBudget(games=2_000, decisions=100_000)
WAIT_SECONDS: Final = 600.0  # for the games that are played again in other processes, which have a time of their own
_MORE_INDENT: Final = 4
_MAX_LINES: Final = 12  # that no game came to, of as many functions


def check_game(
    game: str,
    seats: list[int] | None,
    preset: list[str] | None,
    option: list[str] | None,
    games: int,
    seed: str,
    seconds: float | None,
    quick: bool,
    player: str | None,
    keep: Path | None,
    again: Path | None,
    as_json: bool,
) -> None:
    """Run `pitboss check-game`."""
    played = load_registry().find_game(game)
    options = parse_options(played, option or ()) or None
    depth = QUICK if quick else THOROUGH
    run = ConformanceRun(
        played,
        games=games,
        seed=seed,
        player=_find_player(player),
        depth=depth,
        show_game=_show_checked_game,
        show_long_game=_show_long_game,
    )
    limit_s = seconds if seconds is not None else QUICK_SECONDS if quick else THOROUGH_SECONDS
    broken_off = None
    try:
        with time_limit(limit_s):
            if again is None:
                setups = list_setups(played, seats, preset, options, seed)
                _check_new_games(run, setups, limit_s, None if preset or options else seats or list(played.seats))
            else:
                for _, record in Store(again).records():
                    run.check_again(*play_again(record, played))
    except (TimeUp, KeyboardInterrupt) as error:
        broken_off = error
        run.note_break()
    if not isinstance(broken_off, KeyboardInterrupt):
        with suppress(TimeUp), time_limit(WAIT_SECONDS if limit_s else 0, WAIT_SECONDS):
            run.check_all_games()
    report = run.report()
    if as_json:
        print_json({**report.to_json(), "seed": seed})
    else:
        files = {} if keep is None else keep_failures(keep, report.causes, run.failed_games)
        _print_conformance(report, played.title, seed, run.checked_games, files)
    if broken_off is not None:
        _report_break(broken_off, limit_s, run, played)
    if isinstance(broken_off, KeyboardInterrupt):
        raise typer.Exit(INTERRUPTED)
    if report.failures or not run.checked_games:
        raise typer.Exit(1)


def _check_new_games(
    run: ConformanceRun, setups: Sequence[CheckedSetup], limit_s: float, option_seats: Sequence[int] | None
) -> None:
    """Play games out, try the options at tables of these seats (None: not at all), and check some games in depth."""
    run.play_out(setups, _make_budget(limit_s))
    tally = run.tally
    typer.echo(f"{format_count(tally.games, 'play-out')}, {format_count(tally.decisions, 'decision')}", err=True)
    if option_seats is not None:
        run.try_options(option_seats, _spend(OPTION_SHARE * limit_s))
    if limit_s:
        run.check_rare(len(run.rare), _spend(LOOK_SHARE * limit_s))
    run.play(setups)
    run.check_rare(None if limit_s else MAX_UNTIMED_RARE)


def _make_budget(seconds: float) -> PlayoutBudget:
    """Return the budget of the play-outs of a run of `seconds`; 0: without a limit."""
    return PLAYOUTS._replace(is_spent=_spend(PLAYOUT_SHARE * seconds)) if seconds else UNTIMED_PLAYOUTS


def _spend(seconds: float) -> Callable[[], bool]:
    """Return what tells whether `seconds` of processor time are spent, from now on; 0: they never are."""
    end = process_time() + seconds
    return lambda: seconds > 0 and process_time() >= end


def _show_long_game(game: PlayedGame) -> None:
    typer.echo(f"{game.setup.label}: one game, seed {game.seed}, has made {len(game):,} decisions so far", err=True)


def _find_player(name: str | None) -> GamePlayer | None:
    """Return who plays every second game; None: nobody was named.

    Raises:
        ConfigError: there is no such player.
    """
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
    typer.echo(
        f"{game.setup.label}: seed {game.seed}, {format_count(len(game), 'decision')}, played {game.style}", err=True
    )
    for cause in causes:
        typer.echo(f"FAILED  {cause.first.name}: {cause.first.detail}", err=True)


def _report_break(error: BaseException, seconds: float, run: ConformanceRun, game: AnyGame) -> None:
    """Say why the suite was broken off, where, and what was not played."""
    report = run.report()

    where = locate_raise(error.__traceback__)
    why = "interrupted" if isinstance(error, KeyboardInterrupt) else f"the processor time of {seconds:g} s is up"
    at = f", in the plugin of {game.name!r} ({find_distribution(game)}, {where})" if where else ""
    left = f"{len(report.not_played)} of {format_count(len(report.tables), 'table')}"
    typer.echo(
        f"pitboss: {why}{at}: {format_count(run.checked_games, 'game')} checked, {left} not played; "
        "--seconds 0 sets no limit",
        err=True,
    )


def _print_conformance(
    report: ConformanceReport, title: str, seed: str, checked_games: int, files: Mapping[str, Path]
) -> None:
    playouts = f"; {format_count(report.playouts, 'play-out')}, {format_count(report.playout_decisions, 'decision')}"
    games = f"{format_count(report.games, 'game')}, {format_count(report.decisions, 'decision')}"
    typer.echo(f"{title}, seed {seed}: {games}{playouts}\n")
    for result in report.checks:
        print_check(result)
    for cause in report.causes:
        typer.echo(f"\n{cause.first}")
        print_paragraph(cause.more_games, _MORE_INDENT, _MORE_INDENT)
        print_paragraph(cause.more_checks, _MORE_INDENT, _MORE_INDENT)
        for line in describe_again(report.game, cause.first, files.get(cause.first.cause), seed):
            typer.echo(f"{' ' * _MORE_INDENT}{line}")
    for result in report.checks:
        if result.is_note:
            typer.echo("")
            print_paragraph(f"{result.name}, a note: {result.detail}. {result.advice}", 0, _MORE_INDENT)
    _print_unreached(report)
    if checked_games:
        typer.echo(f"\n{format_count(len(report.checks), 'check')}: {count_outcomes(report.checks)}")
    else:
        typer.echo("\nno game was checked to its end: it is not known whether this game keeps its promises")


def _print_unreached(report: ConformanceReport) -> None:
    """Print what no game came to: what lies there has not been checked."""
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
