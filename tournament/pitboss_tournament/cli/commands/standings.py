"""The signature of `pitboss standings`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli.parameters import Anchor, Explain, Json, ReduceOption, StoreFiles


def standings(
    files: StoreFiles,
    pairs: Annotated[bool, typer.Option("--pairs", help="Compare every pair of bots instead.")] = False,
    pairs_of: Annotated[
        list[str] | None,
        typer.Option("--pairs-of", metavar="NAME", help="Compare this bot with each other bot; repeat for more."),
    ] = None,
    rounds: Annotated[
        bool, typer.Option("--rounds", help="Show the rounds instead: pairings, and the scores after each.")
    ] = False,
    anchor: Anchor = None,
    reduce: ReduceOption = None,
    explain: Explain = False,
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of text.")] = False,
) -> None:
    """Print the standings of a tournament, finished or running, with faults, thinking times, and proven differences.

    The order is that of the ratings, which count every game at once and consider who sat at the table; if some bots
    cannot be compared, that of the shares of wins. Bots without a proven difference share their ranks ("3–5"). Half of
    a bot's decisions took it no longer than p50, 99 of 100 no longer than p99. The verdict says which bots are proven
    to be better than whom, and about how many more games it would take to know more.

    Several stores of one game, with the same options and clock, are shown as one: each version of a bot by itself.

    While the number of games is open, intervals are wider, so that they hold however often one looks: before the end,
    in a tournament that a test may stop, in one that was made longer or shorter, and in a pool of stores. Those of
    --pairs always are. Of more than 45 bots --pairs shows the first twenty among each other, and each bot beside the
    next one below it that it has met; --pairs-of NAME compares one bot with all others.

    `pitboss schema standings` describes what --json writes. --csv writes a line a bot, or with --pairs a line for each
    two bots, with the keys of --json: of an estimate its mean and its half_width, of faults their number.
    """
