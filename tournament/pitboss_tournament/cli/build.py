"""`pitboss build`: run the build commands of bots. Other commands do so by themselves where a bot has changed since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from pitboss_tournament.cli import completion
from pitboss_tournament.cli.output import print_note

BuildTargets = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT|TOURNAMENT.toml...",
        help="Folders with a bot.toml, and tournament files, all bots of which are meant.",
        autocompletion=completion.complete_bots,
        show_default=False,
    ),
]


def build(bots: BuildTargets) -> None:
    """Run the `build` command of each bot, in its folder, and show what it says.

    `pitboss run`, `match` and the like do so before they start, where a file of the bot's folder has changed. The exit
    status is 1 if a build failed.
    """
    from pitboss.errors import ConfigError
    from pitboss_tournament.authoring import bot_build

    failed = False
    for folder in list(dict.fromkeys(_find_folders(bots, Path.cwd()))):
        try:
            if bot_build.build(folder, print_note, always=True):
                typer.echo(f"{folder} is built")
            else:
                typer.echo(f"{folder} has no build step")
        except ConfigError as error:
            failed = True
            print_note(str(error))
    if failed:
        raise typer.Exit(1)


def _find_folders(words: Sequence[str], base: Path) -> Iterator[Path]:
    from pitboss.errors import ConfigError
    from pitboss_tournament.authoring.bot_build import list_bots
    from pitboss_tournament.plan.paths import BOT_FILE

    for word in words:
        path = Path(word)
        if (base / path).is_dir():
            yield path
        elif path.name == BOT_FILE:
            yield path.parent
        elif path.suffix == ".toml":
            yield from (path.parent / bot for bot in list_bots(path) if (path.parent / bot / BOT_FILE).is_file())
        else:
            raise ConfigError(
                f"there is no folder {word!r}, and it is no tournament file (….toml): nothing else can be built"
            )
