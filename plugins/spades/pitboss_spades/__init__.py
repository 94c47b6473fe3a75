"""Spades: a plugin of Pitboss. The rule book is `RULES.md`, beside this package."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss import AnyGame
from pitboss.plugins.hookspec import NamedBot, hookimpl, python_bot
from pitboss_spades.game import Spades


@hookimpl
def pitboss_games() -> Iterable[AnyGame]:
    """Return the one game of this plugin."""
    return [Spades()]


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return the bot of this game; `bot` says how it plays."""
    summary = "Bids the tricks that its high cards and spades are worth, takes them cheaply, and then avoids bags."
    return [python_bot("house:spades", summary, "pitboss_spades.bot", games=("spades",))]
