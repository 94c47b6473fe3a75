"""Tournament files: TOML, read and resolved into a plan. Errors name file, line and key."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import UNSET
from msgspec.structs import replace

from pitboss.plugins.registry import Registry
from pitboss_tournament.config import entrants
from pitboss_tournament.config.limits import merge_limits
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.config.toml_file import TomlFile
from pitboss_tournament.plan.paths import STORE_ENDING
from pitboss_tournament.plan.plan import Entrant, Plan
from pitboss_tournament.plan.settings import TournamentFile
from pitboss_tournament.text.validation import collect_errors


def load_plan(path: Path, registry: Registry, workers: int | None = None) -> Plan:
    """Read a tournament file; `workers` overrides its own.

    Raises:
        TomlFileError: something in it is wrong; the text names the file, the line, the key and what was allowed.
        SeveralErrors: several bots are wrong.
        ConfigError: the file cannot be read.
    """
    source = TomlFile(path)
    file = source.convert(TournamentFile)
    with source.locate_errors("game"):
        registry.find_game(file.game)
    bots = collect_errors(range(len(file.bots)), lambda number: _resolve_entrant(source, number, registry, file))
    _check_names(source, bots)
    store = _resolve_store(source, file)
    settings = replace(file, workers=workers or file.workers)
    return resolve_plan(settings, bots, registry, store, source=source, hidden=(store, path))


def _resolve_entrant(source: TomlFile, number: int, registry: Registry, file: TournamentFile) -> Entrant:
    table = file.bots[number]
    with source.locate_errors("bots", number, "bot"):
        entrant = entrants.resolve_entrant(table.bot, registry, source.path.parent, file.game)
    with source.locate_errors(*(("limits",) if table.limits.read is UNSET else ("bots", number, "limits"))):
        limits = merge_limits(file.limits, table.limits, source.path.parent)
    return entrants.apply_limits(replace(entrant, name=table.name or entrant.name), limits)


def _check_names(source: TomlFile, bots: Sequence[Entrant]) -> None:
    first: dict[str, int] = {}

    def check_name(number: int) -> None:
        name = bots[number].name
        other = first.setdefault(name, number)
        if other != number:
            line = source.lines["bots", other]
            text = f"two bots are called {name!r}, here and in line {line}; give one of them another name"
            raise source.error_at(("bots", number, "name"), text)

    collect_errors(range(len(bots)), check_name)


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
