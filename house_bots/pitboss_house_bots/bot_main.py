"""How the bots of the house with options begin: their options are words as `worlds=16`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from pitboss.bot import ChoiceFunction, run
from pitboss.plugins.hookspec import BotOption
from pitboss.protocol.messages import Hello, Start
from pitboss_house_bots.plugin import read_options


class BotWithOptions(Protocol):
    """A bot that is told of each table, and answers questions."""

    choose: ChoiceFunction

    def prepare(self, hello: Hello) -> None:
        """Prepare for the games of a process."""

    def begin(self, hello: Hello, start: Start) -> None:
        """Begin a game."""


def play_with_options(
    name: str, make: Callable[..., Any], options: Mapping[str, BotOption], words: list[str]
) -> str | None:
    """Play as the bot that `make` returns for the options in `words`; return what is wrong with them."""
    try:
        bot: BotWithOptions = make(**read_options(name, options, words))
    except ValueError as error:
        return str(error)
    run(bot.choose, name=f"house:{name}", version="1", want="both", on_hello=bot.prepare, on_start=bot.begin)
    return None
