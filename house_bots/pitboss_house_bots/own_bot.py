"""A game's own bot, `house:GAME`, as an object of this process, for bots that are made from it.

Its module offers `choose`, or, where it remembers something of a game, `make_bot`, which returns an object with
`choose` and `begin`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Final, Protocol

from pitboss.bot import AnnotatedChoice, Choice, ChoiceFunction, NoChoice, Question
from pitboss.errors import ConfigError
from pitboss.plugins import hookspec
from pitboss.plugins.installed_entries import find_entries
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Hello, Start


class OwnBot(Protocol):
    """A game's own bot at one table."""

    def begin(self, hello: Hello, start: Start) -> None:
        """Begin a game."""

    def choose(self, question: Question) -> Choice:
        """Answer one question."""


class ForgetfulBot:
    """An `OwnBot` made of a function: it knows what the question says."""

    def __init__(self, choose: ChoiceFunction) -> None:
        self.choose: Final = choose

    def begin(self, hello: Hello, start: Start) -> None:
        """Do nothing."""


def make_own_bot(game: str, name: str | None = None) -> OwnBot:
    """Return `house:GAME`, or another bot of this name, which the plugin with the name of the game offers.

    Raises:
        ConfigError: the game has no such bot, or the bot is no Python module that can be asked.
    """
    module = _load_bot(game, name or f"house:{game}")
    if hasattr(module, "make_bot"):
        bot: OwnBot = module.make_bot()
        return bot
    return ForgetfulBot(module.choose)


@cache
def _load_bot(game: str, name: str) -> Any:  # noqa: ANN401 - a module
    """Return the module of a bot; kept, as plugins are looked for long."""
    named = Registry(find_entries(hookspec.PROJECT, game)).bots.get(name)
    words = list(named.command) if named else []
    module: Any = import_module(words[-1]) if words[-2:-1] == ["-m"] else None  # with words behind it is another bot
    if hasattr(module, "make_bot") or hasattr(module, "choose"):
        return module
    raise ConfigError(f"{game} has no bot of its own, {name}, in Python")


def strip_choice(choice: Choice) -> Any:  # noqa: ANN401 - an index, or an action as the rule book writes it
    """Return a choice without its note and policy; 0 for none."""
    plain = choice.choice if isinstance(choice, AnnotatedChoice) else choice
    return 0 if isinstance(plain, NoChoice) else plain
