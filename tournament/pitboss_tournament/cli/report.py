"""`pitboss report`: a tournament as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitboss_tournament.cli.atomic_file import write_whole_file
from pitboss_tournament.cli.parameters import StoreFile


def report(
    file: StoreFile,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="The page to write; by default the store's name with .html at its end.",
            show_default=False,
        ),
    ] = None,
    date: Annotated[
        str | None, typer.Option(help="What the page says of when it was made; by default nothing.", show_default=False)
    ] = None,
) -> None:
    """Write the report of a tournament, finished or not: one page that opens in any browser, without a network.

    It shows who is better and how sure that is, who beats whom, how long bots thought and games were, what the seat is
    worth, what went wrong with the evidence, what duplicate deals saved, which games are worth a look, and everything
    that the tournament was played with.
    """
    from pitboss_tournament.reporting.page import render_report
    from pitboss_tournament.store.store import Store

    store = Store(file)
    target = output or file.with_suffix(".html")
    with write_whole_file(target, file) as part:
        part.write_text(render_report(store, date), encoding="utf-8", newline="\n")
    typer.echo(f"The report is in {target}.")
