"""`pitboss bots` and `pitboss formats`: what can be named as a bot, and in which ways a tournament can be played."""

from __future__ import annotations

import typer

from pitboss_tournament.cli.output import print_json, print_table
from pitboss_tournament.cli.parameters import Json
from pitboss_tournament.cli.registry import load_registry


def bots(as_json: Json = False) -> None:
    """List the bots that can be named in place of a folder or a command.

    Options follow a name as in house:search?ms=50&worlds=200. With --json: a list of objects with name, summary, games
    (null: all), command, options and plugin.
    """
    import msgspec

    from pitboss_tournament.config.named_bots import option_range_text

    found = list(load_registry().bots.values())
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


def formats(as_json: Json = False) -> None:
    """List the formats, ways to decide who meets whom, with their options.

    With --json: a list of objects with name, summary, static (all rounds are known from the start) and options (a JSON
    Schema).
    """
    import msgspec

    found = load_registry().formats.values()
    if as_json:
        print_json(
            [
                {
                    "name": one.name,
                    "summary": one.summary,
                    "static": one.is_static,
                    "options": msgspec.json.schema(one.Options),
                }
                for one in found
            ]
        )
    else:
        rows = [
            (one.name, ", ".join(field.encode_name for field in msgspec.structs.fields(one.Options)), one.summary)
            for one in found
        ]
        print_table(("Name", "Options", "What it does"), rows)
