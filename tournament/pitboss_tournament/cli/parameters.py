"""Parameters that several commands have, each written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import typer

from pitboss_tournament.cli import completion
from pitboss_tournament.cli.number_args import any_number, parse_duration, parse_seed, whole_number

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
        help="A named set of the game's options; -o changes single ones.",
        autocompletion=completion.complete_presets,
    ),
]
OptionWords: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="An option of the game, its value as JSON or as plain text. May be given again.",
        autocompletion=completion.complete_options,
    ),
]
StoreFile: TypeAlias = Annotated[
    Path, typer.Argument(metavar="STORE", help="A tournament's store (….pitboss).", show_default=False)
]
StoreFiles: TypeAlias = Annotated[
    list[Path],
    typer.Argument(
        metavar="STORE…", help="A tournament's store (….pitboss), or several that are shown as one.", show_default=False
    ),
]
Anchor: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--anchor",
        metavar="NAME",
        help="The bot whose rating is 0; by default the tournament file's, or the bot in the middle.",
    ),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON instead of text for people.")]
ReduceOption: TypeAlias = Annotated[
    Literal["none", "luck"] | None,
    typer.Option(
        help="What is taken out of points and wins: the luck of the draw, or nothing; by default as the "
        "tournament says.",
        show_default=False,
    ),
]
Explain: TypeAlias = Annotated[
    bool, typer.Option("--explain", help="Say what the numbers of the standings mean, and how sure the verdict is.")
]
NoPin: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--no-pin", help="Let workers and bots use all processors, as where other programs keep some of them busy."
    ),
]
BotSpecs: TypeAlias = Annotated[
    list[str],
    typer.Argument(metavar="BOT...", help=_BOT_HELP, autocompletion=completion.complete_bots, show_default=False),
]
SeatCounts: TypeAlias = Annotated[
    list[int] | None, typer.Option(metavar="N", help="How many play; may be given again; by default all that can.")
]
Seed: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="All deals follow from it; by default that of the --store, or a new one, which is printed.",
        parser=parse_seed,
        metavar="TEXT",
    ),
]
StorePath: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--store",
        help="Where the games are kept; by default a file named by the game and the seed, or, if no seed is given, by "
        "the game, the bots and the time.",
    ),
]
NoStore: TypeAlias = Annotated[bool, typer.Option("--no-store", help="Keep no games: delete the store at the end.")]
NewVersion: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--new-version",
        help="A bot whose files, command or limits changed joins as another version, alice@2; alice@1 keeps its games "
        "and plays no more.",
    ),
]
PlayFor: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--for",
        metavar="DURATION",
        parser=parse_duration,
        help="Begin no game after so long, as 8h, 90m or 1h30m: those in progress are finished, and the same command "
        "carries on.",
    ),
]
MostGames: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--games",
        "-n",
        metavar="N",
        parser=whole_number(1),
        help="Play at most so many more games now; the same command carries on.",
    ),
]
ReplayModels: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--replay-models",
        metavar="STORE",
        help="Ask no language model: take all answers from the record of this store, whose games are played again.",
    ),
]
FailOnFaults: TypeAlias = Annotated[
    bool, typer.Option("--fail-on-faults", help="End with status 3 if any bot did wrong, not only if one never played.")
]
FormatName: TypeAlias = Annotated[
    str,
    typer.Option(
        "--format", help="Who meets whom; `pitboss formats` lists them.", autocompletion=completion.complete_formats
    ),
]
FormatOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--format-option", metavar="NAME=VALUE", help="An option of the format, as rounds=5. May be given again."
    ),
]
Limit: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="NAME=VALUE",
        help="What each bot may use, as memory_mb=512; the names are those of [limits] in a tournament file. "
        "May be given again.",
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
        help="The bot as it is now, in the same way.",
        autocompletion=completion.complete_bots,
        show_default=False,
    ),
]
Bounds: TypeAlias = Annotated[
    tuple[float, float],
    typer.Option(
        metavar="LOW HIGH",
        help="In rating points: `better` is proven above LOW, `not better` below HIGH. -25 0 asks whether NEW is "
        "no worse. Where all play together: in points of the game, by default 0 1.",
    ),
]
Alpha: TypeAlias = Annotated[
    float, typer.Option(help="Probability of a wrong `better`, at most.", parser=any_number(0.0001, 0.5))
]
Beta: TypeAlias = Annotated[
    float, typer.Option(help="Probability of a wrong `not better`, at most.", parser=any_number(0.0001, 0.5))
]
ComparedGames: TypeAlias = Annotated[
    int,
    typer.Option("--games", "-n", help="The most games to play, rounded up to whole deals.", parser=whole_number(1)),
]
Among: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="BOT",
        help="The bot that has the other seats of a larger table; by default the game's house bot.",
        autocompletion=completion.complete_bots,
    ),
]
LeagueRoot: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="The folder of the league.", show_default=False)
]
