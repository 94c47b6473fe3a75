"""Rack-O: a plugin of Pitboss. The rule book is `RULES.md`, beside this package."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss import AnyGame
from pitboss.plugins.hookspec import NamedBot, hookimpl, python_bot
from pitboss_racko.game import Racko


@hookimpl
def pitboss_games() -> Iterable[AnyGame]:
    """Return the one game of this plugin."""
    return [Racko()]


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return the bot of this game; `bot` says how it plays."""
    summary = (
        "Keeps the cards that go up with gaps that are easy to fill, and puts each card where it saves most turns."
    )
    return [python_bot("house:racko", summary, "pitboss_racko.bot", games=("racko",))]
