"""The registry of what the installed plugins offer.

A broken plugin is reported by name; the others are used. A name that two plugins offer is used by neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

import pluggy
from msgspec import Struct
from msgspec.json import schema_components

from pitboss.errors import ConfigError, OptionError
from pitboss.game import AnyGame, Game
from pitboss.plugins import hookspec
from pitboss.plugins.formats import AnyFormat, Format, FormatOptions
from pitboss.plugins.hookspec import NamedBot
from pitboss.plugins.installed_entries import InstalledEntry, find_entries
from pitboss.plugins.packs import STANDARD_PACK, Pack
from pitboss.plugins.rungs import GameRungs
from pitboss.text import describe_exception, join_words, make_safe_line, suggest_nearest

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")


class BrokenPlugin(Struct, frozen=True):
    """A plugin, or one of its hooks, that could not be used, with the reason."""

    name: str
    distribution: str
    reason: str

    def __str__(self) -> str:
        return f"plugin {self.name!r} (from {self.distribution}) is broken and was left out: {self.reason}"


class NameClash(Struct, frozen=True):
    """A name that several plugins offer; each would push the others out, so all are left out."""

    what: str  # "game"
    name: str
    plugins: tuple[str, ...]  # each with its distribution: "'racko' (from pitboss-racko 0.1.0)"

    def __str__(self) -> str:
        return (
            f"the {self.what} {self.name!r} is offered by the plugins {join_words(self.plugins, 'and')}; "
            f"{'both' if len(self.plugins) == 2 else 'all'} were left out: uninstall all but one"
        )


class Registry:
    """What a set of plugins offers, by default all that are installed: games, bots, packs, formats, and more."""

    def __init__(self, entries: Iterable[EntryPoint | InstalledEntry] | None = None) -> None:
        self.broken_plugins: list[BrokenPlugin] = []
        self.name_clashes: list[NameClash] = []
        self.plugin_manager = pluggy.PluginManager(hookspec.PROJECT)
        self.plugin_manager.add_hookspecs(hookspec)
        self._names: dict[str, str] = {}  # by plugin, as the manager knows it: the name of its entry point
        self._distributions: dict[str, str] = {}  # by plugin
        self._usable = set[str]()  # games whose types have been looked through, which takes 10 ms
        self._offered_by: dict[str, dict[str, str]] = {}  # by hook: the plugin of each offer
        self._offers: dict[str, dict[str, Any]] = {}  # to the runner, by hook
        for entry in find_entries(hookspec.PROJECT) if entries is None else entries:
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
    def rungs(self) -> dict[str, GameRungs]:
        """The rungs of each game that has some, by the name of the game."""
        return self._collect_offers(self.plugin_manager.hook.pitboss_rungs, partial(_check_kind, GameRungs))

    @cached_property
    def packs(self) -> dict[str, Pack]:
        """All packs by name, the standard one included."""
        offers = self._collect_offers(self.plugin_manager.hook.pitboss_packs, _check_pack)
        return {STANDARD_PACK.name: STANDARD_PACK, **offers}

    @cached_property
    def formats(self) -> dict[str, AnyFormat]:
        """All formats by name."""
        return self._collect_offers(self.plugin_manager.hook.pitboss_formats, _check_format)

    def offers(self, hook: str, kind: type[T]) -> dict[str, T]:
        """Return by name what plugins offer to the runner by a hook, all of one kind."""
        if hook not in self._offers:
            caller = getattr(self.plugin_manager.hook, hook)
            self._offers[hook] = self._collect_offers(caller, partial(_check_kind, kind))
        return self._offers[hook]

    def find_game(self, name: str) -> AnyGame:
        """Return the game of this name.

        Raises:
            ConfigError: no such game is installed, several plugins offer it, or its types cannot be used.
        """
        if name not in self.games:
            for clash in self.name_clashes:
                if (clash.what, clash.name) == ("game", name):
                    raise ConfigError(str(clash))
            raise ConfigError(_not_installed_text("game", name, self.games))
        game = self.games[name]
        try:
            if name not in self._usable:
                schema_components([game.Options, game.Action, game.View])
                self._usable.add(name)
        except TypeError as error:
            source = self.list_distributions("pitboss_games")[name]
            raise ConfigError(f"the game {name!r} (from {source}) has a type that cannot be used: {error}") from None
        return game

    def list_distributions(self, hook: str) -> dict[str, str]:
        """Return for each game, bot, … of a hook that was called the distribution it is from: "pitboss-racko 0.1.0"."""
        return {name: self._distributions[plugin] for name, plugin in self._offered_by[hook].items()}

    @property
    def problems(self) -> list[BrokenPlugin | NameClash]:
        """What had to be left out so far; a hook is called when its offers are first asked for."""
        return [*self.broken_plugins, *self.name_clashes]

    def _load_entry_point(self, entry: EntryPoint | InstalledEntry) -> None:
        dist = describe_distribution(entry)
        plugin = entry.name if entry.name not in self._names else f"{entry.name} of {dist}"
        if plugin in self._names:
            reason = f"there is a plugin of this name already, from {self._distributions[plugin]}"
            self.broken_plugins.append(BrokenPlugin(entry.name, dist, reason))
            return
        self._names[plugin], self._distributions[plugin] = entry.name, dist
        try:
            self._register_plugin(entry, plugin)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - the border to a plugin's code
            self._report_broken(plugin, error)
            if self.plugin_manager.has_plugin(plugin):
                self.plugin_manager.unregister(name=plugin)

    def _register_plugin(self, entry: EntryPoint | InstalledEntry, plugin: str) -> None:
        loaded = entry.load()
        _check_api(getattr(loaded, "pitboss_api", 1))
        self.plugin_manager.register(loaded, plugin)
        self.plugin_manager.check_pending()
        if not self.plugin_manager.get_hookcallers(loaded):
            hooks = ", ".join(sorted(name for name in vars(hookspec) if name.startswith(f"{hookspec.PROJECT}_")))
            raise ValueError(f"it implements none of the hooks {hooks}; is @hookimpl missing?")

    def _collect_offers(self, hook: pluggy.HookCaller, check: Callable[[Any], None]) -> dict[str, Any]:
        """Call a hook in each plugin and return the offers by name.

        A plugin whose hook fails is reported, and so is a name that several plugins offer.
        """
        offers: dict[str, dict[str, Any]] = {}  # by name and plugin
        for implementation in hook.get_hookimpls():
            plugin = implementation.plugin_name
            try:
                for name, offer in _index_by_name(implementation.function(), check).items():
                    offers.setdefault(name, {})[plugin] = offer
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001 - the border to a plugin's code
                self._report_broken(plugin, error)
        for name in sorted(offers):
            self._settle_clash(hook.name, name, offers[name])
        only = {name: by_plugin for name, by_plugin in sorted(offers.items()) if len(by_plugin) == 1}
        self._offered_by[hook.name] = {name: next(iter(by_plugin)) for name, by_plugin in only.items()}
        return {name: next(iter(by_plugin.values())) for name, by_plugin in only.items()}

    def _settle_clash(self, hook: str, name: str, by_plugin: dict[str, Any]) -> None:
        """Report plugins that offer the same name. Pitboss's own offer stays: the name is not a plugin's to give."""
        if len(by_plugin) == 1:
            return
        sources = {plugin: self._distributions[plugin] for plugin in by_plugin}
        if own := [plugin for plugin, of in sources.items() if of.split()[0] == hookspec.OWN_DISTRIBUTION]:
            for plugin in sorted(by_plugin.keys() - own):
                self._report_broken(plugin, ValueError(f"{name!r} is the name of one that comes with Pitboss"))
                del by_plugin[plugin]
            return
        offering = sorted(f"{self._names[plugin]!r} (from {of})" for plugin, of in sources.items())
        what = hook.removeprefix(f"{hookspec.PROJECT}_").removesuffix("s")
        self.name_clashes.append(NameClash(what, name, tuple(offering)))

    def _report_broken(self, plugin: str, error: BaseException) -> None:
        """Report what is wrong with a plugin.

        Raises:
            BaseException: the error, if it says that the system refused memory, which is no fault of the plugin.
        """
        if isinstance(error, MemoryError) or (isinstance(error, ImportError) and "map segment" in str(error)):
            error.add_note(f"(in the plugin {self._names[plugin]!r})")
            raise error
        self.broken_plugins.append(
            BrokenPlugin(self._names[plugin], self._distributions[plugin], describe_exception(error))
        )


def load_namesake(name: str) -> AnyGame | None:
    """Return the game of a plugin that has the game's name, if there is one, without importing other plugins."""
    return Registry(find_entries(hookspec.PROJECT, name)).games.get(name)


