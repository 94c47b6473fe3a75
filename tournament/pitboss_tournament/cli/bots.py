"""`pitboss bots`: the bots that can be called by name."""

from __future__ import annotations

import msgspec
import typer

from pitboss_tournament.cli.output import print_json, print_table
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.config.entrants import option_range_text


def bots(game: str | None, as_json: bool) -> None:
    """Run `pitboss bots`."""
    played = None if game is None else load_registry().find_game(game).name
    found = [bot for bot in load_registry().bots.values() if played is None or played in (bot.games or (played,))]
    plugins = load_registry().list_distributions("pitboss_bots")
    if as_json:
        print_json([{**msgspec.to_builtins(bot), "plugin": plugins[bot.name]} for bot in found])
    elif not found:
        typer.echo("No bot is installed. Bots are also folders with a bot.toml, and commands in quotes.")
    else:
        rows = [(bot.name, "all" if bot.games is None else ", ".join(bot.games), bot.summary) for bot in found]
        print_table(("Name", "Games", "What it does"), rows)
        choices = [
            (f"{bot.name}?{key}=", f"{option.default}", option_range_text(option), option.summary)
            for bot in found
            for key, option in bot.options.items()
        ]
        if choices:
            typer.echo()
            print_table(("Option", "Default", "Allowed", "What it is"), choices)
