"""Tournament files: TOML, read and resolved into a plan. Errors name file, line and key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from itertools import count as count_from
from pathlib import Path
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from pitboss.errors import OptionError
from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss_tournament.config import entrants
from pitboss_tournament.config.defaults import read_kept_header
from pitboss_tournament.config.entrants import merge_limits
from pitboss_tournament.config.loadouts import check_loadout
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.config.toml_file import TomlFile
from pitboss_tournament.plan.models import BotModel
from pitboss_tournament.plan.names import make_bot_name
from pitboss_tournament.plan.paths import STORE_ENDING, memories_folder, memory_folder
from pitboss_tournament.plan.plan import Entrant, Grants, Plan, name_with_loadout
from pitboss_tournament.plan.settings import BotTable, TournamentFile
from pitboss_tournament.processes.sandbox import check_variable
from pitboss_tournament.processes.sandbox_probe import check_strangers, resolve_sandbox
from pitboss_tournament.store.store import read_last_level
from pitboss_tournament.text.validation import KeyPath, collect_errors


class ListedBot(NamedTuple):
    """A bot of a tournament file: a table that names it alone, and where in the file it is named."""

    table: BotTable
    number: int  # of the table in the file; several bots have it if that has a pattern
    place: KeyPath  # of the name


def load_plan(
    path: Path,
    registry: Registry,
    build: Callable[[str], object] | None = None,
    changed: Mapping[KeyPath, tuple[object, str]] = {},
) -> Plan:
    """Read a tournament file. `build` is called with each bot, before it is looked at.

    `changed`: by place, values in place of the file's, and the words of the command line that errors of them name.

    Raises:
        TomlFileError: something in it is wrong; the text names the file, the line, the key and what was allowed.
        SeveralErrors: several bots are wrong.
        ConfigError: the file cannot be read.
    """
    source = TomlFile(path)
    for place, (value, words) in changed.items():
        source.change(place, value, words)
    file = source.convert(TournamentFile)
    with source.locate_errors("game"):
        registry.find_game(file.game)

    store = _resolve_store(source, file)

    with source.locate_errors("sandbox"):  # before anything of a bot is run, as a build is
        found_level = resolve_sandbox(file.sandbox, read_last_level(store))
        check_strangers([one if isinstance(one, str) else one.bot for one in file.bots], file.sandbox, *found_level)

    def resolve(listed: ListedBot) -> list[tuple[ListedBot, Entrant]]:
        if build is not None:
            build(listed.table.bot)
        return [(listed, one) for one in _resolve_entrants(source, listed, registry, file, store)]

    resolved, left_out = entrants.keep_good(list_bots(source, file), resolve, file.on_broken)
    found = [*chain(*resolved)]
    _check_names(source, found)
    bots, renamed = _rename_doubles(found, store)
    hidden = (store, path, memories_folder(store))
    plan = resolve_plan(file, bots, registry, store, source=source, hidden=hidden, base=source.path.parent)
    return replace(plan, warnings=(*left_out, *renamed, *plan.warnings))


def list_bots(source: TomlFile, file: TournamentFile) -> list[ListedBot]:
    """Return the bots of a tournament file, a table for each, also for each folder that a pattern means.

    Raises:
        TomlFileError: there is no such folder.
    """
    found: list[ListedBot] = []
    for number, given in enumerate(file.bots):
        table, key = (BotTable(bot=given), ()) if isinstance(given, str) else (given, ("bot",))
        place = ("bots", number, *key)
        with source.locate_errors(*place):
            specs = entrants.expand_pattern(table.bot, source.path.parent)
        found += [ListedBot(replace(table, bot=spec), number, place) for spec in specs]
    return found


def _resolve_entrants(
    source: TomlFile, listed: ListedBot, registry: Registry, file: TournamentFile, store: Path
) -> list[Entrant]:
    """Return the bot of a table, once for each of its loadouts."""
    table = listed.table
    if table.memory == "folder" and table.games_at_once != 1:
        what = "two processes of the bot would write to the same files; add games_at_once = 1"
        raise source.error_at(("bots", listed.number, "memory"), f'memory is "folder", and {what}')
    with source.locate_errors(*listed.place):
        found = entrants.resolve_entrants(table.bot, registry, source.path.parent, file.game, table.loadout)
    limits_place = ("limits",) if table.limits.read is UNSET else ("bots", listed.number, "limits")
    with source.locate_errors(*limits_place):
        limits = merge_limits(file.limits, table.limits, source.path.parent)
    grants, model = _make_grants(source, listed), _choose_model(source, listed, found[0])
    made = list[Entrant]()
    for entrant in found:
        name = _choose_name(table, entrant, len(found))
        own = replace(
            entrant,
            name=name,
            clock=table.clock,
            process=table.process,
            memory=memory_folder(store, name) if table.memory == "folder" else None,
            games_at_once=table.games_at_once,
            grants=grants,
            model=model,
            about=replace(entrant.about, yardstick=table.yardstick),
        )
        _check_loadout(source, listed, own, registry, file)
        made.append(entrants.apply_limits(own, limits))
    return made


def _choose_name(table: BotTable, entrant: Entrant, count: int) -> str:
    """Return the name of a bot: that of its table, with the loadout if `count` bots are of this table."""
    if table.name is None:
        return make_bot_name(entrant.name)
    if count > 1 and entrant.loadout is not None:
        return name_with_loadout(table.name, entrant.loadout.name)
    return make_bot_name(table.name)


def _check_loadout(
    source: TomlFile, listed: ListedBot, entrant: Entrant, registry: Registry, file: TournamentFile
) -> None:
    """Check that a bot brings a legal loadout; where the options are wrong, the plan says so."""
    game = registry.find_game(file.game)
    try:
        options = resolve_options(game, file.seats or game.seats[0], file.preset, file.options)
    except OptionError:
        return
    with source.locate_errors("bots", listed.number, "loadout"):
        check_loadout(entrant, game, options)


def _choose_model(source: TomlFile, listed: ListedBot, entrant: Entrant) -> BotModel | None:
    """Return the model that a bot asks.

    Raises:
        TomlFileError: it is given one, and its bot.toml does not say that it asks any.
    """
    if listed.table.model is None or entrant.model is not None:
        return entrant.model and replace(entrant.model, name=listed.table.model or entrant.model.name)
    what = f"model is {listed.table.model!r}, and the bot asks none: its bot.toml has no [model]"
    raise source.error_at(("bots", listed.number, "model"), what)


def _make_grants(source: TomlFile, listed: ListedBot) -> Grants:
    """Return what a bot is granted.

    Raises:
        ConfigError: a variable is not set, or is one that the sandbox sets.
    """
    for name in listed.table.env:
        with source.locate_errors("bots", listed.number, "env"):
            check_variable(name)
    return Grants(network=listed.table.network, env=listed.table.env)


def _check_names(source: TomlFile, bots: Iterable[tuple[ListedBot, Entrant]]) -> None:
    """Check that no name is written twice in the file. Names that bots bring along are made distinct."""
    first: dict[str, ListedBot] = {}

    def check_name(one: tuple[ListedBot, Entrant]) -> None:
        listed, bot = one
        other = first.setdefault(bot.name, listed)
        if other is listed:
            return
        line = source.find_line(("bots", other.number))
        what = f"two bots are called {bot.name!r}, here and in line {line}"
        if other.number == listed.number:
            what = f"{other.table.bot} and {listed.table.bot} are both called {bot.name!r}"
        raise source.error_at(("bots", listed.number, "name"), f"{what}; give one of them another name")

    collect_errors([one for one in bots if one[0].table.name is not None], check_name)


def _rename_doubles(found: Sequence[tuple[ListedBot, Entrant]], store: Path) -> tuple[list[Entrant], list[str]]:
    """Return the bots with distinct names, as `disambiguate_names` makes them, and a sentence on each that is renamed.

    A name that is written in the file, and one with which the files of a folder have played in the store, stays.
    """
    kept = read_kept_header(store)
    played = (
        {} if kept is None else {kept.entries[bot].folder: kept.entries[bot].name for bot in kept.rosters[-1].entries}
    )
    fixed: dict[int, str] = {}
    for number, (listed, bot) in enumerate(found):
        before = played.get(str(bot.folder)) if bot.folder is not None else None
        if listed.table.name is not None:
            fixed[number] = bot.name
        elif before is not None and (before == bot.name or before.startswith(f"{bot.name}-")):
            fixed[number] = before
    taken = set(fixed.values())
    bots, notes = list[Entrant](), list[str]()
    for number, (listed, bot) in enumerate(found):
        name = fixed.get(number)
        if name is None:
            names = chain([bot.name], (f"{bot.name}-{count}" for count in count_from(2)))
            name = next(one for one in names if one not in taken)
            taken.add(name)
        if name != bot.name:
            notes.append(f"{listed.table.bot} plays as {name!r}, as there is another {bot.name!r}")
            memory = None if bot.memory is None else memory_folder(store, name)
            bot = replace(bot, name=name, memory=memory)
        bots.append(bot)
    return bots, notes


def _resolve_store(source: TomlFile, file: TournamentFile) -> Path:
    folder = source.path.parent
    if file.store is not None and "\0" in file.store:
        raise source.error_at(("store",), "store has the character \\u0000, which no file name may have")
    store = folder / (file.store or source.path.stem + STORE_ENDING)
    if not store.parent.is_dir():
        raise source.error_at(("store",), f"store is {file.store!r}; there is no folder {str(store.parent)!r}")
    if store.is_dir() or store.resolve() == source.path.resolve():
        what = "a folder" if store.is_dir() else "this file"
        raise source.error_at(
            ("store",), f"store would be {str(store)!r}, which is {what}; it must be a file of its own"
        )
    return store