def load_played_game(name: str) -> AnyGame:
    """Return the game of this name. The caller is a bot: its runner has checked that only one plugin offers the game.

    The plugin with the name of the game is imported. The other plugins are imported only where that plugin is missing.

    Raises:
        ConfigError: as `Registry.find_game`.
    """
    namesakes = Registry(find_entries(hookspec.PROJECT, name))
    return (namesakes if name in namesakes.games else Registry()).find_game(name)


def describe_distribution(entry: EntryPoint | InstalledEntry) -> str:
    """Return the distribution that an entry point is from: "pitboss-racko 0.1.0"."""
    if entry.dist is None:
        return "an unknown distribution"
    return make_safe_line(f"{entry.dist.name} {entry.dist.version}")


def find_distribution(game: AnyGame) -> str:
    """Return the distribution that a game is from, for an error message: it loads all plugins."""
    registry = Registry()
    if game.name not in registry.games:
        return "an unknown distribution"
    return registry.list_distributions("pitboss_games")[game.name]


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


def _index_by_name(offers: Any, check: Callable[[Any], None]) -> dict[str, Any]:  # noqa: ANN401 - a plugin's value
    by_name: dict[str, Any] = {}
    for item in offers:
        check(item)
        check_offered_name(item.name)
        if item.name in by_name:
            raise ValueError(f"it offers {item.name!r} twice")
        by_name[item.name] = item
    return by_name


