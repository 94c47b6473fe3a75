"""Euchre: a plugin of Pitboss. The rule book is `RULES.md`, beside this package."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss import AnyGame
from pitboss.plugins.hookspec import NamedBot, hookimpl, python_bot
from pitboss_euchre.game import Euchre


@hookimpl
def pitboss_games() -> Iterable[AnyGame]:
    """Return the one game of this plugin."""
    return [Euchre()]


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return the bot of this game; `bot` says how it plays."""
    summary = "Counts how many tricks its hand is worth with each suit as trumps, calls what is safe, and leads trumps."
    return [python_bot("house:euchre", summary, "pitboss_euchre.bot", games=("euchre",))]
