"""The settings of a command line: `-s KEY=VALUE` words, and options for those that are typed daily.

`plan.settings` declares all of them, and `plan.setting_keys` lists them by key. This module says which words have set a
value when the value is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from msgspec import inspect
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.foreign_input import InputRefused, NumberRefused, read_json
from pitboss.options import strip_metadata
from pitboss.text import join_words
from pitboss_tournament.cli.bot_resolution import resolve_bots
from pitboss_tournament.cli.key_value_args import parse_format, parse_options
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.config.entrants import apply_limits, merge_limits
from pitboss_tournament.plan.limits import BotLimits, Limits
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.plan.setting_keys import SettingKey, find_setting_key, list_setting_keys, suggest_key
from pitboss_tournament.plan.settings import TournamentFile
from pitboss_tournament.text.validation import InvalidValue, KeyPath, convert_checked, dotted_key

T = TypeVar("T")
NUMBER: Final = re.compile(r"-?[0-9]{1,12}")
EXAMPLE: Final = "clock.game_ms=60000"
DEFAULT_FORMAT: Final = "round-robin"
PILOT_SETTINGS: Final = (  # of a tournament that a command schedules itself
    *("seats", "preset", "options", "score", "seating", "seed", "deals", "store", "clock", "limits"),
    *("faults.policy", "faults.substitutions", "games_at_once", "workers", "pinned", "sandbox", "build_network"),
    *("ponder", "tables_per_bot"),
)
COMPARISON_SETTINGS: Final = (*(one for one in PILOT_SETTINGS if one not in ("seating", "deals")), "logs")


class SettingWords(NamedTuple):
    """What a command line says of the settings."""

    tables: dict[str, Any]  # as in a tournament file, without the options of the game and of the format
    options: list[str]  # of the game, as NAME=VALUE
    format_options: list[str]  # of the format, as NAME=VALUE
    said: dict[str, str]  # by key: the words that set it

    def to_file(self, game: str, **defaults: object) -> TournamentFile:
        """Return the settings, as if a tournament file had them; `defaults` has what counts where nothing is said.

        `game` is looked up only if there are options.

        Raises:
            ConfigError: there is no such game, or a value is wrong.
        """
        tables = {"game": game, **defaults, **self.tables}
        for name, default in defaults.items():
            if isinstance(default, dict) and isinstance(own := self.tables.get(name), dict):
                tables[name] = {**default, **own}
        if self.options:
            tables["options"] = parse_options(load_registry().find_game(game), self.options)
        if "format" in self.tables or self.format_options:
            name = self.tables.get("format", DEFAULT_FORMAT)
            tables["format"] = parse_format(name, self.format_options, load_registry())
        limits = self.merge_limits()
        return replace(self.convert({**tables, "limits": {}}, TournamentFile), limits=limits)

    def merge_limits(self, usual: Limits | None = None) -> Limits:
        """Return the limits that are said, for the rest the usual ones; paths are relative to this folder.

        Raises:
            ConfigError: a value is wrong, or a path does not exist.
        """
        own = self.convert(self.tables.get("limits", {}), BotLimits, "limits")
        return merge_limits(usual or Limits(), own, Path.cwd())

    def convert(self, tables: object, wanted: type[T], *at: str) -> T:
        """Return tables, which stand at the place `at`, as a struct.

        Raises:
            ConfigError: they do not fit; the text begins with the words that are wrong.
        """
        try:
            return convert_checked(tables, wanted, at)
        except InvalidValue as error:
            key = dotted_key(error.key_path)
            words = next((said for one, said in self.said.items() if f"{key}.".startswith(f"{one}.")), None)
            raise ConfigError(f"{words}: {error}" if words else str(error)) from None

    def list_changes(self) -> dict[KeyPath, tuple[object, str]]:
        """Return the value of each key that is said, and the words that say it, by the place in nested tables."""
        found: dict[KeyPath, tuple[object, str]] = {}
        for key, words in self.said.items():
            setting = find_setting_key(key)
            place = (key,) if setting is None else setting.place
            value: Any = self.tables
            for step in place:
                value = value[step]
            found[place] = (value, words)
        return found


def read_settings(
    words: Sequence[str] | None,
    taken: Collection[str] = (),
    option: Sequence[str] = (),
    **typed: str | int | Path | None,
) -> SettingWords:
    """Return what a command line says: by the words of `-s`, by those of `-o`, and by an option for each field.

    `taken`: the keys, or tables of keys, that the command has a use for; none: all.

    Raises:
        ConfigError: a word has no "=", there is no such key, the command does not take it, or the key is given twice.
    """
    given = {field: value for field, value in typed.items() if value is not None}
    tables: dict[str, Any] = {name: str(one) if isinstance(one, Path) else one for name, one in given.items()}
    found = SettingWords(tables, list(option), [], {name: f"--{name} {one}" for name, one in given.items()})
    for word in words or ():
        key, text = split_word(word)
        setting = find_taken(word, "format" if key == "format.name" else key, taken)
        if setting.key in found.said:
            raise ConfigError(f"-s {word}: {setting.key} is given twice; the other one is {found.said[setting.key]}")
        found.said[setting.key] = f"-s {word}"
        table, *steps = setting.place
        if table in ("options", "format") and steps:
            (found.options if table == "options" else found.format_options).append(f"{'.'.join(steps)}={text}")
        else:
            _set_value(found.tables, setting.place, parse_value(setting.kind, word, text))
    return found


def read_deals(text: str | None) -> int | str | None:
    """Return what `--deals` says: the number of deals, or the file that gives them."""
    return int(text) if text is not None and NUMBER.fullmatch(text) else text


def read_run_settings(words: Sequence[str] | None, **typed: str | int | None) -> SettingWords:
    """Return what a command line says of a tournament that a file describes: keys on which no game depends.

    Raises:
        ConfigError: as `read_settings`, or games depend on a key.
    """
    found = read_settings(words, (), (), **typed)
    for key, said in found.said.items():
        setting = find_taken(key, key, ()).setting
        if not setting.is_of_run:
            raise ConfigError(f"{said}: games depend on {key}; write it into the file")
    if "store" in found.tables:
        found.tables["store"] = str(Path(found.tables["store"]).absolute())
    return found


def split_word(word: str) -> tuple[str, str]:
    """Return key and value of a word of `-s`.

    Raises:
        ConfigError: it has no "=".
    """
    key, equals, text = word.partition("=")
    if not equals:
        raise ConfigError(f"-s {word}: a setting is written KEY=VALUE, as {EXAMPLE}")
    return key.strip(), text


def find_taken(word: str, key: str, taken: Collection[str]) -> SettingKey:
    """Return the setting of a key.

    Raises:
        ConfigError: there is none, or a command that has a use for the keys `taken` has none for this one.
    """
    found = find_setting_key(key)
    if found is None:
        if inner := [one.key for one in list_setting_keys() if one.key.startswith(f"{key}.")]:
            raise ConfigError(f"-s {word}: {key} is a table; its keys are {join_words(inner, 'and')}")
        raise ConfigError(
            f"-s {word}: there is no key {key!r}{suggest_key(key)}; `pitboss settings` lists them, as {EXAMPLE}"
        )
    if found.setting.no_option:
        raise ConfigError(f"-s {word}: {found.setting.no_option}")
    if taken and not any(f"{found.key}.".startswith(f"{one}.") for one in taken):
        raise ConfigError(f"-s {word}: this command has no use for {found.key}; it takes {join_words(taken, 'and')}")
    return found


def parse_value(kind: inspect.Type, word: str, text: str) -> object:
    """Return the value that is written as JSON or, where that is allowed and it is no JSON string, as plain text.

    Raises:
        ConfigError: it has a number that is too large.
    """
    try:
        value = read_json(text, object)
    except NumberRefused as refused:
        raise ConfigError(f"-s {word}: {refused}") from None
    except InputRefused:
        return text
    return value if isinstance(value, str) or not _is_text(kind) else text


def resolve_players(
    specs: Sequence[str], settings: TournamentFile, base: Path = Path(), *, shows_builds: bool = True
) -> list[Entrant]:
    """Return the bots of a command line, called in the folder `base`, built where that is needed, with their limits.

    What a build says is shown at once, or is the `output` of the error.

    Raises:
        ConfigError: a bot cannot be built, is not found, or does not play the game.
    """
    found = resolve_bots(
        specs,
        base,
        settings.game,
        settings.sandbox,
        build_network=settings.build_network,
        on_broken=settings.on_broken,
        shows_builds=shows_builds,
        store=None if settings.store is None else Path(settings.store),
    )
    return [apply_limits(bot, settings.limits) for bot in found]


def _is_text(kind: inspect.Type) -> bool:
    """Whether a value of this type is a text and nothing else, so that 2026 is one, too."""
    inner = strip_metadata(kind)
    if isinstance(inner, inspect.UnionType):
        return all(_is_text(one) for one in inner.types if not isinstance(one, inspect.NoneType | inspect.DictType))
    return isinstance(inner, inspect.StrType | inspect.LiteralType)


def _set_value(tables: dict[str, Any], place: Sequence[str], value: object) -> None:
    for step in place[:-1]:
        tables = tables.setdefault(step, {})
    tables[place[-1]] = value
