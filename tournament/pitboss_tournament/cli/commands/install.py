"""The signatures of `pitboss install` and `uninstall`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def install(
    plugins: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLUGIN]...",
            help="The name of a plugin (racko means pitboss-racko), or the path of a folder or wheel (./mygame).",
            show_default=False,
        ),
    ] = None,
    editable: Annotated[
        list[str] | None,
        typer.Option(
            "--editable",
            "-e",
            metavar="PATH",
            help="Install the plugin in this folder; later changes of its files take effect at once. Repeat for more.",
        ),
    ] = None,
    requirements: Annotated[
        list[Path] | None,
        typer.Option("--requirements", "-r", metavar="FILE", help="A file that lists plugins. Repeat for more."),
    ] = None,
) -> None:
    """Install plugins in the environment of this Pitboss, by the program that made it: pip, uv or pipx.

    Prints the command that it runs, and which games there are afterwards. 'pitboss[web]' means the packages of that
    extra. Packages have the right to do all that you may do: install only what you trust.
    """


def uninstall(
    plugins: Annotated[
        list[str],
        typer.Argument(
            metavar="PLUGIN...", help="The name of a plugin, or of a game that is installed.", show_default=False
        ),
    ],
) -> None:
    """Uninstall plugins from the environment of this Pitboss, by the program that made it: pip, uv or pipx.

    Prints the command that it runs, and which games there are afterwards.
    """
