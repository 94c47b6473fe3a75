"""The signature of `pitboss study`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss_tournament.cli.number_args import any_number, parse_seed, whole_number
from pitboss_tournament.cli.parameters import GameName, Json, OptionWords, Preset, Sandbox, Workers


def study(
    game: GameName,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            "--variant",
            "-v",
            metavar="PRESET,NAME=VALUE",
            help="A preset, options, or both: `short,hand=5`; repeat for more. Default: all presets.",
            show_default=False,
        ),
    ] = None,
    preset: Preset = None,
    option: OptionWords = None,
    each_option: Annotated[bool, typer.Option("--each-option", help="Also change single options.")] = False,
    seats: Annotated[
        list[int] | None,
        typer.Option(metavar="N", help="Number of players; repeat for more. Default: the fewest.", show_default=False),
    ] = None,
    games: Annotated[
        int,
        typer.Option("--games", "-n", metavar="N", parser=whole_number(1), help="Games to play of each variant."),
    ] = 200,
    minutes: Annotated[
        float,
        typer.Option(
            metavar="M",
            parser=any_number(0),
            help="Time for the games of the skill ladder; 0 leaves it out.",
        ),
    ] = 5.0,
    ms: Annotated[
        int,
        typer.Option(metavar="MS", parser=whole_number(1, 3_000), help="Shortest time of the ladder for a decision."),
    ] = 2,
    seed: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            parser=parse_seed,
            help="The seed of all deals. Default: a new one.",
            show_default=False,
        ),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option("--page", metavar="FILE", help="Also write a page with charts.", show_default=False),
    ] = None,
    workers: Workers = None,
    sandbox: Sandbox = None,
    as_json: Json = False,
) -> None:
    """Tell what kind of game it is: length, choices, what is hidden, seats, leads and skill, variants side by side.

    Random games give the length, the choices and what the player on turn does not know. Then house:search plays itself
    with 1, 2, 4, 8 and 16 times --ms for a decision: the ladder shows what skill is worth, how much of the results is
    the bots, the seats and luck, and how often the lead changes.

    With --json: an object with game, title, game_version, seed and variants (label, seats, options, random, hidden, and
    skill, or null).
    """
