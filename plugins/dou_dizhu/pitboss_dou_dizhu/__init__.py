"""Dou Dizhu: a plugin of Pitboss. The rule book is `RULES.md`, beside this package."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss import AnyGame
from pitboss.plugins.hookspec import NamedBot, hookimpl, python_bot
from pitboss_dou_dizhu.game import DouDizhu


@hookimpl
def pitboss_games() -> Iterable[AnyGame]:
    """Return the one game of this plugin."""
    return [DouDizhu()]


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return the bot of this game; `bot` says how it plays."""
    summary = "Plans its hand in few combinations, calls with control, keeps bombs for the end, lets its partner play."
    return [python_bot("house:dou-dizhu", summary, "pitboss_dou_dizhu.bot", games=("dou-dizhu",))]
