"""Cribbage: a plugin of Pitboss. The rule book is `RULES.md`, beside this package."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss import AnyGame
from pitboss.plugins.hookspec import NamedBot, hookimpl, python_bot
from pitboss_cribbage.game import Cribbage


@hookimpl
def pitboss_games() -> Iterable[AnyGame]:
    """Return the one game of this plugin."""
    return [Cribbage()]


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return the bot of this game; `bot` says how it plays."""
    summary = (
        "Keeps the cards that count most with all starters and the crib, and plays what the next card answers least."
    )
    return [python_bot("house:cribbage", summary, "pitboss_cribbage.bot", games=("cribbage",))]
