"""The registry: broken plugins are reported by name and reason, and the others go on."""

from __future__ import annotations

from importlib.metadata import Distribution, EntryPoint
from pathlib import Path

import pytest

from pitboss.errors import ConfigError
from pitboss.plugins.registry import Registry
from tests.core.conftest import PluginInstaller
from tests.plugins import METADATA

GAME = '''
class Game:
    """A game that has all its parts and plays nothing."""
    title, version, seats, presets = "T", "1", (2,), {}
    Options = Action = View = Position = int
    def __init__(self, name="patience"): self.name = name
    def deal(self, *given): ...
    def setup(self, *given): ...
'''
HEAD = "import sys\nfrom pitboss.plugins.hookspec import NamedBot, hookimpl\n" + GAME
HEALTHY = HEAD + "@hookimpl\ndef pitboss_games(): return [Game()]\n@hookimpl\ndef pitboss_bots(): return []\n"
BOT = "NamedBot(name={name!r}, summary='It plays.', command=['bot'])"


def games_plugin(body: str) -> str:
    """Return a plugin whose `pitboss_games` has this body."""
    return f"{HEAD}@hookimpl\ndef pitboss_games():\n    {body}\n"


def bots_plugin(body: str) -> str:
    """Return a plugin whose `pitboss_bots` has this body."""
    return f"{HEAD}@hookimpl\ndef pitboss_bots():\n    {body}\n"


BROKEN = [
    ("it cannot be imported", "import no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module'"),
    ("it is not Python", "def\n", "SyntaxError: "),
    ("it ends the program when imported", "import sys\nsys.exit('bye')\n", "SystemExit: bye"),
    (
        "a hook is misspelt",
        f"{HEAD}@hookimpl\ndef pitboss_game(): return []\n",
        "PluginValidationError: unknown hook 'pitboss_game'",
    ),
    (
        "the decorator is missing",
        f"{HEAD}def pitboss_games(): return []\n",
        "ValueError: it implements none of the hooks",
    ),
    (
        "a hook takes what it is not given",
        f"{HEAD}@hookimpl\ndef pitboss_games(deck): return []\n",
        "PluginValidationError: ",
    ),
    ("a hook raises", games_plugin("raise RuntimeError('no cards')"), "RuntimeError: no cards"),
    (
        "a hook raises half-way",
        games_plugin("yield Game('half'); raise RuntimeError('no cards')"),
        "RuntimeError: no cards",
    ),
    ("it raises what is no Exception", "raise BaseException('no cards')\n", "BaseException: no cards"),
    (
        "it raises a group with an interrupt",
        "raise BaseExceptionGroup('no cards', [KeyboardInterrupt()])\n",
        "BaseExceptionGroup: no cards (1 sub-exception)",
    ),
    (
        "the text of its error cannot be made",
        "class Odd(Exception):\n    def __str__(self): raise SystemExit(0)\nraise Odd\n",
        "Odd: its text cannot be made (SystemExit)",
    ),
    (
        "its error is of several lines",
        r"raise ValueError('a\x1b[2J\nb')" + "\n",
        r"ValueError: a\u001b[2J b",
    ),
    ("a hook raises what is no Exception", games_plugin("raise GeneratorExit"), "GeneratorExit"),
    ("its game has a name like an option", games_plugin("return [Game('-h')]"), "'-h' is no name: a name has no"),
    ("its game has a name that clears screens", games_plugin(r"return [Game('\x1b[2J')]"), r"'\x1b[2J' is no name"),
    ("a hook ends the program", games_plugin("sys.exit(3)"), "SystemExit: 3"),
    ("a hook returns nothing", games_plugin("return None"), "TypeError: 'NoneType' object is not iterable"),
    (
        "what it offers has no name",
        games_plugin("return [7]"),
        "ValueError: 7 is not a game: it has no name, title, version",
    ),
    ("its name is no text", games_plugin("return [Game(7)]"), "is not a game"),
    ("it offers a class", games_plugin("return [Game]"), "is not a game: it has no name"),
    (
        "it offers a game twice",
        games_plugin("return [Game('twin'), Game('twin')]"),
        "ValueError: it offers 'twin' twice",
    ),
    ("its game has no seats", games_plugin("game = Game(); game.seats = None; return [game]"), "has the seats None"),
    ("its presets are none", games_plugin("game = Game(); game.presets = 7; return [game]"), "has the presets 7"),
    ("its options are none", games_plugin("game = Game(); game.Options = 7; return [game]"), "has the Options 7"),
    ("it offers a bot as a game", games_plugin(f"return [{BOT.format(name='a:b')}]"), "is not a game: it has no title"),
    ("it offers a game as a bot", bots_plugin("return [Game()]"), "is not a NamedBot"),
]


@pytest.mark.parametrize(
    ("source", "reason"), [(source, reason) for _, source, reason in BROKEN], ids=[what for what, *_ in BROKEN]
)
def test_a_broken_plugin(install: PluginInstaller, source: str, reason: str) -> None:
    """A broken plugin is left out, with its name and the reason; the plugins before and after it go on."""
    after = games_plugin("return [Game('whist')]")

    registry = install(healthy=HEALTHY, broken=source, after=after)

    assert list(registry.games) == ["patience", "whist"]
    assert registry.bots == {}
    [broken] = registry.broken_plugins
    assert broken.name == "broken"
    assert reason in broken.reason
    assert str(broken).startswith("plugin 'broken' (from an unknown distribution) is broken and was left out: ")


