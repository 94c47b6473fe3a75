"""The contract with plugins: every hook has a docstring, a test here, and is called by the registry."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import pluggy
import pytest
from msgspec.structs import replace

from pitboss import AnyGame
from pitboss.plugins import hookspec
from pitboss.plugins.formats import EntrantField, FormatOptions, RoundGenerator
from pitboss.plugins.hookspec import NamedBot, hookimpl
from pitboss.plugins.packs import STANDARD_PACK, Pack
from pitboss.plugins.registry import Registry
from pitboss.plugins.rungs import GameRungs, MeasuredRung
from pitboss_magpie.magpie import Magpie
from pitboss_tournament import built_in
from pitboss_tournament.exchange.exporters import Exporter
from pitboss_tournament.exchange.importers import Importer
from pitboss_tournament.formats.swiss import Swiss
from pitboss_tournament.reporting.sections import ReportSection
from pitboss_tournament.running.engine import Engine
from pitboss_tournament.running.worker_pool import PROCESSES

HOOKS = {name: hook for name, hook in vars(hookspec).items() if hasattr(hook, f"{hookspec.PROJECT}_spec")}


def make_registry(**hooks: Any) -> Registry:  # noqa: ANN401 - functions of any hook
    """Return the registry of one plugin with these hooks."""
    registry = Registry([])
    registry._names["mine"], registry._distributions["mine"] = "mine", "mine 1.0"
    registry.plugin_manager.register(SimpleNamespace(**{name: hookimpl(hook) for name, hook in hooks.items()}), "mine")
    registry.plugin_manager.check_pending()
    return registry


def test_pitboss_games() -> None:
    """The games that a plugin returns are the registry's, by name."""

    def pitboss_games() -> Iterable[AnyGame]:
        yield Magpie()

    assert make_registry(pitboss_games=pitboss_games).find_game("magpie").title == "Magpie"


def test_pitboss_bots() -> None:
    """The bots that a plugin returns are the registry's, by name, with what is shown of them."""
    bot = NamedBot(name="mine:best", summary="It wins.", command=["{python}", "-m", "mine"], games=["magpie"])

    def pitboss_bots() -> Iterable[NamedBot]:
        return [bot]

    assert make_registry(pitboss_bots=pitboss_bots).bots == {"mine:best": bot}


def test_pitboss_rungs() -> None:
    """The rungs that a plugin returns are the registry's, by game; rungs that do not ascend are an error."""
    weak, strong = (
        MeasuredRung(bot=bot, strength=at, half_width=None, deals=1) for at, bot in enumerate(("mine:a", "mine:b"))
    )
    table = GameRungs(name="magpie", seats=2, preset=None, unit="rating", deals=9, rungs=(weak, strong))

    def pitboss_rungs() -> Iterable[GameRungs]:
        return [table]

    assert make_registry(pitboss_rungs=pitboss_rungs).rungs == {"magpie": table}
    with pytest.raises(ValueError, match="the rungs of 'magpie' must ascend"):
        replace(table, rungs=(strong, weak))


def test_pitboss_packs() -> None:
    """The packs that a plugin returns are the registry's, by name, beside the standard one."""
    pack = Pack(name="mine", title="My cards", faces=tuple(f"m{number}" for number in range(52)))

    def pitboss_packs() -> Iterable[Pack]:
        return [pack]

    assert make_registry(pitboss_packs=pitboss_packs).packs == {"standard": STANDARD_PACK, "mine": pack}


class EmptyFormat:
    """A format that has all its parts, and no round."""

    name, summary, is_static, Options = "nothing", "Nobody meets anybody.", False, FormatOptions

    def check(self, field: EntrantField, options: FormatOptions) -> None:
        """Allow everything."""

    def count_blocks(self, field: EntrantField, options: FormatOptions) -> int:
        """Expect nothing."""
        return 0

    def rounds(self, field: EntrantField, options: FormatOptions) -> RoundGenerator:
        """Yield nothing."""
        yield from ()
        return []


def test_pitboss_formats() -> None:
    """The formats that a plugin returns are the registry's, by name.

    A format without a part breaks the plugin, and the names of built-in formats are taken.
    """
    made = EmptyFormat()

    assert make_registry(pitboss_formats=lambda: [made]).formats == {"nothing": made}
    broken = make_registry(pitboss_formats=lambda: [object()])
    assert broken.formats == {}
    assert "it has no name, summary" in broken.broken_plugins[0].reason
    namesake = make_registry(pitboss_formats=lambda: [type("Own", (EmptyFormat,), {"name": "swiss"})()])
    namesake._names["formats"], namesake._distributions["formats"] = "formats", "pitboss-core 1.0"
    namesake.plugin_manager.register(built_in, "formats")
    assert isinstance(namesake.formats["swiss"], Swiss)
    assert "'swiss' is the name of one that comes with Pitboss" in namesake.broken_plugins[0].reason


def check_offers(hook: str, kind: type[Any], offer: Any) -> None:  # noqa: ANN401 - of any kind
    """Check that the registry has what a plugin offers to the runner, and refuses what is of no such kind."""
    broken = make_registry(**{hook: lambda: [object()]})

    assert make_registry(**{hook: lambda: [offer]}).offers(hook, kind) == {offer.name: offer}
    assert broken.offers(hook, kind) == {}
    assert f"is no {kind.__module__}.{kind.__name__} with a name" in broken.broken_plugins[0].reason


def test_pitboss_exporters() -> None:
    """The formats of `pitboss export` that a plugin returns are the registry's."""
    check_offers("pitboss_exporters", Exporter, Exporter(name="mine", summary="Mine.", lines=lambda _: iter(())))


def test_pitboss_importers() -> None:
    """The formats of `pitboss import` that a plugin returns are the registry's."""
    check_offers("pitboss_importers", Importer, Importer(name="mine", summary="Mine.", read=lambda _: iter(())))


def test_pitboss_report_sections() -> None:
    """The sections of the report that a plugin returns are the registry's."""
    mine = ReportSection(name="mine", summary="Mine.", place=7, make=lambda _: [])
    check_offers("pitboss_report_sections", ReportSection, mine)


def test_pitboss_engines() -> None:
    """`pitboss_engines` offers engines, which play the games of a tournament."""
    check_offers("pitboss_engines", Engine, Engine(name="mine", summary="Mine.", open_places=PROCESSES.open_places))


@pytest.mark.parametrize("name", HOOKS)
def test_every_hook_is_explained_and_tested(name: str) -> None:
    """A hook has a docstring that says what a plugin returns, and a test of its name in this file."""
    assert (inspect.getdoc(HOOKS[name]) or "").startswith("Return ")
    assert f"test_{name}" in globals()


def test_the_hooks_are_those_of_the_project() -> None:
    """Nothing else in the file looks like a hook, and pluggy knows them all."""
    manager = pluggy.PluginManager(hookspec.PROJECT)
    manager.add_hookspecs(hookspec)

    assert set(HOOKS) == {name for name in vars(hookspec) if name.startswith("pitboss_")}
    assert all(hasattr(manager.hook, name) for name in HOOKS)
