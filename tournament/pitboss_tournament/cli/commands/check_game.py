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
    seed: Annotated[str, typer.Option(metavar="TEXT", help="The seed of all deals and choices.")] = "conformance",
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            parser=any_number(0),
            help="Stop after S seconds of processor time and report what was checked; 0: no limit. Default: 45, with "
            "--quick 10.",
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Check three times as many games, each less, in 10 seconds.")
    ] = False,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="WHO",
            help="Who plays every second game, from the first on: `new` plays the action it has played least, "
            "`estimate` the action with the best estimate; MODULE:FUNCTION is your own function of a state and a "
            "Random that returns a legal action. The other games are random. Default: `new` and `estimate` in turn.",
        ),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write the game of each failure into this folder, as a store to replay and to check again.",
        ),
    ] = None,
    again: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Check the games of a store, in depth, in place of games of its own."),
    ] = None,
    as_json: parameters.Json = False,
) -> None:
    """Put a game through the conformance suite: one line a check. The exit status is 1 if a check failed.

    First thousands of games are played out, of which only errors and ends are checked. Then a few games are checked in
    depth, and the rarest decisions of the others. Standard error has a line for each game that was checked in depth or
    has failed. Each number of seats comes first, then each preset and changed option, before any is played again, short
    games first. With --quick a game is checked at four decisions in place of some twenty, and only every fifth one as a
    whole: its record, its other deals, other seeds. The report ends with what no game came to: phases, kinds of
    actions, lines of the game's own code. Ctrl-C ends it with what was checked by then, and status 130. The status is 1
    also if no game was checked to its end.

    With --keep each cause of failures gets a file, which `pitboss replay` and `pitboss log` open; the report has the
    commands, and the one that checks that game again. --again takes the store of a tournament, too.

    With --json: an object with game, seed, tables, games, decisions, playouts, playout_decisions, not_played (tables
    that there was no time for) and checks, each with name, promise, outcome ("passed", "failed" or "not applicable")
    and detail; never_reached (phases, actions, lines, line_count, reached_count); and all_failures, one for each check
    and game in which it failed. The text tells failures of one cause once.
    """
