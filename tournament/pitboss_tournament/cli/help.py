"""`pitboss help`: what a command does, or what a game, a format or a setting is."""

from __future__ import annotations

from typing import Any

import typer

from pitboss.errors import ConfigError
from pitboss.text import suggest_nearest
from pitboss_tournament.cli.app import SOURCES, app
from pitboss_tournament.cli.formats import formats
from pitboss_tournament.cli.installed import games
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.cli.settings import settings
from pitboss_tournament.plan.setting_keys import find_setting_key, list_setting_keys, match_key


def show_help(words: list[str] | None) -> None:
    """Run `pitboss help`."""
    if found := find_command(words or []):
        command, context = found
        typer.echo(command.get_help(context))
    else:
        _explain_word(" ".join(words or []))


def find_command(words: list[str]) -> tuple[Any, Any] | None:
    """Return the command that words name, with its context; None if they name none."""
    command: Any = typer.main.get_command(app)
    context: Any = typer.Context(command, info_name="pitboss", **command.context_settings)
    for word in words:
        command = command.get_command(context, word) if hasattr(command, "commands") else None
        if command is None:
            return None
        context = typer.Context(command, info_name=word, parent=context)
    return command, context


def _explain_word(word: str) -> None:
    """Explain a word that is no command.

    Raises:
        ConfigError: it is nothing that is known.
    """
    registry = load_registry()
    key = word.removeprefix("--")
    tables = {one.place[0] for one in list_setting_keys()}
    if word in registry.games:
        games(word, False, False)
    elif word in registry.formats:
        formats(word, False)
    elif found := key if key in tables or find_setting_key(key) else match_key(key):
        settings(found, False, False)
    else:
        known = [*SOURCES, *registry.games, *registry.formats, *tables]
        raise ConfigError(
            f"there is no command, game, format or setting {word!r}{suggest_nearest(word, known)}; "
            "`pitboss --help` lists the commands"
        )
