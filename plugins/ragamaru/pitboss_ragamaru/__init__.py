"""RAGAMARU: a plugin of Pitboss. The rule book is `RULES.md`, beside this package."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss import AnyGame
from pitboss.plugins.hookspec import NamedBot, hookimpl, python_bot
from pitboss.plugins.packs import Pack
from pitboss_ragamaru.cards import JOKERS, STANDARD_FACES
from pitboss_ragamaru.game import Ragamaru


@hookimpl
def pitboss_games() -> Iterable[AnyGame]:
    """Return the one game of this plugin."""
    return [Ragamaru()]


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return the bot of this game; `bot` says how it plays."""
    summary = (
        "Keeps a number for the end, throws what cannot go, strikes or skips whoever is nearly out, and sees a "
        "way to go out in one sweep."
    )
    return [python_bot("house:ragamaru", summary, "pitboss_ragamaru.bot", games=("ragamaru",))]


@hookimpl
def pitboss_packs() -> Iterable[Pack]:
    """D38: return the box as ordinary playing cards: red is hearts, yellow diamonds, blue clubs, black spades."""
    return [Pack(name="ragamaru", title="RAGAMARU cards 1 to 13", faces=STANDARD_FACES, jokers=JOKERS)]
