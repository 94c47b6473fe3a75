"""The game, options and seats that a command line gives: `-o name=value`, `--preset`, `--seats`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pitboss.game import AnyGame


def option_values(game: AnyGame, given: Sequence[str]) -> dict[str, object]:
    """Return the values of `name=value` words, each read as JSON if it is JSON, else as a string.

    Raises:
        ConfigError: a word has no "=", stands twice, or the game has no such option or value.
    """
    from pitboss.errors import ConfigError
    from pitboss_tournament.fitting import Misfit, fitted

    values: dict[str, object] = {}
    for word in given:
        name, equals, text = word.partition("=")
        if not equals:
            raise ConfigError(f"-o {word}: an option is written NAME=VALUE, as target=100")
        if name in values:
            raise ConfigError(f"-o {word}: the option {name!r} is given twice")
        values[name] = _value(text)
        try:
            fitted({name: values[name]}, game.Options, noun="option")
        except Misfit as wrong:
            raise ConfigError(f"-o {word}: {wrong}") from None
    return values


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


def fresh_seed() -> str:
    """Return a seed that has not been used before; it is printed, so that the run can be repeated."""
    from secrets import token_hex

    return token_hex(4)


def _value(text: str) -> object:
    import msgspec

    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return text
