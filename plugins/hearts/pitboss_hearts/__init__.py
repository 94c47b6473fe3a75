"""Hearts: a plugin of Pitboss. The rule book is `RULES.md`, beside this package."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss import AnyGame
from pitboss.plugins.hookspec import NamedBot, hookimpl, python_bot
from pitboss_hearts.game import Hearts


@hookimpl
def pitboss_games() -> Iterable[AnyGame]:
    """Return the one game of this plugin."""
    return [Hearts()]


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return the bot of this game; `bot` says how it plays."""
    summary = "Passes what is dangerous, ducks under the highest card of a trick, and throws points on others' tricks."
    return [python_bot("house:hearts", summary, "pitboss_hearts.bot", games=("hearts",))]
