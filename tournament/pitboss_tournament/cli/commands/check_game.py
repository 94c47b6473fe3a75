"""The signature of `pitboss check-game`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss_tournament.cli import parameters
from pitboss_tournament.cli.number_args import any_number, whole_number


def check_game(
    game: parameters.GameName,
    seats: parameters.SeatCounts = None,
    preset: Annotated[
        list[str] | None,
        typer.Option("--preset", "-p", metavar="NAME", help="A preset to check; repeat for more. Default: all."),
    ] = None,
    option: parameters.OptionWords = None,
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="N", parser=whole_number(1), help="Games to play at each table.")
    ] = 2,
    seed: Annotated[str, typer.Option(metavar="TEXT", help="The seed of deals and choices.")] = "conformance",
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            parser=any_number(0),
            help="Stop after S seconds of processor time and report what was checked; 0: no limit. Default: 45, with "
            "--quick 10.",
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Check more games, each less, in 10 seconds.")] = False,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="WHO",
            help="Who plays every second game, the others being random: `new` (what it has played least), `estimate` "
            "(the best by that), by default both; or MODULE:FUNCTION, your own of a state and a Random.",
        ),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write each failing game into this folder, as a store: `pitboss replay` and `log` open it.",
        ),
    ] = None,
    again: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Check the games of this store instead."),
    ] = None,
    as_json: parameters.Json = False,
) -> None:
    """Put a game through the conformance suite: one line a check. The exit status is 1 if a check failed.

    First whole games are played out, as many as the time allows, of which errors and ends are checked; then a few games
    are checked in depth, and the rarest decisions of the others. Each number of seats comes first, short games first.
    With --quick a game is checked at four decisions in place of some twenty, and only every fifth one as a whole.
    Ctrl-C ends it with what was checked by then, and status 130. The status is 1 also if no game was checked to its
    end. docs/testing.md reads a report.

    --json has game, seed, tables, games, decisions, playouts, playout_decisions, not_played (tables that there was no
    time for) and checks, each with name, promise, outcome ("passed", "failed" or "not applicable") and detail;
    never_reached (phases, actions, lines, line_count, reached_count); all_failures, of each check and game.
    """
