"""The signature of `pitboss models fake`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss_tournament.cli.number_args import whole_number

models = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Language models that bots ask.")


@models.callback()
def _models() -> None:
    """Language models that bots ask."""


@models.command("fake", short_help="Serve models that answer without one.")
def fake(
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.", parser=whole_number(0, 65535))] = 0,
    script: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The answers of the model `scripted`, one a line.", show_default=False),
    ] = None,
    key_env: Annotated[
        str, typer.Option(metavar="NAME", help="Require the key in this environment variable of every request.")
    ] = "",
) -> None:
    """Serve chat completions on this machine's own address, without a language model, until Ctrl-C.

    The name of the model says how it plays: random, heuristic, scripted, illegal, garbage, truncated, empty, refused,
    slow (a second), hang (for ever), 429 (each second time), 500.
    """
