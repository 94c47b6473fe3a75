"""The registry: what the installed plugins offer. A broken plugin is reported by name; the others go on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

import pluggy
from msgspec import Struct

from pitboss import hookspec
from pitboss.errors import ConfigError
from pitboss.formats import Format, FormatOptions
from pitboss.game import Game
from pitboss.hookspec import NamedBot
from pitboss.options import suggest_nearest
from pitboss.packs import STANDARD_PACK, Pack

if TYPE_CHECKING:
    from pitboss.formats import AnyFormat
    from pitboss.game import AnyGame


class BrokenPlugin(Struct, frozen=True):
    """A plugin that could not be used, or one hook of it, and why."""

    name: str
    distribution: str
    reason: str

    def __str__(self) -> str:
        return f"plugin {self.name!r} (from {self.distribution}) is broken and was left out: {self.reason}"


class Registry:
    """The games, bots, packs and formats of a set of plugins, by default of all that are installed."""

    def __init__(self, entries: Iterable[EntryPoint] | None = None) -> None:
        self.broken_plugins: list[BrokenPlugin] = []
        self.plugin_manager = pluggy.PluginManager(hookspec.PROJECT)
        self.plugin_manager.add_hookspecs(hookspec)
        self._distributions: dict[str, str] = {}
        for entry in entry_points(group=hookspec.PROJECT) if entries is None else entries:
            self._load_entry_point(entry)

    @cached_property
    def games(self) -> dict[str, AnyGame]:
        """All games by name."""
        return self._collect_offers(self.plugin_manager.hook.pitboss_games, _check_game)

    @cached_property
    def bots(self) -> dict[str, NamedBot]:
        """All named bots by name."""
        return self._collect_offers(self.plugin_manager.hook.pitboss_bots, _check_bot)

    @cached_property
    def packs(self) -> dict[str, Pack]:
        """All packs by name, the standard one included."""
        return {
            STANDARD_PACK.name: STANDARD_PACK,
            **self._collect_offers(self.plugin_manager.hook.pitboss_packs, _check_pack),
        }

    @cached_property
    def formats(self) -> dict[str, AnyFormat]:
        """All formats by name."""
        return self._collect_offers(self.plugin_manager.hook.pitboss_formats, _check_format)

    def find_game(self, name: str) -> AnyGame:
        """Return a game.

        Raises:
            ConfigError: no such game is installed.
        """
        if name not in self.games:
            installed = ", ".join(sorted(self.games)) or "none at all"
            raise ConfigError(
                f"no game {name!r} is installed{suggest_nearest(name, self.games)}; there are: {installed}"
            )
        return self.games[name]

    def _load_entry_point(self, entry: EntryPoint) -> None:
        dist = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unknown distribution"
        if entry.name in self._distributions:
            self.broken_plugins.append(
                BrokenPlugin(
                    entry.name, dist, f"there is a plugin of this name already, from {self._distributions[entry.name]}"
                )
            )
            return
        self._distributions[entry.name] = dist
        try:
            self._register_plugin(entry)
        except (Exception, SystemExit) as wrong:  # noqa: BLE001 - the border to a plugin's code
            self._report_broken(entry.name, wrong)
            if self.plugin_manager.has_plugin(entry.name):
                self.plugin_manager.unregister(name=entry.name)

    def _register_plugin(self, entry: EntryPoint) -> None:
        plugin = entry.load()
        self.plugin_manager.register(plugin, entry.name)
        self.plugin_manager.check_pending()
        if not self.plugin_manager.get_hookcallers(plugin):
            hooks = ", ".join(sorted(name for name in vars(hookspec) if name.startswith(f"{hookspec.PROJECT}_")))
            raise ValueError(f"it implements none of the hooks {hooks}; is @hookimpl missing?")

    def _collect_offers(self, hook: pluggy.HookCaller, check: Callable[[Any], None]) -> dict[str, Any]:
        """Call a hook in each plugin that has it and return what they offer, by name; a plugin whose hook fails offers nothing there."""
        found: dict[str, Any] = {}
        offered_by: dict[str, str] = {}
        for implementation in sorted(hook.get_hookimpls(), key=lambda one: not one.tryfirst):
            plugin = implementation.plugin_name
            try:
                offered = _index_by_name(implementation.function(), check)
                for name in sorted(offered.keys() & found.keys()):
                    raise ValueError(f"{name!r} is already offered by plugin {offered_by[name]!r}")
            except (Exception, SystemExit) as wrong:  # noqa: BLE001 - the border to a plugin's code
                self._report_broken(plugin, wrong)
                continue
            found.update(offered)
            offered_by.update(dict.fromkeys(offered, plugin))
        return dict(sorted(found.items()))

    def _report_broken(self, name: str, wrong: BaseException) -> None:
        self.broken_plugins.append(BrokenPlugin(name, self._distributions[name], f"{type(wrong).__name__}: {wrong}"))


def _index_by_name(offers: Any, check: Callable[[Any], None]) -> dict[str, Any]:  # noqa: ANN401 - whatever a plugin returned
    found: dict[str, Any] = {}
    for item in offers:
        check(item)
        if item.name in found:
            raise ValueError(f"it offers {item.name!r} twice")
        found[item.name] = item
    return found


def _check_game(item: Any) -> None:  # noqa: ANN401 - whatever a plugin returned
    missing = [part for part in vars(Game) if not part.startswith("_") and not hasattr(item, part)]
    if missing or not isinstance(item.name, str):
        raise ValueError(f"{item!r} is not a game{': it has no ' if missing else ''}{', '.join(missing)}")


def _check_bot(item: Any) -> None:  # noqa: ANN401 - whatever a plugin returned
    if not isinstance(item, NamedBot) or not isinstance(item.name, str):
        raise ValueError(f"{item!r} is not a NamedBot")


def _check_pack(item: Any) -> None:  # noqa: ANN401 - whatever a plugin returned
    if not isinstance(item, Pack) or item.name == STANDARD_PACK.name:
        raise ValueError(f"{item!r} is not a Pack with a name of its own")


def _check_format(item: Any) -> None:  # noqa: ANN401 - whatever a plugin returned
    missing = [part for part in vars(Format) if not part.startswith("_") and not hasattr(item, part)]
    if missing or not isinstance(item.name, str):
        raise ValueError(f"{item!r} is not a format{': it has no ' if missing else ''}{', '.join(missing)}")
    if not (isinstance(item.Options, type) and issubclass(item.Options, FormatOptions)):
        raise ValueError(f"the options of the format {item.name!r} are no FormatOptions")
