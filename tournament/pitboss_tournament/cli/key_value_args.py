"""NAME=VALUE arguments: a game's options (`-o`), and a format's options (`-s format.NAME=VALUE`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pitboss.errors import ConfigError
from pitboss.foreign_input import InputRefused, NumberRefused, read_json
from pitboss.simulation.game_setup import OptionVariant, make_setup
from pitboss_tournament.formats.selection import find_format
from pitboss_tournament.text.validation import InvalidValue, convert_checked

if TYPE_CHECKING:
    from pitboss.game import AnyGame
    from pitboss.plugins.registry import Registry


def parse_options(game: AnyGame, given: Sequence[str]) -> dict[str, object]:
    """Parse options of a game.

    Raises:
        ConfigError: a word has no "=", stands twice, or the game has no such option or value.
    """
    return _parse_values("-o ", given, game.Options, "option", "target=100")


def parse_format(name: str, given: Sequence[str], registry: Registry) -> dict[str, object]:
    """Parse the options of a format; return them with its name, as a tournament file has them.

    Raises:
        ConfigError: there is no such format, a word has no "=" or stands twice, or an option or value is unknown.
    """
    made = find_format(name, registry)
    return {"name": name, **_parse_values("-s format.", given, made.Options, "option", "rounds=5")}


def fewest_seats(game: AnyGame, preset: str | None, given: Sequence[str]) -> int:
    """Return the smallest number of players that the options allow; the smallest of all if none does."""
    variant = OptionVariant(preset, parse_options(game, given))
    return next((seats for seats in game.seats if make_setup(game, seats, variant)), min(game.seats))


def _parse_values(shown: str, given: Sequence[str], wanted: type, noun: str, example: str) -> dict[str, object]:
    """Return the values of `name=value` words, each read as JSON if it is JSON, else as a string."""
    values: dict[str, object] = {}
    for word in given:
        name, equals, text = word.partition("=")
        if not equals:
            article = "an" if noun[0] in "aeiou" else "a"
            raise ConfigError(f"{shown}{word}: {article} {noun} is written NAME=VALUE, as {example}")
        if name in values:
            raise ConfigError(f"{shown}{word}: the {noun} {name!r} is given twice")
        values[name] = _parse_value(shown, name, text)
        try:
            convert_checked({name: values[name]}, wanted, noun=noun)
        except InvalidValue as error:
            raise ConfigError(f"{shown}{word}: {error}") from None
    return values


def _parse_value(shown: str, name: str, text: str) -> object:
    try:
        return read_json(text, object)
    except NumberRefused as refused:
        raise ConfigError(f"{shown}{name}: {refused}") from None
    except InputRefused:
        return text
