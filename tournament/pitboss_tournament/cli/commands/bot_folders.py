"""The signatures of `pitboss new bot`, `new game`, `build`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from pitboss_tournament.cli import completion
from pitboss_tournament.cli.parameters import Json

new = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Make a folder to begin with.")


@new.command("bot", short_help="Make a bot that plays at once, in one of many languages.")
def bot(
    language: Annotated[
        str | None,
        typer.Argument(
            metavar="LANGUAGE",
            help="A language that --list names, or llm: a bot that asks a language model; left out with --from.",
            autocompletion=completion.complete_languages,
            show_default=False,
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="The name of the new bot, which its folder gets too; or the path of the folder to make.",
            show_default=False,
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            help="The bot's game; the folder gets a page about it. Default: all games.",
            autocompletion=completion.complete_games,
        ),
    ] = None,
    from_: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FRAMEWORK",
            help="Make a bridge, in Python, for programs of another framework: acpc, openspiel, pypokerengine, rlcard.",
            autocompletion=completion.complete_bridges,
            show_default=False,
        ),
    ] = None,
    vendor: Annotated[
        bool,
        typer.Option("--vendor", help="Put the SDK for Python beside the bot, as one file that needs no package."),
    ] = False,
    into: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to make the bot's folder.", show_default="here")
    ] = Path(),
    list_: Annotated[bool, typer.Option("--list", help="List the languages, and stop.")] = False,
    as_json: Json = False,
) -> None:
    """Make the folder NAME with a bot in LANGUAGE. The bot plays at once, at random; you write one function.

    With python-learned the folder also has a program that trains the bot, and with python-torch one that puts in a
    network of your own: docs/learning.md. With llm it has a prompt for a language model, and no code: docs/models.md.
    With --from it holds a bridge to another framework, with a test: docs/existing-bot.md.

    Nothing is overwritten. With --json: an object with folder, language (of a bridge the framework), game, change (the
    file to change) and page (about the game); with --list a list of objects with language, title, aliases, needs
    (programs), has (whether they are here) and packages (Debian's).
    """


@new.command("game", short_help="Make a plugin with a game that plays at once, of one of four kinds.")
def game(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="The name of the game and of its folder, such as four-winds; or a path.",
            show_default=False,
        ),
    ],
    kind: Annotated[
        Literal["shedding", "tricks", "dice", "betting"],
        typer.Option(help="The kind of game to begin with: shedding cards, taking tricks, dice, or betting."),
    ] = "shedding",
    into: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to make the game's folder.", show_default="here")
    ] = Path(),
    as_json: Json = False,
) -> None:
    """Make the folder NAME with a game for Pitboss: a plugin with one module, a rule book, tests, and a tournament.

    Nothing is overwritten. With --json: an object with folder, name, kind and module (the file to change).
    """


def build(
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT|TOURNAMENT.toml...",
            help="Folders with a bot.toml, and tournament files, which stand for all their bots.",
            autocompletion=completion.complete_bots,
            show_default=False,
        ),
    ],
    sandbox: Annotated[
        Literal["auto", "bubblewrap", "landlock", "none"] | None,
        typer.Option(
            help="The level of the sandbox for builds; auto: the strongest that works here. Default: the tournament "
            "file's, or auto.",
            show_default=False,
        ),
    ] = None,
    network: Annotated[
        bool, typer.Option("--network", help="Let builds use the network, and reach servers on this machine.")
    ] = False,
) -> None:
    """Run the `build` command of each bot, in its folder, and show what it says.

    In the sandbox a build can write to the bot's folder only, and has no network. A tournament file allows the network
    with `build_network = true`.

    `pitboss run`, `match` and the like do so before they start, where a file of the bot's folder has changed. The exit
    status is 1 if a build failed.
    """
