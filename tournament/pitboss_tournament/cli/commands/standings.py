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
    places: Annotated[
        bool, typer.Option("--places", help="Print the places instead: a line for each, with who shares it.")
    ] = False,
    anchor: Anchor = None,
    reduce: ReduceOption = None,
    explain: Explain = False,
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of text.")] = False,
) -> None:
    """Print the standings of a tournament, finished or running, with faults, thinking times, and proven differences.

    The first line says who has won and how sure that is, or between whom it is not decided. Bots are ordered by rating,
    which considers the opponents at each table; if some bots cannot be compared, by the share of wins. Bots without a
    proven difference share their ranks ("3–5"), and their places, unless the format ranks the bots. The verdict says
    which bots are proven to be better than which, and how many more games would show more.

    Several stores of one game, with the same options and clock, are shown as one: each version of a bot by itself.

    While the number of games is open, intervals are wider, so that they hold however often you look. With more than 45
    bots --pairs shows all pairs of the first twenty, and each other bot beside the next lower bot that it has met;
    --pairs-of NAME compares one bot with all others.

    `pitboss schema standings` describes the output of --json. --csv writes a line for each bot, or with --pairs for
    each pair, with the keys of --json: mean and half_width of an estimate, the number of faults.
    """
