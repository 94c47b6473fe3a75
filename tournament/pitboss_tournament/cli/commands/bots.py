"""The signature of `pitboss bots`."""

from __future__ import annotations

from pitboss_tournament.cli.parameters import Json


def bots(as_json: Json = False) -> None:
    """List the bots that can be named in place of a folder or a command.

    Options follow a name as in house:search?ms=50&worlds=200. With --json: a list of objects with name, summary, games,
    presets and seats (null: all), command, options and plugin.
    """
