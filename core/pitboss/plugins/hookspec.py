"""The contract with every plugin: these hooks, and nothing else.

A plugin is an installed package with an entry point in the group `pitboss`, which names a module (or object) that
implements some of the hooks:

    [project.entry-points.pitboss]
    racko = "pitboss_racko"

A command of `pitboss` has an entry point of its own, so that no plugin need be imported to list them: its name, and the
function that typer makes a command of.

    [project.entry-points."pitboss.commands"]
    elo = "pitboss_elo.command:elo"

The contract has a version. A module whose plugin needs a later one than `API_VERSION` was in Pitboss 0.1 says so by an
attribute, and an older Pitboss refuses the plugin in a sentence:

    pitboss_api = 2

A hook that no longer passes an argument names the argument in pluggy's `warn_on_impl_args` for one minor version.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol

import pluggy
from msgspec import Struct

from pitboss.game import AnyGame
from pitboss.plugins.formats import AnyFormat
from pitboss.plugins.packs import Pack
from pitboss.plugins.rungs import GameRungs

PROJECT: Final = "pitboss"
API_VERSION: Final = 1  # of this contract: a new hook, or a new argument of one, is a new version
OWN_DISTRIBUTION: Final = "pitboss-core"  # of which are the offers that come with Pitboss
hookspec: Final = pluggy.HookspecMarker(PROJECT)
hookimpl: Final = pluggy.HookimplMarker(PROJECT)


class NamedOffer(Protocol):
    """What a plugin offers to the runner, whose own modules define it: the core knows its name only."""

    @property
    def name(self) -> str:
        """As people type it; two plugins may not offer the same."""


class BotOption(Struct, frozen=True, kw_only=True):
    """A number that people may set for a named bot: `house:search?ms=50`."""

    summary: str  # a few words for `pitboss bots`
    default: int | float  # a whole number: only whole numbers are allowed
    least: int | float
    most: int | float

    @property
    def range_text(self) -> str:
        """What may be chosen, in words."""
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        return f"{kind} from {self.least} to {self.most}"

    def read_number(self, word: str) -> int | float | None:
        """Return the number that people have written; None if it may not be chosen."""
        try:
            number = int(word) if isinstance(self.default, int) else float(word)
        except ValueError:
            return None
        return number if self.least <= number <= self.most else None


class NamedBot(Struct, frozen=True, kw_only=True):
    """A bot that can be named on the command line instead of giving its command."""

    name: str  # as people type it: `house:random`
    summary: str  # one sentence for `pitboss bots`
    command: Sequence[str]  # the program and its arguments; `{python}` stands for the Python that runs Pitboss
    games: Sequence[str] | None = None  # the games that it plays; None: all
    presets: Sequence[str] | None = None  # those of its games that it plays, "defaults" too; None: any options
    seats: Sequence[int] | None = None  # the numbers of players that it plays with; None: all
    options: Mapping[str, BotOption] = {}  # those that are given are added to the command, a word each: `ms=50`


def python_bot(
    name: str,
    summary: str,
    module: str,
    *words: str,
    games: Sequence[str] | None = None,
    presets: Sequence[str] | None = None,
    seats: Sequence[int] | None = None,
) -> NamedBot:
    """Return a named bot that runs as `python -m module words…`."""
    return NamedBot(
        name=name,
        summary=summary,
        command=("{python}", "-P", "-m", module, *words),
        games=games,
        presets=presets,
        seats=seats,
    )


@hookspec
def pitboss_games() -> Iterable[AnyGame]:  # type: ignore[empty-body]
    """Return the games that this plugin adds."""


@hookspec
def pitboss_bots() -> Iterable[NamedBot]:  # type: ignore[empty-body]
    """Return the bots that this plugin adds, named `plugin:bot`; two plugins may not offer the same name."""


@hookspec
def pitboss_rungs() -> Iterable[GameRungs]:  # type: ignore[empty-body]
    """Return opponents of known strength for games, those of a game together (see `pitboss.plugins.rungs`)."""


@hookspec
def pitboss_packs() -> Iterable[Pack]:  # type: ignore[empty-body]
    """Return the packs that this plugin adds, to replace ordinary cards in games (see `pitboss.plugins.packs`)."""


@hookspec
def pitboss_formats() -> Iterable[AnyFormat]:  # type: ignore[empty-body]
    """Return the tournament formats that this plugin adds (see `pitboss.plugins.formats`)."""


@hookspec
def pitboss_exporters() -> Iterable[NamedOffer]:  # type: ignore[empty-body]
    """Return formats of `pitboss export` (each a `pitboss_tournament.exchange.exporters.Exporter`)."""


@hookspec
def pitboss_importers() -> Iterable[NamedOffer]:  # type: ignore[empty-body]
    """Return formats of `pitboss import` (each a `pitboss_tournament.exchange.importers.Importer`)."""


@hookspec
def pitboss_report_sections() -> Iterable[NamedOffer]:  # type: ignore[empty-body]
    """Return sections of reports (each a `pitboss_tournament.reporting.sections.ReportSection`)."""


@hookspec
def pitboss_engines() -> Iterable[NamedOffer]:  # type: ignore[empty-body]
    """Return engines, which play a tournament's games (each a `pitboss_tournament.running.engine.Engine`)."""
