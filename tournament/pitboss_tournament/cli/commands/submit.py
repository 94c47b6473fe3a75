"""The signature of `pitboss submit`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss_tournament.cli.parameters import Json


def submit(
    url: Annotated[str, typer.Argument(metavar="URL", help="The address of the league.", show_default=False)],
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="[FOLDER]",
            help="The bot's folder, or its archive (zip or tar); with --git a folder in the repository.",
            show_default="here",
        ),
    ] = Path(),
    token: Annotated[
        str | None,
        typer.Option(
            envvar="PITBOSS_TOKEN", help="The token that the host gave you.", show_envvar=True, show_default=False
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            help="The bot's name in the league. Default: that in its bot.toml, or of its folder or archive.",
            show_default=False,
        ),
    ] = None,
    git: Annotated[
        str | None,
        typer.Option(metavar="REPOSITORY", help="Send the bot from a git repository.", show_default=False),
    ] = None,
    rev: Annotated[
        str | None, typer.Option(metavar="REV", help="Of --git: a branch, tag or commit.", show_default="HEAD")
    ] = None,
    no_wait: Annotated[bool, typer.Option("--no-wait", help="Stop once the league has received the bot.")] = False,
    as_json: Json = False,
) -> None:
    """Send a bot to a league, wait until it is validated, and show what each step has found.

    Hidden files, build/ and what .gitignore names are not sent: the league builds the bot itself. The same files again
    are the same version. The exit status is 0 if the bot plays or waits for its first games (with --no-wait once it is
    received), 1 if it is refused or the league does not answer, 2 if the league does not take it.

    With --json: at the end an object with number, name, version, digest, state and evidence by state.
    """
