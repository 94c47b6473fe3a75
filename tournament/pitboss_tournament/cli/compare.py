"""`pitboss compare`: whether a change of a bot has made it better, as an exit status."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from pitboss.errors import ConfigError
from pitboss_tournament.cli.comparison import open_comparison, verdict_status
from pitboss_tournament.cli.first_word import require_game
from pitboss_tournament.cli.luck import choose_luck, measure_luck_of_stores
from pitboss_tournament.cli.output import print_json, print_lines, print_table_lines, terminal_width
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.setting_words import COMPARISON_SETTINGS, read_settings
from pitboss_tournament.cli.standings_output import print_faults
from pitboss_tournament.cli.tournament_run import check_end, play_games
from pitboss_tournament.config.defaults import find_stored_span
from pitboss_tournament.config.versions import ComparisonSettings, check_bounds, choose_team_bounds
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.exchange.pooling import open_pooled
from pitboss_tournament.plan.plan import StopBounds
from pitboss_tournament.results.standings_rows import list_bot_rows, number_rows
from pitboss_tournament.showing.standings_table import board_lines
from pitboss_tournament.showing.team_table import team_lines
from pitboss_tournament.showing.version_comparison import (
    ComparisonReport,
    announce_comparison,
    comparison_lines,
    describe_comparison,
    judge_stored,
)

if TYPE_CHECKING:
    from pitboss_tournament.running.tournament import Tournament


def compare(
    words: list[str],
    stored: list[Path] | None,
    bounds: tuple[float, float],
    alpha: float,
    beta: float,
    games: int,
    among: str | None,
    seats: int | None,
    preset: str | None,
    option: list[str] | None,
    seed: str | None,
    settings: list[str] | None,
    store: Path | None,
    no_store: bool,
    workers: int | None,
    sandbox: str | None,
    fail_on_faults: bool,
    reduce: Literal["none", "luck"] | None,
    as_json: bool,
) -> None:
    """Run `pitboss compare`."""
    game, old, new = _parse_words(words, is_stored=bool(stored))
    if reduce is not None and not stored:
        raise ConfigError("--reduce: it takes luck out of the points of games that were played; give --from STORE")
    errors = StopBounds(low=bounds[0], high=bounds[1], alpha=alpha, beta=beta)
    check_bounds(errors)
    if stored:
        measure_luck_of_stores(stored, reduce)
        with open_pooled(stored) as pooled:
            span = find_stored_span(pooled.header, load_registry())
            bounds_of_teams = errors if span is None else choose_team_bounds(errors)
            luck = choose_luck(pooled, reduce)
            _print_verdict(judge_stored(pooled, old, new, bounds_of_teams, span, luck), as_json)
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
        settings=said.to_file(require_game("compare", game, (old, new))),
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
        print_lines(comparison_lines(found))
    if status := verdict_status(found):
        raise typer.Exit(status)