def check_offered_name(name: str) -> None:
    """Check that people can type what a plugin offers, and that its name does nothing to a terminal.

    Raises:
        ValueError: they cannot.
    """
    if not name or not name.isprintable() or " " in name or name.startswith("-"):
        raise ValueError(f"{name!r} is no name: a name has no blanks or control characters, and no hyphen at its start")


def _check_api(wanted: Any) -> None:  # noqa: ANN401 - whatever a plugin says
    """Check that a plugin does not need a later contract than this one.

    Raises:
        ValueError: it does, or what it says is no number.
    """
    if not isinstance(wanted, int) or isinstance(wanted, bool) or wanted < 1:
        raise ValueError(f"its pitboss_api is {wanted!r}; it must be the version of the plugin contract, from 1 on")
    if wanted > hookspec.API_VERSION:
        raise ValueError(
            f"it needs version {wanted} of the plugin contract (pitboss_api), and this Pitboss has version "
            f"{hookspec.API_VERSION}: install a later Pitboss, or an earlier version of the plugin"
        )


def _check_kind(kind: type[Any], item: Any) -> None:  # noqa: ANN401 - whatever a plugin returned
    if not isinstance(item, kind) or not isinstance(getattr(item, "name", None), str):
        raise ValueError(f"{item!r} is no {kind.__module__}.{kind.__name__} with a name")


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


def _check_game(item: Any) -> None:  # noqa: ANN401 - whatever a plugin returned
    _check_members(Game, item)
    if not (isinstance(item.seats, Sequence) and item.seats and all(isinstance(count, int) for count in item.seats)):
        raise ValueError(
            f"the game {item.name!r} has the seats {item.seats!r}; "
            "seats must be a list of the numbers of players that the game allows, such as [2, 3]"
        )
    if not (isinstance(item.presets, Mapping) and all(isinstance(preset, str) for preset in item.presets)):
        raise ValueError(f"the game {item.name!r} has the presets {item.presets!r}; they must be options by name")
    for part, kind in (("title", str), ("version", str), ("Options", type)):
        if not isinstance(value := getattr(item, part), kind):
            raise ValueError(f"the game {item.name!r} has the {part} {value!r}; it must be a {kind.__name__}")


def _check_members(protocol: type, item: Any) -> None:  # noqa: ANN401 - whatever a plugin returned
    missing = [part for part in vars(protocol) if not part.startswith("_") and not hasattr(item, part)]
    if missing or not isinstance(item.name, str):
        what, reason = protocol.__name__.lower(), f": it has no {', '.join(missing)}" if missing else ""
        raise ValueError(f"{item!r} is not a {what}{reason}")
