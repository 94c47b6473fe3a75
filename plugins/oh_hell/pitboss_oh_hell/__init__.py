"""Oh Hell: a plugin of Pitboss. The rule book is `RULES.md`, beside this package."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss import AnyGame
from pitboss.plugins.hookspec import NamedBot, hookimpl, python_bot
from pitboss_oh_hell.game import OhHell


@hookimpl
def pitboss_games() -> Iterable[AnyGame]:
    """Return the one game of this plugin."""
    return [OhHell()]


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return the bot of this game; `bot` says how it plays."""
    summary = "Bids the tricks that its high cards and trumps are likely to take, takes its bid, and then ducks."
    return [python_bot("house:oh-hell", summary, "pitboss_oh_hell.bot", games=("oh-hell",))]
