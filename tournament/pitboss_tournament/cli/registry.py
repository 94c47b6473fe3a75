"""The installed plugins, as the commands use them: what is broken is said once, and the command goes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Protocol

from pitboss_tournament.cli.output import print_note

if TYPE_CHECKING:
    import pluggy

    from pitboss.plugins import Registry


class PluginOffer(Protocol):
    """A game, or a bot."""

    @property
    def name(self) -> str:
        """What people type."""


@cache
def load_registry() -> Registry:
    """Return what is installed, after a line on standard error for every broken plugin."""
    from pitboss.plugins import Registry

    found = Registry()
    asked = (found.games, found.bots, found.packs)  # only a hook that has been called can be found broken
    assert all(isinstance(offer, Mapping) for offer in asked)
    for broken in found.broken_plugins:
        print_note(" ".join(str(broken).split()))
    return found


def game_plugins() -> dict[str, str]:
    """Return by game the distribution that it comes from: "pitboss-racko 0.1.0"."""
    return _find_distributions(load_registry().plugin_manager.hook.pitboss_games)


def bot_plugins() -> dict[str, str]:
    """Return by bot the distribution that it comes from."""
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
