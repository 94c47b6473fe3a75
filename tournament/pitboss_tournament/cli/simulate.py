"""`pitboss simulate`: random play-outs in this process."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli.parameters import GameName, Given, Json, Preset

if TYPE_CHECKING:
    from pitboss_tournament.simulating.simulation import Estimate, Simulation, Spread


def simulate(
    game: GameName,
    seats: Annotated[
        int | None,
        typer.Option("--seats", metavar="N", help="How many play; by default as few as the options allow.", show_default=False),
    ] = None,
    preset: Preset = None,
    option: Given = None,
    games: Annotated[int, typer.Option("--games", "-n", metavar="N", min=1, help="How many games to play.")] = 100,
    seed: Annotated[
        str | None,
        typer.Option(
            "--seed", metavar="TEXT", help="All follows from it but the speed; by default a new one.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Play random games in this process, and tell how long, how balanced and how fast they are.

    With --json: an object with game, game_version, seats, preset, options, seed, games, decisions, phases, balance and speed.
    """
    from pitboss_tournament.cli.given import fewest_seats, options_for
    from pitboss_tournament.cli.installed import registry
    from pitboss_tournament.cli.printing import print_json
    from pitboss_tournament.planning.seeds import fresh_seed
    from pitboss_tournament.simulating.simulation import simulated

    played = registry().game(game)
    table = seats if seats is not None else fewest_seats(played, preset, option or ())
    options = options_for(played, table, preset, option or ())
    with _progress(games) as on_game:
        found = simulated(played, table, preset, options, games, seed or fresh_seed(), on_game)
    if as_json:
        print_json(found)
    else:
        _print(found, played.title, option or ())


@contextmanager
def _progress(games: int) -> Iterator[Callable[[], None]]:
    """Count the games on standard error, if a person is looking."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    done = 0

    def on_game() -> None:
        nonlocal done
        done += 1
        sys.stderr.write(f"\r{done} of {games} games")
        sys.stderr.flush()

    try:
        yield on_game
    finally:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def _print(found: Simulation, title: str, given: Sequence[str]) -> None:
    from pitboss_tournament.cli.printing import print_table
    from pitboss_tournament.planning.wording import counted

    what = [f"{found.seats} players", *([f"preset {found.preset}"] if found.preset else []), *given]
    typer.echo(f"{title}, {', '.join(what)}: {counted(found.games, 'random game')}, seed {found.seed}\n")
    rows = [("all", *_spread(found.decisions), "")]
    rows += [(one.phase, *_spread(one.decisions), f"{one.choices:.1f}") for one in found.phases]
    print_table(
        ("Decisions a game", "mean", "min", "median", "p95", "max", "choices"),
        rows,
        right=("mean", "min", "median", "p95", "max", "choices"),
    )
    typer.echo()
    seats = [(str(one.seat), *_estimate(one.points, 1), *_estimate(one.wins, 3)) for one in found.balance]
    print_table(("Seat", "points", "95 %", "wins", "95 % "), seats, right=("points", "wins"))
    speed = found.speed
    typer.echo(f"\nDecisions a second: {speed.without_events:,.0f}; with events {speed.with_events:,.0f}")


def _spread(spread: Spread) -> tuple[str, ...]:
    return (f"{spread.mean:.1f}", str(spread.min), f"{spread.median:g}", str(spread.p95), str(spread.max))


def _estimate(estimate: Estimate, digits: int) -> tuple[str, str]:
    if estimate.low is None or estimate.high is None:
        return f"{estimate.mean:.{digits}f}", "unknown"
    return f"{estimate.mean:.{digits}f}", f"{estimate.low:.{digits}f} to {estimate.high:.{digits}f}"
