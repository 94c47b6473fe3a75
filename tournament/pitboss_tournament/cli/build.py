"""`pitboss build`: bots that have to be built are built; other commands do so by themselves where a bot has changed since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from pitboss_tournament.cli import complete

Builds = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT|TOURNAMENT.toml...",
        help="Folders with a bot.toml, and tournament files, all bots of which are meant.",
        autocompletion=complete.bots,
        show_default=False,
    ),
]


def build(bots: Builds) -> None:
    """Run the `build` command of each bot, in its folder, and show what it says.

    `pitboss run`, `match` and the like do so before they start, where a file of the bot's folder has changed. The exit status is 1 if a build failed.
    """
    from pitboss.errors import ConfigError
    from pitboss_tournament.authoring import building

    failed = False
    for folder in list(dict.fromkeys(_asked(bots, Path.cwd()))):
        try:
            if building.build(folder, _say, always=True):
                typer.echo(f"{folder} is built")
            else:
                typer.echo(f"{folder} has no build step")
        except ConfigError as wrong:
            failed = True
            _say(str(wrong))
    if failed:
        raise typer.Exit(1)


def build_where_needed(specs: Sequence[str], base: Path) -> None:
    """Build those of some bots (named as people name bots) that have a build step and have changed since; say so.

    Raises:
        ConfigError: a build failed, or a bot.toml is wrong; the others have been built.
    """
    from pitboss_tournament.authoring import building
    from pitboss_tournament.planning.bot_file import BOT_FILE
    from pitboss_tournament.planning.together import for_each

    folders = [base / spec for spec in dict.fromkeys(specs) if (base / spec / BOT_FILE).is_file()]
    for_each(folders, lambda folder: building.build(folder, _say))


def bots_of(tournament: Path) -> list[str]:
    """Return the bots of a tournament file, as they are named there.

    Raises:
        FileError: it is wrong.
    """
    from pitboss_tournament.planning.config import TournamentFile
    from pitboss_tournament.planning.toml_file import TomlFile

    return [bot.bot for bot in TomlFile(tournament).read(TournamentFile).bots]


def _asked(words: Sequence[str], base: Path) -> Iterator[Path]:
    from pitboss.errors import ConfigError
    from pitboss_tournament.planning.bot_file import BOT_FILE

    for word in words:
        path = Path(word)
        if (base / path).is_dir():
            yield path
        elif path.name == BOT_FILE:
            yield path.parent
        elif path.suffix == ".toml":
            yield from (path.parent / bot for bot in bots_of(path) if (path.parent / bot / BOT_FILE).is_file())
        else:
            raise ConfigError(f"there is no folder {word!r}, and it is no tournament file (….toml): nothing else can be built")


def _say(text: str) -> None:
    typer.echo(f"pitboss: {text}", err=True)
