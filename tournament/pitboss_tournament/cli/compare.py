"""`pitboss compare`: whether a change of a bot has made it better, as an exit status."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli import completion, parameters
from pitboss_tournament.cli.comparison import open_comparison, verdict_status
from pitboss_tournament.cli.output import print_json, print_lines, print_table_lines, terminal_width
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.settings import SettingWords, takes_settings
from pitboss_tournament.cli.standings_output import print_faults
from pitboss_tournament.cli.tournament_run import check_end, play_games

if TYPE_CHECKING:
    from pitboss_tournament.running.tournament import Tournament
    from pitboss_tournament.showing.version_comparison import ComparisonReport


@takes_settings(
    *("seats", "preset", "options", "score", "seed", "store", "clock", "faults", "limits", "logs"),
    *("games_at_once", "workers", "pinned", "sandbox", "build_network", "ponder"),
    leave_out=("disqualify_after",),
)
def compare(
    old: parameters.OldBot,
    new: parameters.NewBotVersion,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            help="The name of a game from `pitboss games`; needed unless --from is given.",
            autocompletion=completion.complete_games,
            show_default=False,
        ),
    ] = None,
    *,
    stored: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            metavar="STORE",
            help="Play nothing: judge by the games of a store, or of several; OLD and NEW are names in it, as alice@1.",
        ),
    ] = None,
    bounds: parameters.Bounds = (0.0, 25.0),
    alpha: parameters.Alpha = 0.05,
    beta: parameters.Beta = 0.05,
    games: parameters.ComparedGames = 10_000,
    among: parameters.Among = None,
    settings: SettingWords,
    no_store: parameters.NoStore = False,
    fail_on_faults: parameters.FailOnFaults = False,
    as_json: parameters.Json = False,
) -> None:
    """Tell whether NEW is better than OLD: they play each deal from every seat until a sequential test is sure.

    The test looks at the difference of their place scores (the share of the others that a bot is placed before) after
    each deal. It has two bounds, as SPRT has in computer chess, but assumes nothing about how results are distributed.
    With --score imps, or a store of such a tournament, places go by IMPs.
    Forfeited games count as lost. The same command with the same --seed or the same --store carries on, also with more
    --games.

    The exit status is 0 if NEW is better, 1 if it is not, 2 if that is undecided at the limit of games. It is 3 if
    there is no verdict: after any error, and if a bot never played. After Ctrl-C it is 130, after SIGTERM 143.

    With --json: one object with verdict ("better", "not better", "undecided"), sentence, old, new, game, seats, seed,
    bounds (low, high, alpha, beta), deals, games, most_games, points (estimate, after a verdict corrected for the
    stop, and low and high: below and above them with probability alpha and beta; null: infinite), proof_better,
    proof_not_better (0 to 1), faults (forfeited games by kind, by bot) and store; `pitboss schema compare` describes
    it.

    With --from nothing is played: the test looks at the stored deals in which both were at one table, in their order.

    In a game in which all play together a team of copies of each plays the same deals, and the test looks at the
    difference of their points: --bounds are points of the game, by default 0 1. With --from it compares the teams with
    the one with those with the other.
    """
    from pitboss.errors import ConfigError
    from pitboss_tournament.config.defaults import find_stored_span
    from pitboss_tournament.config.versions import ComparisonSettings, check_bounds, choose_team_bounds
    from pitboss_tournament.exchange.pooling import open_pooled
    from pitboss_tournament.plan.plan import StopBounds
    from pitboss_tournament.showing.version_comparison import describe_comparison, judge_stored

    errors = StopBounds(low=bounds[0], high=bounds[1], alpha=alpha, beta=beta)
    check_bounds(errors)
    if stored:
        with open_pooled(stored) as pooled:
            span = find_stored_span(pooled.header, load_registry())
            bounds_of_teams = errors if span is None else choose_team_bounds(errors)
            _print_verdict(judge_stored(pooled, old, new, bounds_of_teams, span), as_json)
        return
    if game is None:
        raise ConfigError("which game is to be played? --game names it; --from STORE judges by games that were played")
    comparison = ComparisonSettings(
        settings=settings.to_file(game),
        bounds=errors,
        most_games=games,
        among=among,
        fails_on_faults=fail_on_faults,
    )
    with open_comparison(comparison, old, new, keeps_store=not no_store) as tournament:
        _play_comparison(tournament, as_json)
        check_end(tournament, comparison.fails_on_faults)
        _print_verdict(describe_comparison(tournament), as_json)


def _play_comparison(tournament: Tournament, as_json: bool) -> None:
    """Play until there is a verdict; print what is played, the standings and the faults, without --json."""
    from pitboss_tournament.counting.stored_findings import TournamentSummary
    from pitboss_tournament.results.standings_rows import list_bot_rows, number_rows
    from pitboss_tournament.showing.standings_table import board_lines
    from pitboss_tournament.showing.team_table import team_lines
    from pitboss_tournament.showing.version_comparison import announce_comparison

    if not as_json:
        print_lines([announce_comparison(tournament)])
    play_games(tournament, as_events=False, is_quiet=as_json)
    if not as_json:
        summary = TournamentSummary(tournament.store)
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
