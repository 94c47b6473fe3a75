"""Crazy Eights: a plugin of Pitboss. The rule book is `RULES.md`, beside this package."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss import AnyGame
from pitboss.plugins.hookspec import NamedBot, hookimpl, python_bot
from pitboss_eights.game import Eights


@hookimpl
def pitboss_games() -> Iterable[AnyGame]:
    """Return the one game of this plugin."""
    return [Eights()]


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return the bot of this game; `bot` says how it plays."""
    summary = "Keeps its eights for need, plays dear cards of its long suits, and attacks players with few cards left."
    return [python_bot("house:eights", summary, "pitboss_eights.bot", games=("eights",))]
