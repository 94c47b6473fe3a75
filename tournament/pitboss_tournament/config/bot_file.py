"""`bot.toml`: what a bot's folder says of the bot."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from pitboss.errors import ConfigError
from pitboss_tournament.config.toml_file import TomlFile
from pitboss_tournament.plan.limits import AskedLimits
from pitboss_tournament.plan.models import BotModel
from pitboss_tournament.plan.names import BotName
from pitboss_tournament.plan.paths import BOT_FILE
from pitboss_tournament.text.schema_text import ALLOWED

CommandWords = Annotated[
    list[str],
    Meta(min_length=1, extra={ALLOWED: 'a list of strings, the program and its arguments: ["python3", "bot.py"]'}),
]
LoadoutName = Annotated[
    str,
    Meta(
        min_length=1,
        description="What the bot brings to a game with loadouts, such as a deck: a file, TOML or JSON, in the bot's "
        "folder; or the name of a sample of the game. With a * several: each makes an "
        "entrant of its own. Default: the game's first sample.",
    ),
]
ShortText = Annotated[str, Meta(min_length=1, max_length=200)]


class BotFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bot's folder describes it in `bot.toml`."""

    command: Annotated[
        CommandWords,
        Meta(
            description="The program and its arguments, run in the folder. A program with a / is looked for in the "
            "folder, another one on the PATH; {python} stands for the Python that runs Pitboss."
        ),
    ]
    name: Annotated[BotName, Meta(description="The bot's name in a tournament. Default: the folder's.")] | None = None
    version: Annotated[ShortText, Meta(description="The bot's own version.")] | None = None
    author: Annotated[ShortText, Meta(description="Who wrote it.")] | None = None
    language: Annotated[ShortText, Meta(description="What it is written in.")] | None = None
    games: Annotated[list[str], Meta(description="The games that the bot plays. Default: all.")] | None = None
    presets: (
        Annotated[
            list[str],
            Meta(
                description="The presets that it plays, of games that have one of these names; `defaults` stands for "
                "any game without a preset. By default it plays all, and with any options."
            ),
        ]
        | None
    ) = None
    seats: (
        Annotated[
            list[Annotated[int, Meta(ge=1)]],
            Meta(
                min_length=1,
                description="The numbers of players that the bot plays with. Default: all that its games allow.",
                extra={ALLOWED: "a list of numbers of players: [2]"},
            ),
        ]
        | None
    ) = None
    build: (
        Annotated[
            CommandWords,
            Meta(
                description="The command that builds it, without a shell, run in the folder; "
                "what it makes belongs into build/."
            ),
        ]
        | None
    ) = None
    needs: Annotated[list[str], Meta(description="Programs that must be on the PATH to build and run it.")] = []
    loadout: LoadoutName | None = None
    limits: AskedLimits = AskedLimits()
    model: BotModel | None = None


def read_bot_file(folder: Path) -> tuple[TomlFile, BotFile]:
    """Return what a folder says of its bot, and the file, for errors about it.

    Raises:
        ConfigError: there is no such file, or it cannot be read.
        TomlFileError: it is wrong.
    """
    if not (folder / BOT_FILE).is_file():
        within = sorted(path.parent.name for path in folder.glob(f"*/{BOT_FILE}"))
        hint = f" (did you mean {str(folder / within[0])!r}?)" if len(within) == 1 else ""
        raise ConfigError(
            f"the folder {str(folder)!r} holds no {BOT_FILE}{hint}; a bot's folder says there how to start it"
        )
    file = TomlFile(folder / BOT_FILE)
    return file, file.convert(BotFile)


def check_needs(file: TomlFile, bot: BotFile) -> None:
    """Check that the programs are there which the bot needs.

    Raises:
        TomlFileError: one is missing.
    """
    for number, program in enumerate(bot.needs):
        if shutil.which(program) is None:
            with file.locate_errors("needs", number):
                raise ConfigError(f"the bot needs the program {program!r}, which is not on the PATH")
