"""`pitboss bots`: the bots that can be called by name."""

from __future__ import annotations

import msgspec
import typer

from pitboss.plugins.rungs import RUNG_PREFIX, GameRungs, MeasuredRung
from pitboss_tournament.cli.output import print_json, print_table
from pitboss_tournament.cli.registry import load_registry


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
            (f"{bot.name}?{key}=", f"{option.default}", option.range_text, option.summary)
            for bot in found
            for key, option in bot.options.items()
        ]
        if played in load_registry().rungs:
            typer.echo()
            _print_rungs(load_registry().rungs[played])
        if choices:
            typer.echo()
            print_table(("Option", "Default", "Allowed", "What it is"), choices)


def _print_rungs(table: GameRungs) -> None:
    """Print the opponents of known strength of a game; `pitboss arena rung` measures a bot against them."""
    rows = [
        (f"{RUNG_PREFIX}{number}", rung.bot, f"{rung.strength:+.0f}", _format_half_width(rung), f"{rung.deals}")
        for number, rung in enumerate(table.rungs, 1)
    ]
    unit = "Rating" if table.unit == "rating" else "Points"
    print_table(("Rung", "Bot", unit, "95 %", "Deals"), rows)


def _format_half_width(rung: MeasuredRung) -> str:
    return "" if rung.half_width is None else f"±{rung.half_width:.0f}"
