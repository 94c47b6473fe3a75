"""The registry of what the installed plugins offer. A broken plugin is reported by name; the others are used."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, cached_property, partial
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import pluggy
from msgspec import Struct

from pitboss import hookspec
from pitboss.errors import ConfigError, OptionError
from pitboss.formats import AnyFormat, Format, FormatOptions
from pitboss.game import AnyGame, Game
from pitboss.hookspec import NamedBot
from pitboss.packs import STANDARD_PACK, Pack
from pitboss.text import suggest_nearest


class BrokenPlugin(Struct, frozen=True):
    """A plugin that could not be used, or one hook of it, with the reason."""

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
        self._offered_by: dict[str, dict[str, str]] = {}  # by hook: the plugin of each offer
        for entry in entry_points(group=hookspec.PROJECT) if entries is None else entries:
            self._load_entry_point(entry)

    @cached_property
    def games(self) -> dict[str, AnyGame]:
        """All games by name."""
        return self._collect_offers(self.plugin_manager.hook.pitboss_games, partial(_check_members, Game))

    @cached_property
    def bots(self) -> dict[str, NamedBot]:
        """All named bots by name."""
        return self._collect_offers(self.plugin_manager.hook.pitboss_bots, _check_bot)

    @cached_property
    def packs(self) -> dict[str, Pack]:
        """All packs by name, the standard one included."""
        offers = self._collect_offers(self.plugin_manager.hook.pitboss_packs, _check_pack)
        return {STANDARD_PACK.name: STANDARD_PACK, **offers}

    @cached_property
    def formats(self) -> dict[str, AnyFormat]:
        """All formats by name."""
        return self._collect_offers(self.plugin_manager.hook.pitboss_formats, _check_format)

    def find_game(self, name: str) -> AnyGame:
        """Return the game of this name.

        Raises:
            ConfigError: no such game is installed.
        """
        if name not in self.games:
            raise ConfigError(_not_installed_text("game", name, self.games))
        return self.games[name]

    def list_distributions(self, hook: str) -> dict[str, str]:
        """Return for each game, bot, … of a hook that was called the distribution it is from: "pitboss-racko 0.1.0"."""
        return {name: self._distributions[plugin] for name, plugin in self._offered_by[hook].items()}

    def _load_entry_point(self, entry: EntryPoint) -> None:
        dist = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unknown distribution"
        if entry.name in self._distributions:
            reason = f"there is a plugin of this name already, from {self._distributions[entry.name]}"
            self.broken_plugins.append(BrokenPlugin(entry.name, dist, reason))
            return
        self._distributions[entry.name] = dist
        try:
            self._register_plugin(entry)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the border to a plugin's code
            self._report_broken(entry.name, error)
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
        """Call a hook in each plugin and return the offers by name; a plugin whose hook fails is reported."""
        offers: dict[str, Any] = {}
        offered_by = self._offered_by[hook.name] = {}
        for implementation in sorted(hook.get_hookimpls(), key=lambda hookimpl: not hookimpl.tryfirst):
            plugin = implementation.plugin_name
            try:
                offered = _index_by_name(implementation.function(), check)
                for name in sorted(offered.keys() & offers.keys()):
                    raise ValueError(f"{name!r} is already offered by plugin {offered_by[name]!r}")
            except (Exception, SystemExit) as error:  # noqa: BLE001 - the border to a plugin's code
                self._report_broken(plugin, error)
                continue
            offers.update(offered)
            offered_by.update(dict.fromkeys(offered, plugin))
        return dict(sorted(offers.items()))

    def _report_broken(self, name: str, error: BaseException) -> None:
        self.broken_plugins.append(BrokenPlugin(name, self._distributions[name], f"{type(error).__name__}: {error}"))


@cache
def find_pack(name: str) -> Pack:
    """Return the pack of this name: the standard pack, or one of an installed plugin.

    Raises:
        OptionError: no such pack is installed.
    """
    if name == STANDARD_PACK.name:
        return STANDARD_PACK
    packs = Registry().packs
    if name not in packs:
        raise OptionError(_not_installed_text("pack", name, packs))
    return packs[name]


def _not_installed_text(what: str, name: str, installed: Iterable[str]) -> str:
    names = sorted(installed)
    there = ", ".join(names) or "none at all"
    return f"no {what} {name!r} is installed{suggest_nearest(name, names)}; there are: {there}"


def _index_by_name(offers: Any, check: Callable[[Any], None]) -> dict[str, Any]:  # noqa: ANN401 - whatever a plugin returned
    by_name: dict[str, Any] = {}
    for item in offers:
        check(item)
        if item.name in by_name:
            raise ValueError(f"it offers {item.name!r} twice")
        by_name[item.name] = item
    return by_name


def _check_bot(item: Any) -> None:  # noqa: ANN401 - whatever a plugin returned
    if not isinstance(item, NamedBot) or not isinstance(item.name, str):
        raise ValueError(f"{item!r} is not a NamedBot")


def _check_pack(item: Any) -> None:  # noqa: ANN401 - whatever a plugin returned
    if not isinstance(item, Pack) or item.name == STANDARD_PACK.name:
        raise ValueError(f"{item!r} is not a Pack with a name of its own")


def _check_format(item: Any) -> None:  # noqa: ANN401 - whatever a plugin returned
    _check_members(Format, item)
    if not (isinstance(item.Options, type) and issubclass(item.Options, FormatOptions)):
        raise ValueError(f"the options of the format {item.name!r} are no FormatOptions")


def _check_members(protocol: type, item: Any) -> None:  # noqa: ANN401 - whatever a plugin returned
    missing = [part for part in vars(protocol) if not part.startswith("_") and not hasattr(item, part)]
    if missing or not isinstance(item.name, str):
        what, reason = protocol.__name__.lower(), f": it has no {', '.join(missing)}" if missing else ""
        raise ValueError(f"{item!r} is not a {what}{reason}")
