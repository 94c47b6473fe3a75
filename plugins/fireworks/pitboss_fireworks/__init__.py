"""Fireworks: a plugin of Pitboss. The rule book is `RULES.md`, beside this package."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss import AnyGame
from pitboss.plugins.hookspec import NamedBot, hookimpl, python_bot
from pitboss_fireworks.game import Fireworks


@hookimpl
def pitboss_games() -> Iterable[AnyGame]:
    """Return the one game of this plugin."""
    return [Fireworks()]


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return the bots of this game; `bot` and `literal_bot` say how they play."""
    return [
        python_bot(
            "house:fireworks",
            "Plays by conventions: a hint is to be played or saved, and the oldest card without a hint is discarded.",
            "pitboss_fireworks.bot",
            games=("fireworks",),
        ),
        python_bot(
            "house:fireworks-literal",
            "Reads nothing into hints: plays what it knows to fit, and tells others what they lack to know it.",
            "pitboss_fireworks.literal_bot",
            games=("fireworks",),
        ),
    ]
