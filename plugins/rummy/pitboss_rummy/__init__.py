"""Basic Rummy: a plugin of Pitboss. The rule book is `RULES.md`, beside this package."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss import AnyGame
from pitboss.plugins.hookspec import NamedBot, hookimpl, python_bot
from pitboss_rummy.game import Rummy


@hookimpl
def pitboss_games() -> Iterable[AnyGame]:
    """Return the one game of this plugin."""
    return [Rummy()]


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return the bot of this game; `bot` says how it plays."""
    summary = (
        "Keeps what can still become a meld, gives the next player nothing, and holds its melds back where "
        "going out with all of them at once pays more."
    )
    return [python_bot("house:rummy", summary, "pitboss_rummy.bot", games=("rummy",))]
