"""`pitboss simulate`: random play-outs in this process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from pitboss import AnyGame, Random
from pitboss.game import resolve_options
from pitboss.text import format_count
from pitboss_tournament.cli.key_value_args import fewest_seats, parse_options
from pitboss_tournament.cli.output import print_json, print_note, print_table, progress_line
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.whole_file import require_new, write_whole_file
from pitboss_tournament.config.defaults import draw_seed
from pitboss_tournament.config.given_deals import find_deal_writer
from pitboss_tournament.simulation.simulation import CountSummary, MeanInterval, Simulation, simulate_games


def simulate(
    game: str,
    seats: int | None,
    preset: str | None,
    option: list[str] | None,
    games: int,
    seed: str | None,
    write_deals: Path | None,
    as_json: bool,
) -> None:
    """Run `pitboss simulate`."""
    played = load_registry().find_game(game)
    table = seats if seats is not None else fewest_seats(played, preset, option or ())
    options = resolve_options(played, table, preset, parse_options(played, option or ()))
    if write_deals is not None:
        _write_deals(played, table, options, write_deals, games, seed or draw_seed())
        return
    with progress_line(games) as show:
        found = simulate_games(played, table, preset, options, games, seed or draw_seed(), lambda: show(" games"))
    if as_json:
        print_json(found)
    else:
        _print_simulation(found, played.title, option or ())


def _write_deals(
    game: AnyGame,
    seats: int,
    options: Any,  # noqa: ANN401 - the game's own
    path: Path,
    count: int,
    seed: str,
) -> None:
    """Write the deals of a game into a new file."""
    write = find_deal_writer(game, path)
    require_new(path)
    states = (game.deal(seats, options, Random(f"{seed}/game-{number}")) for number in range(1, count + 1))
    with write_whole_file(path) as part, part.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(f"{line}\n" for line in write(states))
    print_note(f"{path}: {format_count(count, 'deal')} of {game.name}, seed {seed}")


def _print_simulation(found: Simulation, title: str, given: Sequence[str]) -> None:
    what = [f"{found.seats} players", *([f"preset {found.preset}"] if found.preset else []), *given]
    typer.echo(f"{title}, {', '.join(what)}: {format_count(found.games, 'random game')}, seed {found.seed}\n")
    rows = [("all", *_format_spread(found.decisions), f"{found.choices:.1f}")]
    rows += [(one.phase, *_format_spread(one.decisions), f"{one.choices:.1f}") for one in found.phases]
    print_table(
        ("Decisions a game", "mean", "min", "median", "p95", "max", "choices"),
        rows,
        right=("mean", "min", "median", "p95", "max", "choices"),
    )
    typer.echo()
    seats = [(str(one.seat), *_format_estimate(one.points, 1), *_format_estimate(one.wins, 3)) for one in found.balance]
    print_table(("Seat", "points", "95 %", "wins", "95 % "), seats, right=("points", "wins"))
    speed = found.speed
    typer.echo(f"\nDecisions a second: {speed.without_events:,.0f}; with events {speed.with_events:,.0f}")


def _format_spread(spread: CountSummary) -> tuple[str, ...]:
    return (f"{spread.mean:.1f}", str(spread.min), f"{spread.median:g}", str(spread.p95), str(spread.max))


def _format_estimate(estimate: MeanInterval, digits: int) -> tuple[str, str]:
    if estimate.low is None or estimate.high is None:
        return f"{estimate.mean:.{digits}f}", "unknown"
    return f"{estimate.mean:.{digits}f}", f"{estimate.low:.{digits}f} to {estimate.high:.{digits}f}"
