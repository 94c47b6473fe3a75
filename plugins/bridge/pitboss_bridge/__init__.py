"""Bridge: a plugin of Pitboss. The rule book is `RULES.md`, beside this package."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss import AnyGame
from pitboss.plugins.hookspec import NamedBot, hookimpl, python_bot
from pitboss_bridge.game import Bridge


@hookimpl
def pitboss_games() -> Iterable[AnyGame]:
    """Return the one game of this plugin."""
    return [Bridge()]


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return the bot of this game; `bot` says how it plays."""
    summary = "Bids naturally by points and suits, draws trumps, and plays cards by the rules of thumb of the table."
    return [python_bot("house:bridge", summary, "pitboss_bridge.bot", games=("bridge",))]
