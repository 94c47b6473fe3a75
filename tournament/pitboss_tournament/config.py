"""The tournament file: TOML, decoded into structs and resolved into a plan. An error names the file, the line, the key and what was allowed."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from pitboss.errors import OptionError
from pitboss.game import AnyGame
from pitboss.options import resolved
from pitboss.plugins import Registry
from pitboss.wire import Clock
from pitboss_tournament import entrants
from pitboss_tournament.entrants import Name
from pitboss_tournament.fitting import Place, fitted
from pitboss_tournament.plan import Entrant, Plan
from pitboss_tournament.toml_file import TomlFile
from pitboss_tournament.wording import ALLOWED, listed

STORE_ENDING: Final = ".pitboss"
DAY_MS: Final = 86_400_000

Milliseconds = Annotated[int, Meta(ge=1, le=DAY_MS)]


class ClockTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[clock]: the time that a bot has, in milliseconds."""

    start_ms: Annotated[Milliseconds, Meta(description="From the start of the process to its `ready`.")] = 10_000
    decision_ms: Annotated[Milliseconds, Meta(description="For each decision.")] = 1_000
    game_ms: Annotated[Milliseconds, Meta(description="For all decisions of a game together; by default no limit.")] | None = None


class FaultsTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[faults]: what happens to a bot that breaks the rules of the wire."""

    limit: Annotated[int, Meta(ge=1, description="Forfeited games after which a bot is out.")] = 10


class BotTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[[bots]]: one bot that takes part."""

    bot: Annotated[
        str, Meta(min_length=1, description="A folder with a bot.toml, a command in quotes, or a name from `pitboss bots`.")
    ]
    name: Annotated[Name, Meta(description="Its name in the tournament; by default the bot's own.")] | None = None


Bots = Annotated[
    list[BotTable], Meta(description="The bots that take part.", extra={ALLOWED: "a list of tables: write [[bots]] for each bot"})
]


class TournamentFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tournament file of Pitboss: one game, and the bots that play it. Paths are relative to the file."""

    game: Annotated[str, Meta(description="A name from `pitboss games`.")]
    bots: Bots = []
    seats: (
        Annotated[int, Meta(ge=1, description="Players at a table; by default all bots at one, or the game's smallest number.")]
        | None
    ) = None
    preset: Annotated[str, Meta(description="A named set of options of the game.")] | None = None
    options: Annotated[
        dict[str, Any], Meta(description="The game's options, as `pitboss games NAME` lists them; they change the preset.")
    ] = {}
    seed: (
        Annotated[str, Meta(min_length=1, max_length=200, description="All deals follow from it; by default the file's name.")]
        | None
    ) = None
    deals: Annotated[int, Meta(ge=1, le=1_000_000_000, description="Duplicate deals for each set of bots.")] = 100
    games_at_once: (
        Annotated[int, Meta(ge=1, le=1_024, description="Games played at a time; by default one for each processor.")] | None
    ) = None
    store: (
        Annotated[str, Meta(min_length=1, description="Where the games are kept; by default the file's name with .pitboss.")]
        | None
    ) = None
    clock: ClockTable = field(default_factory=ClockTable)
    faults: FaultsTable = field(default_factory=FaultsTable)


def planned(path: Path, registry: Registry) -> Plan:
    """Read a tournament file.

    Raises:
        FileError: something in it is wrong: the text names the file, the line, the key and what was allowed.
        ConfigError: the file cannot be read.
    """
    source = TomlFile(path)
    file = source.read(TournamentFile)
    with source.blamed("game"):
        game = registry.game(file.game)
    bots = tuple(_entrant(source, number, registry, file) for number in range(len(file.bots)))
    _check_names(source, file, bots)
    seats = _seats(source, file, game)
    return Plan(
        game=game.name,
        options=_options(source, file, game, seats),
        seats=seats,
        seed=file.seed or path.stem,
        deals=file.deals,
        entrants=bots,
        clock=Clock(start_ms=file.clock.start_ms, decision_ms=file.clock.decision_ms, game_ms=file.clock.game_ms),
        fault_limit=file.faults.limit,
        games_at_once=file.games_at_once or processors(),
        store=_store(source, file),
    )


def default_seats(game: AnyGame, bots: int) -> int:
    """Return at how many seats so many bots play: all at one table if the game allows that, else as few as it allows."""
    return bots if bots in game.seats else min(game.seats)


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _entrant(source: TomlFile, number: int, registry: Registry, file: TournamentFile) -> Entrant:
    table = file.bots[number]
    with source.blamed("bots", number, "bot"):
        entrant = entrants.resolve(table.bot, registry, source.path.parent, file.game)
    return replace(entrant, name=table.name) if table.name is not None else entrant


def _check_names(source: TomlFile, file: TournamentFile, bots: Sequence[Entrant]) -> None:
    first: dict[str, int] = {}
    for number, bot in enumerate(bots):
        other = first.setdefault(bot.name, number)
        if other != number:
            line = source.lines["bots", other]
            text = f"two bots are called {bot.name!r}, here and in line {line}; give one of them another name"
            raise source.error(("bots", number, "name"), text)


def _seats(source: TomlFile, file: TournamentFile, game: AnyGame) -> int:
    bots = len(file.bots)
    seats = file.seats if file.seats is not None else default_seats(game, bots)
    if seats not in game.seats:
        raise source.error(("seats",), f"seats is {seats}; {game.name} is played by {listed(game.seats)}")
    if bots < seats:
        have = f"there are only {bots}" if bots > 1 else f"there is {'only one' if bots else 'none'}"
        place = ("bots",) if file.seats is None else ("seats",)
        raise source.error(place, f"{seats} seats need at least {seats} bots, and {have}; write [[bots]] for each bot")
    return seats


def _options(source: TomlFile, file: TournamentFile, game: AnyGame, seats: int) -> Any:  # noqa: ANN401 - the game's own
    with source.blamed():
        fitted(file.options, game.Options, at=("options",))
    try:
        return resolved(game, seats, file.preset, file.options)
    except OptionError as wrong:
        raise source.error(_culprit(str(wrong), file, game), str(wrong)) from None


def _culprit(text: str, file: TournamentFile, game: AnyGame) -> Place:
    """Return the key that a game's own complaint is about: an unknown preset, or the first option given that it mentions."""
    if file.preset is not None and file.preset not in game.presets:
        return ("preset",)
    words = re.findall(r"\w+", text)
    mentioned = [word for word in words if word in file.options]
    if mentioned:
        return ("options", mentioned[0])
    return ("preset",) if file.preset is not None else ("options",)


def _store(source: TomlFile, file: TournamentFile) -> Path:
    folder = source.path.parent
    store = folder / (file.store or source.path.stem + STORE_ENDING)
    if not store.parent.is_dir():
        raise source.error(("store",), f"store is {file.store!r}; there is no folder {str(store.parent)!r}")
    if store.is_dir() or store.resolve() == source.path.resolve():
        what = "a folder" if store.is_dir() else "this file"
        raise source.error(("store",), f"store would be {str(store)!r}, which is {what}; it must be a file of its own")
    return store
