"""The registry: what the installed plugins offer. A broken plugin is reported by name; the others go on."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, TypeVar

import pluggy
from msgspec import Struct

from pitboss import hookspec
from pitboss.errors import ConfigError
from pitboss.hookspec import NamedBot
from pitboss.options import nearest

if TYPE_CHECKING:
    from pitboss.game import AnyGame

T = TypeVar("T")


class BrokenPlugin(Struct, frozen=True):
    """A plugin that could not be used, or one hook of it, and why."""

    name: str
    distribution: str
    reason: str

    def __str__(self) -> str:
        return f"plugin {self.name!r} (from {self.distribution}) is broken and was left out: {self.reason}"


class Registry:
    """The games and bots of a set of plugins, by default of all that are installed."""

    def __init__(self, entries: Iterable[EntryPoint] | None = None) -> None:
        self.broken: list[BrokenPlugin] = []
        self.manager = pluggy.PluginManager(hookspec.PROJECT)
        self.manager.add_hookspecs(hookspec)
        self._origin: dict[str, str] = {}
        for entry in entry_points(group=hookspec.PROJECT) if entries is None else entries:
            self._load(entry)

    @cached_property
    def games(self) -> dict[str, AnyGame]:
        """All games by name."""
        return self._offered(self.manager.hook.pitboss_games)

    @cached_property
    def bots(self) -> dict[str, NamedBot]:
        """All named bots by name."""
        return self._offered(self.manager.hook.pitboss_bots)

    def game(self, name: str) -> AnyGame:
        """Return a game.

        Raises:
            ConfigError: no such game is installed.
        """
        if name not in self.games:
            installed = ", ".join(sorted(self.games)) or "none at all"
            raise ConfigError(f"no game {name!r} is installed{nearest(name, self.games)}; there are: {installed}")
        return self.games[name]

    def _load(self, entry: EntryPoint) -> None:
        dist = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unknown distribution"
        self._origin[entry.name] = dist
        try:
            self.manager.register(entry.load(), entry.name)
            self.manager.check_pending()
        except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code
            self._leave_out(entry.name, wrong)

    def _offered(self, hook: pluggy.HookCaller) -> dict[str, T]:
        """Call a hook in each plugin that has it and return what they offer, by name."""
        found: dict[str, T] = {}
        offered_by: dict[str, str] = {}
        for implementation in hook.get_hookimpls():
            plugin = implementation.plugin_name
            try:
                offers: Iterable[Any] = implementation.function()  # type: ignore[assignment]
                offered = {item.name: item for item in offers}
            except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code
                self._leave_out(plugin, wrong)
                continue
            for name in sorted(offered.keys() & found.keys()):
                self._leave_out(plugin, ValueError(f"{name!r} is already offered by plugin {offered_by[name]!r}"))
                break
            else:
                found.update(offered)
                offered_by.update(dict.fromkeys(offered, plugin))
        return dict(sorted(found.items()))

    def _leave_out(self, name: str, wrong: Exception) -> None:
        self.broken.append(BrokenPlugin(name, self._origin[name], f"{type(wrong).__name__}: {wrong}"))
        if self.manager.has_plugin(name):
            self.manager.unregister(name=name)
