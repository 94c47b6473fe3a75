"""Parameters that several commands have, each written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import typer

from pitboss_tournament.cli import completion
from pitboss_tournament.cli.number_args import any_number, parse_duration, parse_seed, whole_number

PLAYED: Final = "What is played"  # the sections of a help text
MACHINE: Final = "On this machine"
THIS_RUN: Final = "This run"
OUTPUT: Final = "Output"
TEST: Final = "The test"
_BOT_HELP: Final = "A folder with a bot.toml, a command in quotes, or a name from `pitboss bots`."
_GAME: Final = typer.Argument(
    metavar="GAME",
    help="The name of a game from `pitboss games`.",
    autocompletion=completion.complete_games,
    show_default=False,
)
GameName: TypeAlias = Annotated[str, _GAME]
OptionalGameName: TypeAlias = Annotated[str | None, _GAME]
Preset: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--preset",
        "-p",
        metavar="NAME",
        help="A named set of the game's options.",
        autocompletion=completion.complete_presets,
        rich_help_panel=PLAYED,
    ),
]
OptionWords: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="An option of the game. Repeat for more.",
        autocompletion=completion.complete_options,
        rich_help_panel=PLAYED,
    ),
]
StoreFile: TypeAlias = Annotated[
    Path,
    typer.Argument(
        metavar="STORE",
        help="A tournament's store (….pitboss).",
        autocompletion=completion.complete_stores,
        show_default=False,
    ),
]
OptionalGameNumber: TypeAlias = Annotated[
    int | None,
    typer.Argument(
        metavar="[GAME]",
        help="The number of a game. Default: the first game with a fault.",
        show_default=False,
        parser=whole_number(0),
    ),
]
OptionalDecision: TypeAlias = Annotated[
    int | None,
    typer.Argument(
        metavar="[DECISION]",
        help="The number of a decision, as `pitboss replay` counts them.",
        show_default=False,
        parser=whole_number(1),
    ),
]
StoreFiles: TypeAlias = Annotated[
    list[Path],
    typer.Argument(
        metavar="STORE…",
        help="A tournament's store (….pitboss), or several that are shown as one.",
        autocompletion=completion.complete_stores,
        show_default=False,
    ),
]
Anchor: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--anchor",
        metavar="NAME",
        help="The bot whose rating is 0. Default: the tournament file's, or the median bot.",
    ),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.", rich_help_panel=OUTPUT)]
ReduceOption: TypeAlias = Annotated[
    Literal["none", "luck"] | None,
    typer.Option(
        help="Remove the luck of the draw from points, or not.",
        show_default=False,
    ),
]
Explain: TypeAlias = Annotated[
    bool,
    typer.Option("--explain", help="Show more results, and explain the numbers.", rich_help_panel=OUTPUT),
]
ExplainOrSummary: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--explain/--summary",
        help="Show more results, and explain the numbers; or show the result alone.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
BotSpecs: TypeAlias = Annotated[
    list[str],
    typer.Argument(metavar="BOT...", help=_BOT_HELP, autocompletion=completion.complete_bots, show_default=False),
]
SeatCounts: TypeAlias = Annotated[
    list[int] | None,
    typer.Option(metavar="N", help="Number of players; repeat for more. Default: all that are possible."),
]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        "-s",
        metavar="KEY=VALUE",
        help="A key of `pitboss settings`: clock.game_ms=60000.",
        autocompletion=completion.complete_settings,
        rich_help_panel=PLAYED,
    ),
]
Seats: TypeAlias = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Players at a table. Default: all, or the fewest.",
        show_default=False,
        rich_help_panel=PLAYED,
    ),
]
Deals: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--deals",
        "--deals-from",
        metavar="N|FILE",
        help="Deals for each table, or a file of them. Default: 10.",
        rich_help_panel=PLAYED,
    ),
]
FinalsDeals: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--deals",
        "--deals-from",
        metavar="N|FILE",
        help="Duplicate deals for each table, or a file of them. Default: 500.",
        rich_help_panel=PLAYED,
    ),
]
PilotDeals: TypeAlias = Annotated[
    int | None,
    typer.Option("--deals", metavar="N", help="Duplicate deals of the pilot. Default: 40.", rich_help_panel=PLAYED),
]
Seed: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="The seed of all deals. Default: a new one.",
        parser=parse_seed,
        metavar="TEXT",
        rich_help_panel=PLAYED,
    ),
]
StorePath: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="FILE",
        help="The file for the games. Default: a new file in this folder.",
        rich_help_panel=MACHINE,
    ),
]
NoStore: TypeAlias = Annotated[
    bool, typer.Option("--no-store", help="Keep no games: delete the store at the end.", rich_help_panel=MACHINE)
]
Workers: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        help="Worker processes. Default: one for each processor.",
        rich_help_panel=MACHINE,
    ),
]
Sandbox: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="LEVEL",
        help="auto, bubblewrap, landlock, or none: limits only.",
        autocompletion=completion.complete_sandboxes,
        rich_help_panel=MACHINE,
    ),
]
On: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="ENGINE",
        help="Where to play the games: local:4, dask://HOST:PORT.",
        rich_help_panel=MACHINE,
    ),
]
NewVersion: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--new-version",
        help="Let a changed bot join as alice@2 and replace alice@1.",
        rich_help_panel=THIS_RUN,
    ),
]
PlayFor: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--for",
        metavar="DURATION",
        parser=parse_duration,
        help="Begin no more games after this time: 8h, 1h30m.",
        rich_help_panel=THIS_RUN,
    ),
]
MostGames: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--games",
        "-n",
        metavar="N",
        parser=whole_number(1),
        help="Play at most N more games now.",
        rich_help_panel=THIS_RUN,
    ),
]
ReplayModels: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--replay-models",
        metavar="STORE",
        help="Take the answers of models from this store.",
        rich_help_panel=THIS_RUN,
    ),
]
FailOnFaults: TypeAlias = Annotated[
    bool,
    typer.Option("--fail-on-faults", help="Exit with status 3 if any bot commits a fault.", rich_help_panel=THIS_RUN),
]
FormatName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help="One of `pitboss formats`. Default: round-robin.",
        autocompletion=completion.complete_formats,
        rich_help_panel=PLAYED,
    ),
]
OldBot: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="OLD",
        help=f"The bot as it was. {_BOT_HELP}",
        autocompletion=completion.complete_bots,
        show_default=False,
    ),
]
NewBotVersion: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="NEW",
        help="The new version of the bot, written in the same way as OLD.",
        autocompletion=completion.complete_bots,
        show_default=False,
    ),
]
Bounds: TypeAlias = Annotated[
    tuple[float, float],
    typer.Option(
        metavar="LOW HIGH",
        help="Better: above LOW points; not better: below HIGH.",
        rich_help_panel=TEST,
    ),
]
Alpha: TypeAlias = Annotated[
    float,
    typer.Option(
        metavar="P",
        help="Probability of a wrong `better`.",
        parser=any_number(0.0001, 0.5),
        rich_help_panel=TEST,
    ),
]
Beta: TypeAlias = Annotated[
    float,
    typer.Option(
        metavar="P",
        help="Probability of a wrong `not better`.",
        parser=any_number(0.0001, 0.5),
        rich_help_panel=TEST,
    ),
]
ComparedGames: TypeAlias = Annotated[
    int,
    typer.Option(
        "--games",
        "-n",
        metavar="N",
        help="Maximum number of games to play.",
        parser=whole_number(1),
        rich_help_panel=TEST,
    ),
]
Among: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="BOT",
        help="The bot on other seats. Default: a house bot.",
        autocompletion=completion.complete_bots,
        rich_help_panel=PLAYED,
    ),
]
LeagueRoot: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="The folder of the league.", show_default=False)
]
