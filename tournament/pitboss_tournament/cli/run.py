"""`pitboss run` and `pitboss match`: tournaments, from a file or from the command line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss_tournament.cli import complete
from pitboss_tournament.cli.parameters import GameName, Given, Json, Preset

if TYPE_CHECKING:
    from pitboss_tournament.plan import Plan
    from pitboss_tournament.runner import Tournament

TournamentFile = Annotated[Path, typer.Argument(metavar="FILE", help="The tournament file (TOML).", show_default=False)]
BotSpecs = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT...",
        help="A folder with a bot.toml, a command in quotes, or a name from `pitboss bots`.",
        autocompletion=complete.bots,
        show_default=False,
    ),
]
Seats = Annotated[
    int | None, typer.Option(help="Players at a table; by default all bots at one, if the game allows that.", min=1)
]
Deals = Annotated[int, typer.Option(help="Duplicate deals for each set of bots.", min=1)]
Seed = Annotated[str | None, typer.Option(help="All deals follow from it; by default a new one, which is printed.")]
StorePath = Annotated[
    Path | None, typer.Option("--store", help="Where the games are kept; by default a file named by game and seed.")
]
Milliseconds = Annotated[int, typer.Option(help="Time for each decision, in milliseconds.", min=1)]
StartMs = Annotated[int, typer.Option(help="Time for a bot to start, in milliseconds.", min=1)]
GameMs = Annotated[int | None, typer.Option(help="Time for all decisions of a game together, in milliseconds.", min=1)]
AtOnce = Annotated[int | None, typer.Option(help="Games played at a time; by default one for each processor.", min=1)]
FaultLimit = Annotated[int, typer.Option(help="Forfeited games after which a bot is out.", min=1)]


def run(file: TournamentFile, as_json: Json = False) -> None:
    """Play the tournament that FILE describes; the same command again carries on where it was stopped.

    Ctrl-C stops it: finished games are kept. With --json: one JSON object a line, `start`, `game` for each game, `end` with the standings.
    """
    from pitboss_tournament.cli.installed import registry
    from pitboss_tournament.config import planned

    _play(planned(file, registry()), as_json)


def match(
    game: GameName,
    bots: BotSpecs,
    seats: Seats = None,
    deals: Deals = 10,
    seed: Seed = None,
    preset: Preset = None,
    option: Given = None,
    store: StorePath = None,
    decision_ms: Milliseconds = 1_000,
    start_ms: StartMs = 10_000,
    game_ms: GameMs = None,
    games_at_once: AtOnce = None,
    fault_limit: FaultLimit = 10,
    as_json: Json = False,
) -> None:
    """Play a tournament between some BOTs, without a file: all sets of bots that fit a table, each deal in all rotations.

    The same command with the same seed carries on where it was stopped.
    """
    from pitboss.errors import ConfigError
    from pitboss.wire import Clock
    from pitboss_tournament import entrants
    from pitboss_tournament.cli.given import fresh_seed, options_for
    from pitboss_tournament.cli.installed import registry
    from pitboss_tournament.config import default_seats, processors
    from pitboss_tournament.plan import Plan

    rules = registry().game(game)
    found = entrants.with_different_names(entrants.resolve(spec, registry(), Path.cwd(), game) for spec in bots)
    seats = seats or default_seats(rules, len(found))
    options = options_for(rules, seats, preset, option or ())
    if len(found) < seats:
        raise ConfigError(f"there are too few bots: {len(found)}; {seats} play at a table of {game}")
    seed = seed or fresh_seed()
    _play(
        Plan(
            game=game,
            options=options,
            seats=seats,
            seed=seed,
            deals=deals,
            entrants=found,
            clock=Clock(start_ms=start_ms, decision_ms=decision_ms, game_ms=game_ms),
            fault_limit=fault_limit,
            games_at_once=games_at_once or processors(),
            store=store or Path(f"{game}-{_as_file_name(seed)}.pitboss"),
        ),
        as_json,
    )


def _play(plan: Plan, as_json: bool) -> None:
    import trio
    from rich.console import Console

    from pitboss import __version__
    from pitboss_tournament import live
    from pitboss_tournament.cli import INTERRUPTED
    from pitboss_tournament.cli.installed import registry
    from pitboss_tournament.cli.results import fault_lines
    from pitboss_tournament.runner import Tournament
    from pitboss_tournament.store import Store, header_of

    game = registry().game(plan.game)
    store = Store.for_run(plan.store, header_of(plan, game.version, __version__))
    try:
        tournament = Tournament(plan, game, store)
        if not as_json:
            with live.listening():
                typer.echo(_announced(tournament))
        console = Console(highlight=False)
        if as_json:
            audience: live.JsonLines | live.Screen | live.Lines = live.JsonLines(tournament)
        else:
            audience = live.Screen(tournament, console) if console.is_terminal else live.Lines(tournament, sys.stderr)
        with audience:
            trio.run(tournament.run, audience)
        if not as_json:
            with live.listening():
                console.print(live.standings_grid(tournament.tally.standings()))
                typer.echo(_closing(tournament))
                for line in fault_lines(store):
                    typer.echo(line)
    finally:
        store.close()
    if tournament.was_stopped:
        raise typer.Exit(INTERRUPTED)


def _announced(tournament: Tournament) -> str:
    plan, done = tournament.plan, tournament.played_before
    games = f"{plan.game}, {plan.seats} at a table, seed {plan.seed!r}: {len(plan.entrants)} bots, {tournament.total:,} games"
    return games + (f", of which {done:,} are already played" if done else "")


def _closing(tournament: Tournament) -> str:
    missing = tournament.total - tournament.tally.games
    lines = ["± is a 95 % interval over blocks; a block is one deal in all its rotations."]
    if tournament.was_stopped:
        lines.append(f"Stopped with {missing:,} games to play; the same command carries on.")
    elif missing:
        lines.append(f"{missing:,} games are not played: a bot in them has forfeited too often and is out.")
    lines.append(f"The games are kept in {tournament.plan.store}: see `pitboss standings`, `pitboss replay`, `pitboss export`.")
    return "\n".join(lines)


def _as_file_name(seed: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in seed)
