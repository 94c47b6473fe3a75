"""The signature of `pitboss plan`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from pitboss_tournament.cli import completion, parameters
from pitboss_tournament.cli.number_args import any_number, whole_number

SIZE: Final = "The size of the tournament"  # sections of the help text
CALLS: Final = "If a bot were to ask a language model"
DEFAULT_DIFFERENCE: Final = 25.0  # in rating points


def plan(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME BOT...",
            help="A game, then bots, as for `pitboss match`; not with --from.",
            autocompletion=completion.complete_compared,
            show_default=False,
        ),
    ] = None,
    pilot: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="STORE",
            help="Play nothing: the games of this store are the pilot.",
            show_default=False,
            rich_help_panel=SIZE,
        ),
    ] = None,
    difference: Annotated[
        float,
        typer.Option(
            metavar="POINTS",
            help="The difference to show, in rating points. If ranks go by points: in points a game, by default "
            "a tenth of the standard deviation of a deal.",
            parser=any_number(0.1, 2_000),
            rich_help_panel=SIZE,
        ),
    ] = DEFAULT_DIFFERENCE,
    power: Annotated[
        float,
        typer.Option(
            metavar="PERCENT",
            help="The probability to show it.",
            parser=any_number(50, 99.9),
            rich_help_panel=SIZE,
        ),
    ] = 80.0,
    calls_of: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOT",
            help="Count each decision of this bot as a call of a language model.",
            show_default=False,
            rich_help_panel=CALLS,
        ),
    ] = None,
    call_usd: Annotated[
        float,
        typer.Option(
            metavar="X", help="What a call costs, in dollars.", parser=any_number(0, 1_000), rich_help_panel=CALLS
        ),
    ] = 0.0,
    call_seconds: Annotated[
        float,
        typer.Option(metavar="X", help="How long a call takes.", parser=any_number(0, 86_400), rich_help_panel=CALLS),
    ] = 1.0,
    calls_at_once: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="How many calls are open at a time.",
            parser=whole_number(1, 10_000),
            rich_help_panel=CALLS,
        ),
    ] = 4,
    seats: parameters.Seats = None,
    preset: parameters.Preset = None,
    option: parameters.OptionWords = None,
    deals: parameters.PilotDeals = None,
    seed: parameters.Seed = None,
    settings: parameters.Settings = None,
    store: parameters.StorePath = None,
    workers: parameters.Workers = None,
    sandbox: parameters.Sandbox = None,
    fail_on_faults: parameters.FailOnFaults = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Also show each pair of bots, and what the numbers assume.",
            rich_help_panel=parameters.OUTPUT,
        ),
    ] = False,
    as_json: parameters.Json = False,
) -> None:
    """Compute how many deals a round-robin needs to show a difference between any two of its bots, and how long these
    deals take here.

    A short pilot shows how much the results of deals spread; it is played, or read from a store.
    """
