"""The signatures of `pitboss replay`, `log`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss_tournament.cli.number_args import whole_number
from pitboss_tournament.cli.parameters import Json, OptionalDecision, OptionalGameNumber, StoreFile


def replay(
    file: StoreFile,
    game_id: OptionalGameNumber = None,
    decision: OptionalDecision = None,
    seat: Annotated[
        int | None,
        typer.Option(help="Show only what this seat knew. Default: show every card.", parser=whole_number(0)),
    ] = None,
    legal: Annotated[
        bool, typer.Option("--legal", help="List what was legal, numbered as for `choose`, not only how much.")
    ] = False,
    whole: Annotated[
        bool, typer.Option("--whole", help="Show the whole table after each decision, not only what has changed.")
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Only replay and compare: one game, or all.")] = False,
    brief: Annotated[
        bool, typer.Option("--brief", help="Print the game in notation instead: a line for each decision.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option(help="Write a page that shows the game in a browser, as one file.", metavar="FILE")
    ] = None,
    as_json: Json = False,
) -> None:
    """Step through a recorded game in the terminal, or, in a pipe, print it all.

    Each decision is followed by the changes on the table; t, or --whole, shows the whole table, f the next fault. The
    top card of a pile comes last, a dot is a card that the seat did not know, and > marks the player on turn. A fault
    has its verdict and evidence: the clock, the legal actions, the last lines exchanged, the last standard error.
    What else was said in the game, `pitboss log` shows.

    With a DECISION the replay begins there; in a pipe it is that decision alone. Without a GAME it is the first game
    with a fault, or the first game; with --check all games are replayed and compared with what was recorded.
    A game that another version of its rules has played is replayed by the installed one, and a sentence says so.

    With --json: one object on one line, each decision with its events; `pitboss schema replay` describes it.
    """


def log(
    file: StoreFile,
    game_id: OptionalGameNumber = None,
    decision: OptionalDecision = None,
    seat: Annotated[
        int | None,
        typer.Option(
            help="Show only the log of this seat. Default: of all seats that have a log.", parser=whole_number(0)
        ),
    ] = None,
    wire: Annotated[bool, typer.Option("--wire", help="Only the lines exchanged.")] = False,
    errors: Annotated[bool, typer.Option("--errors", help="Only what was written to standard error.")] = False,
    models: Annotated[
        bool, typer.Option("--models", help="Only what language models were asked and have answered, in full.")
    ] = False,
    raw: Annotated[
        bool,
        typer.Option(
            "--raw", help="Nothing but the bytes themselves, of one seat: for a file or a pipe, not for a terminal."
        ),
    ] = False,
    brief: Annotated[
        bool,
        typer.Option(
            "--brief",
            help="Leave out what questions repeat: of views, lists and clocks.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Show the logs of a game: for each seat what it wrote to standard error, and every line exchanged with it.

    A line of the wire has the seconds since the game began, then > for what the runner said, or < for what the bot
    said. Of long logs the head and the tail are kept. With a DECISION there are the lines of that question alone, and
    its seat's standard error. Without a GAME it is the first one that has logs.

    A store keeps the logs of games with a fault, or with `-s logs.keep=all` of all games. It keeps the calls of
    language models of all games.
    """
