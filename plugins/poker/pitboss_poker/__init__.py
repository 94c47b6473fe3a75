"""Poker: a plugin of Pitboss. The rule book is `RULES.md`, beside this package."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pitboss import AnyGame
from pitboss.plugins.hookspec import NamedBot, hookimpl, python_bot
from pitboss_poker.game import Poker

GAMES: Final = ("poker", "five-card-draw", "seven-card-stud")


@hookimpl
def pitboss_games() -> Iterable[AnyGame]:
    """Return poker; `draw_plugin` and `stud_plugin` have the other games of this package."""
    return [Poker()]


@hookimpl
def pitboss_bots() -> Iterable[NamedBot]:
    """Return the bots of this game; their modules say how they play."""
    return [
        python_bot(
            "house:poker",
            "Reckons its chances by dealing the unseen cards, calls what is worth its price, and bets good hands.",
            "pitboss_poker.bot",
            games=GAMES,
        ),
        python_bot(
            "house:caller",
            "A calling station: checks or calls, whatever it holds.",
            "pitboss_poker.bot",
            "caller",
            games=GAMES,
        ),
        python_bot(
            "house:poker-equilibrium",
            "Plays Kuhn and Leduc poker for two players by an equilibrium: in the long run nobody wins against it.",
            "pitboss_poker.equilibrium_bot",
            games=("poker",),
            presets=("kuhn", "leduc"),
            seats=(2,),
        ),
    ]
