"""Gin Rummy: a plugin of Pitboss. The rule book is `RULES.md`, beside this package."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss import AnyGame
from pitboss.plugins.hookspec import NamedBot, hookimpl, python_bot
from pitboss_gin_rummy.game import GinRummy


@hookimpl
def pitboss_games() -> Iterable[AnyGame]:
    """Return the one game of this plugin."""
    return [GinRummy()]


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return the bot of this game; `bot` says how it plays."""
    summary = "Keeps cards that unseen ones would complete, takes a discard that melds, and knocks while it is early."
    return [python_bot("house:gin-rummy", summary, "pitboss_gin_rummy.bot", games=("gin-rummy",))]
