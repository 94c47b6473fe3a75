"""The installed plugins, broken ones reported once and left out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeVar

from pitboss.errors import ConfigError
from pitboss.plugins.registry import Registry
from pitboss.plugins.rule_book import find_rule_book
from pitboss.text import join_words, suggest_nearest
from pitboss_tournament.cli.output import print_note

T = TypeVar("T")


@cache
def load_registry() -> Registry:
    """Return the installed plugins; print one line for every broken one, and for every name that several offer."""
    found = Registry()
    asked = (found.games, found.bots, found.packs, found.formats)  # a broken plugin is found when its hook is called
    assert all(isinstance(offer, Mapping) for offer in asked)
    for problem in found.problems:
        print_note(" ".join(str(problem).split()))
    return found


def load_offers(hook: str, kind: type[T]) -> dict[str, T]:
    """Return what plugins offer by a hook of the runner; print one line for each that is broken, as `load_registry`."""
    registry = load_registry()
    known = len(registry.problems)
    found = registry.offers(hook, kind)
    for problem in registry.problems[known:]:
        print_note(" ".join(str(problem).split()))
    return found


def find_offer(option: str, name: str, hook: str, kind: type[T], more: Mapping[str, T] = {}) -> T:
    """Return what an option names, of what plugins offer by a hook, or of `more`.

    Raises:
        ConfigError: there is no such name.
    """
    known = {**more, **load_offers(hook, kind)}
    if name not in known:
        hint = suggest_nearest(name, known)
        raise ConfigError(f"{option}: there is no {name!r}{hint}; there are: {join_words(list(known), 'and')}")
    return known[name]


def make_game_page(game_name: str) -> str:
    """Return the page of a game for the author of a bot.

    Raises:
        ConfigError: there is no such game.
        RandomGameError: it failed in a random game.
    """
    from pitboss_tournament.authoring.game_page import render_game_page  # noqa: PLC0415 - for two commands
    from pitboss_tournament.authoring.game_reference import describe_game  # noqa: PLC0415 - for two commands

    game = load_registry().find_game(game_name)
    plugin = load_registry().list_distributions("pitboss_games")[game_name]
    return render_game_page(game, describe_game(game, plugin), find_rule_book(load_registry(), game_name))