def test_a_plugin_with_one_broken_hook(install: PluginInstaller) -> None:
    """A plugin with one broken hook still offers what its other hook returns, whichever is asked for first."""
    source = (
        games_plugin("raise RuntimeError('no cards')")
        + f"@hookimpl\ndef pitboss_bots(): return [{BOT.format(name='half:bot')}]\n"
    )
    for order in (("games", "bots"), ("bots", "games")):
        registry = install(half=source)

        offered = {what: list(getattr(registry, what)) for what in order}

        assert offered == {"games": [], "bots": ["half:bot"]}
        assert [broken.name for broken in registry.broken_plugins] == ["half"]


@pytest.mark.parametrize("order", [("original", "newcomer"), ("newcomer", "original")])
def test_two_plugins_offer_one_game(install: PluginInstaller, order: tuple[str, str]) -> None:
    """Two plugins that offer one game are both named, whichever is found first, and the game of neither is used; their
    other games are.
    """
    sources = {"original": HEALTHY, "newcomer": games_plugin("return [Game('other'), Game()]")}

    registry = install(**{name: sources[name] for name in order})

    assert list(registry.games) == ["other"]
    assert registry.broken_plugins == []
    [clash] = map(str, registry.name_clashes)
    assert clash == (
        "the game 'patience' is offered by the plugins 'newcomer' (from an unknown distribution) and "
        "'original' (from an unknown distribution); both were left out: uninstall all but one"
    )
    with pytest.raises(ConfigError, match="the game 'patience' is offered by the plugins 'newcomer'"):
        registry.find_game("patience")


def make_distribution(folder: Path, name: str, module: str) -> EntryPoint:
    """Write the metadata of a distribution and return its entry point, which is named `same`."""
    info = folder / f"{name}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[pitboss]\nsame = {module}\n")
    [entry] = Distribution.at(info).entry_points
    return entry


def test_two_plugins_of_one_name(tmp_path: Path, install: PluginInstaller) -> None:
    """Two distributions may name their entry points alike: only equal names of games clash, and both are named."""
    install(healthy=HEALTHY, other=games_plugin("return [Game('whist')]"), rival=HEALTHY)
    *entries, rival = (make_distribution(tmp_path, name, f"plugin_{name}") for name in ("healthy", "other", "rival"))

    both, three = Registry(entries), Registry([*entries, rival])

    assert (list(both.games), both.problems) == (["patience", "whist"], [])
    assert both.list_distributions("pitboss_games") == {"patience": "healthy 1", "whist": "other 1"}
    assert list(three.games) == ["whist"], three.problems
    assert "plugins 'same' (from healthy 1) and 'same' (from rival 1)" in str(three.name_clashes[0])


def test_an_object_as_a_plugin(install: PluginInstaller) -> None:
    """An entry point may name an object of a module that has the hooks as methods."""
    source = f"{HEAD}class Plugin:\n    @hookimpl\n    def pitboss_games(self): return [Game()]\nplugin = Plugin()\n"
    install(held=source)

    registry = Registry([EntryPoint("held", "plugin_held:plugin", "pitboss")])

    assert (list(registry.games), registry.broken_plugins) == (["patience"], [])


def test_ctrl_c_while_a_plugin_is_imported(install: PluginInstaller) -> None:
    """The person at the keyboard is not a broken plugin."""
    with pytest.raises(KeyboardInterrupt):
        install(slow="raise KeyboardInterrupt\n")


def test_the_system_has_no_memory_while_a_plugin_is_imported(install: PluginInstaller) -> None:
    """A plugin is not broken because the machine refused memory. The error names the plugin."""
    with pytest.raises(MemoryError) as lack:
        install(large="raise MemoryError\n")
    assert lack.value.__notes__ == ["(in the plugin 'large')"]

    registry = install(large=games_plugin("raise MemoryError"))
    with pytest.raises(MemoryError):
        _ = registry.games
    assert not registry.broken_plugins


def test_a_game_that_is_not_installed(install: PluginInstaller) -> None:
    """The error about a game that is not installed offers the nearest name and lists all."""
    registry = install(healthy=HEALTHY, after=games_plugin("return [Game('whist')]"))

    with pytest.raises(
        ConfigError, match=r"no game 'patiense' is installed \(did you mean 'patience'\?\); there are: patience, whist"
    ):
        registry.find_game("patiense")
    assert registry.find_game("whist").name == "whist"


def test_a_game_with_a_type_that_cannot_be_used(install: PluginInstaller) -> None:
    """The error about a game with a type that cannot be used names the game, its distribution, and what is wrong with
    the type.
    """
    options = "Annotated[int | None, Meta(ge=1)] = None"
    head = (
        f"from typing import Annotated\nfrom msgspec import Meta, Struct\nclass Wrong(Struct):\n    most: {options}\n"
    )
    registry = install(wrong=head + games_plugin("game = Game('whist'); game.Options = Wrong; return [game]"))

    with pytest.raises(ConfigError, match=r"the game 'whist' \(from .+\) has a type that cannot be used: .*`ge`"):
        registry.find_game("whist")


def test_nothing_is_installed() -> None:
    """The error about a game that is not installed says that none is."""
    with pytest.raises(ConfigError, match="no game 'whist' is installed; there are: none at all"):
        Registry([]).find_game("whist")


def test_what_is_installed_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The installed plugins load, and it is known which distribution they come from."""
    monkeypatch.syspath_prepend(str(METADATA))
    registry = Registry()

    assert registry.find_game("magpie").title == "Magpie"
    assert registry.list_distributions("pitboss_games")["magpie"] == "pitboss-magpie 1"
    assert registry.broken_plugins == []
