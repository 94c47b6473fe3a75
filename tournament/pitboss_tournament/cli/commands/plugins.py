"""The signature of `pitboss plugins`."""

from __future__ import annotations

from pitboss_tournament.cli.parameters import Json


def plugins(as_json: Json = False) -> None:
    """List the installed plugins with what each adds, and what was left out and why.

    Ends with status 1 if something was left out. With --json: an object with plugins, a list of objects with plugin
    (the distribution and its version), games, bots, packs, formats, exporters, importers, report_sections, engines and
    commands (lists of names); and left_out, a list of sentences.
    """
