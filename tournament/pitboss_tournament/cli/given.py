"""What a command line gives in words NAME=VALUE: a game's options (`-o`, with `--preset` and `--seats`), and limits (`--limit`), a format's options (`--format-option`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from pitboss.game import AnyGame
    from pitboss.plugins import Registry
    from pitboss_tournament.planning.limits import Limits
    from pitboss_tournament.planning.plan import FormatChoice


def option_values(game: AnyGame, given: Sequence[str]) -> dict[str, object]:
    """Return the values of a game's options that are given in words.

    Raises:
        ConfigError: a word has no "=", stands twice, or the game has no such option or value.
    """
    return _values("-o", given, game.Options, "option", "target=100")


def limits(given: Sequence[str], base: Path, usual: Limits | None = None) -> Limits:
    """Return what the bots may use of the machine: `usual` (else the defaults), changed by what is given, paths being relative to `base`.

    Raises:
        ConfigError: a word has no "=", stands twice, or there is no such limit or value.
    """
    import msgspec

    from pitboss_tournament.planning.limits import BotLimits, Limits, merged

    values = _values("--limit", given, BotLimits, "limit", "memory_mb=512")
    return merged(usual or Limits(), msgspec.convert(values, BotLimits), base)


def format_chosen(name: str, given: Sequence[str], registry: Registry) -> FormatChoice:
    """Return a format with its options.

    Raises:
        ConfigError: there is no such format, a word has no "=", stands twice, or the format has no such option or value.
    """
    from pitboss_tournament.formats import chosen, format_named

    made = format_named(name, registry)
    return chosen(name, _values("--format-option", given, made.Options, "option", "rounds=5"), registry)


def options_for(game: AnyGame, seats: int, preset: str | None, given: Sequence[str]) -> Any:  # noqa: ANN401 - the game's own
    """Return the game's options, resolved for the table.

    Raises:
        ConfigError: the game does not allow them.
    """
    from pitboss.options import resolved

    return resolved(game, seats, preset, option_values(game, given))


def fewest_seats(game: AnyGame, preset: str | None, given: Sequence[str]) -> int:
    """Return the smallest number of players that the options allow; the smallest of all if none does."""
    from pitboss.errors import OptionError
    from pitboss.options import resolved

    values = option_values(game, given)
    for seats in game.seats:
        try:
            resolved(game, seats, preset, values)
        except OptionError:
            continue
        return seats
    return min(game.seats)


def _values(flag: str, given: Sequence[str], wanted: type, noun: str, example: str) -> dict[str, object]:
    """Return the values of `name=value` words, each read as JSON if it is JSON, else as a string."""
    from pitboss.errors import ConfigError
    from pitboss_tournament.planning.fitting import Misfit, fitted

    values: dict[str, object] = {}
    for word in given:
        name, equals, text = word.partition("=")
        if not equals:
            article = "an" if noun[0] in "aeiou" else "a"
            raise ConfigError(f"{flag} {word}: {article} {noun} is written NAME=VALUE, as {example}")
        if name in values:
            raise ConfigError(f"{flag} {word}: the {noun} {name!r} is given twice")
        values[name] = _value(text)
        try:
            fitted({name: values[name]}, wanted, noun=noun)
        except Misfit as wrong:
            raise ConfigError(f"{flag} {word}: {wrong}") from None
    return values


def _value(text: str) -> object:
    import msgspec

    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return text
