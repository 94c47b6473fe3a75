"""The signature of `pitboss plugins`."""

from __future__ import annotations

from typing import Annotated

import typer

from pitboss_tournament.cli.parameters import Json


def plugins(
    check: Annotated[
        bool,
        typer.Option("--check", help="Tell what this Pitboss breaks in each: requirements, import, hooks, types."),
    ] = False,
    as_json: Json = False,
) -> None:
    """List the installed plugins with what each adds and requires, and what was left out and why.

    Ends with status 1 if something was left out. With --json: an object with plugins, a list of objects with plugin
    (the distribution and its version), games, bots, packs, formats, exporters, importers, report_sections, engines,
    commands and requires (lists); and left_out, a list of sentences. With --check: an object with checked, a list of
    objects with plugin and faults, a list of sentences; the status is 1 if there is a fault.
    """
