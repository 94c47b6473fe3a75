"""Lucky Maker: a plugin of Pitboss. The rule book is `RULES.md`, beside this package."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss import AnyGame
from pitboss.plugins.hookspec import NamedBot, hookimpl, python_bot
from pitboss_lucky_maker.game import LuckyMaker


@hookimpl
def pitboss_games() -> Iterable[AnyGame]:
    """Return the one game of this plugin."""
    return [LuckyMaker()]


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return the bot of this game; `bot` says how it plays."""
    summary = (
        "Reckons which suit will decide and what the trick is worth, then wins with the cheapest card that will "
        "do or throws a useless one."
    )
    return [python_bot("house:lucky-maker", summary, "pitboss_lucky_maker.bot", games=("lucky-maker",))]
