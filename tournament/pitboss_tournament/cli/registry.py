"""The installed plugins; broken ones are reported once and left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Protocol

from pitboss_tournament.cli.output import print_note

if TYPE_CHECKING:
    import pluggy

    from pitboss.plugins import Registry


class PluginOffer(Protocol):
    """A game or a named bot."""

    @property
    def name(self) -> str:
        """The name to type."""


@cache
def load_registry() -> Registry:
    """Return the installed plugins; print one line for every broken one."""
    from pitboss.plugins import Registry

    found = Registry()
    asked = (found.games, found.bots, found.packs)  # a broken plugin is found when its hook is called
    assert all(isinstance(offer, Mapping) for offer in asked)
    for broken in found.broken_plugins:
        print_note(" ".join(str(broken).split()))
    return found


def game_plugins() -> dict[str, str]:
    """Return for each game the distribution that provides it: "pitboss-racko 0.1.0"."""
    return _find_distributions(load_registry().plugin_manager.hook.pitboss_games)


def bot_plugins() -> dict[str, str]:
    """Return for each named bot the distribution that provides it."""
    return _find_distributions(load_registry().plugin_manager.hook.pitboss_bots)


def _find_distributions(hook: pluggy.HookCaller) -> dict[str, str]:
    from importlib.metadata import entry_points

    from pitboss.hookspec import PROJECT

    entries = {entry.name: entry.dist for entry in entry_points(group=PROJECT)}
    found = {}
    for implementation in hook.get_hookimpls():
        offers: Iterable[PluginOffer] = implementation.function()  # type: ignore[assignment]
        dist = entries.get(implementation.plugin_name)
        for offer in offers:
            found[offer.name] = f"{dist.name} {dist.version}" if dist else implementation.plugin_name
    return found
