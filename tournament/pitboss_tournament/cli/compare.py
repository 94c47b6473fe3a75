"""`pitboss compare`: whether a change of a bot has made it better, as an exit status."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli import completion, parameters
from pitboss_tournament.cli.comparison import open_comparison, verdict_status
from pitboss_tournament.cli.output import print_json, print_lines, print_table_lines, terminal_width
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.setting_words import COMPARISON_SETTINGS, read_settings
from pitboss_tournament.cli.standings_output import print_faults
from pitboss_tournament.cli.tournament_run import check_end, play_games

if TYPE_CHECKING:
    from pitboss_tournament.running.tournament import Tournament
    from pitboss_tournament.showing.version_comparison import ComparisonReport


def compare(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME OLD NEW",
            help="A game, and two versions of a bot: folders with a bot.toml, commands in quotes, or names from "
            "`pitboss bots`. With --from OLD and NEW alone: names in the store.",
            autocompletion=completion.complete_compared,
            show_default=False,
        ),
    ],
    stored: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            metavar="STORE",
            help="Play nothing: judge by the games of stores.",
            show_default=False,
            rich_help_panel=parameters.TEST,
        ),
    ] = None,
    bounds: parameters.Bounds = (0.0, 25.0),
    alpha: parameters.Alpha = 0.05,
    beta: parameters.Beta = 0.05,
    games: parameters.ComparedGames = 10_000,
    among: parameters.Among = None,
    seats: parameters.Seats = None,
    preset: parameters.Preset = None,
    option: parameters.OptionWords = None,
    seed: parameters.Seed = None,
    settings: parameters.Settings = None,
    store: parameters.StorePath = None,
    no_store: parameters.NoStore = False,
    workers: parameters.Workers = None,
    sandbox: parameters.Sandbox = None,
    fail_on_faults: parameters.FailOnFaults = False,
    as_json: parameters.Json = False,
) -> None:
    """Tell whether NEW is better than OLD: they play each deal from every seat until a sequential test is sure.

    The same command with the same --seed or --store carries on. Where all play together, teams of copies of each play
    the same deals, and --bounds are points of the game.

    The exit status is 0 if NEW is better, 1 if it is not, 2 if that is undecided at the limit of games, and 3 after
    any error or if a bot never played.
    """
    from pitboss_tournament.config.defaults import find_stored_span
    from pitboss_tournament.config.versions import ComparisonSettings, check_bounds, choose_team_bounds
    from pitboss_tournament.exchange.pooling import open_pooled
    from pitboss_tournament.plan.plan import StopBounds
    from pitboss_tournament.showing.version_comparison import describe_comparison, judge_stored

    game, old, new = _parse_words(words, is_stored=bool(stored))
    errors = StopBounds(low=bounds[0], high=bounds[1], alpha=alpha, beta=beta)
    check_bounds(errors)
    if stored:
        with open_pooled(stored) as pooled:
            span = find_stored_span(pooled.header, load_registry())
            bounds_of_teams = errors if span is None else choose_team_bounds(errors)
            _print_verdict(judge_stored(pooled, old, new, bounds_of_teams, span), as_json)
        return
    said = read_settings(
        settings,
        COMPARISON_SETTINGS,
        option=option or (),
        seats=seats,
        preset=preset,
        seed=seed,
        store=store,
        workers=workers,
        sandbox=sandbox,
    )
    comparison = ComparisonSettings(
        settings=said.to_file(game),
        bounds=errors,
        most_games=games,
        among=among,
        fails_on_faults=fail_on_faults,
    )
    with open_comparison(comparison, old, new, keeps_store=not no_store) as tournament:
        _play_comparison(tournament, as_json)
        check_end(tournament, comparison.fails_on_faults)
        _print_verdict(describe_comparison(tournament), as_json)


def _parse_words(words: Sequence[str], *, is_stored: bool) -> tuple[str, str, str]:
    """Return game, OLD and NEW; of games in a store the game is "".

    Raises:
        ConfigError: there are more of them, or fewer.
    """
    from pitboss.errors import ConfigError

    if is_stored:
        if len(words) != 2:
            raise ConfigError(f"--from: the store names the game; give two names in it, OLD and NEW, not {len(words)}")
        return "", words[0], words[1]
    if len(words) == 2:
        raise ConfigError(
            f"which game is played? for example: pitboss compare racko {shlex.join(words)}; "
            "--from STORE judges by games that were played"
        )
    if len(words) != 3:
        raise ConfigError(f"a game and two bots are compared, GAME OLD NEW; here are {len(words)} words")
    return words[0], words[1], words[2]


def _play_comparison(tournament: Tournament, as_json: bool) -> None:
    """Play until there is a verdict; print what is played, the standings and the faults, without --json."""
    from pitboss_tournament.counting.stored_findings import StoredFindings
    from pitboss_tournament.results.standings_rows import list_bot_rows, number_rows
    from pitboss_tournament.showing.standings_table import board_lines
    from pitboss_tournament.showing.team_table import team_lines
    from pitboss_tournament.showing.version_comparison import announce_comparison

    if not as_json:
        print_lines([announce_comparison(tournament)])
    play_games(tournament, as_events=False, is_quiet=as_json)
    if not as_json:
        summary = StoredFindings(tournament.store)
        print_table_lines(board_lines(number_rows(list_bot_rows(summary)), terminal_width()))
        print_table_lines(team_lines(summary.teams, terminal_width()) if summary.teams else [])
        print_faults(summary, tournament.plan.keeps_store)
        if tournament.plan.keeps_store:
            again = "; the same command with this --store carries on" if tournament.was_stopped else ""
            print_lines([f"The games are kept in {tournament.plan.store}{again}."])


def _print_verdict(found: ComparisonReport, as_json: bool) -> None:
    """Print the verdict as a sentence or as JSON.

    Raises:
        Exit: it is another than "better".
    """
    if as_json:
        print_json(found)
    else:
        print_lines([found.sentence])
    if status := verdict_status(found):
        raise typer.Exit(status)
