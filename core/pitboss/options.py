"""Options: what a game can be played with, typed and documented, checked before the first card is dealt."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

import msgspec

from pitboss.errors import OptionError

if TYPE_CHECKING:
    from pitboss.game import AnyGame

S = TypeVar("S")


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of every game's options: a field an option, its meaning in `Meta(description=…)`."""

    def resolve(self, seats: int) -> Self:
        """Return the options with everything decided that depends on the number of seats.

        Raises:
            OptionError: these options do not go together, or not with so many seats.
        """
        return self


def resolve_options(
    game: AnyGame, seats: int, preset: str | None = None, overrides: Mapping[str, object] | None = None
) -> Any:  # noqa: ANN401
    """Return a game's options for a table: a preset, changed by what is given, checked and resolved.

    Raises:
        OptionError: the game has no such preset, option, value, number of seats or combination of them.
    """
    if seats not in game.seats:
        raise OptionError(f"{game.name} is played by {_join_with_or(game.seats)} players, not by {seats}")
    if preset is not None and preset not in game.presets:
        raise OptionError(
            f"{game.name} has no preset {preset!r}{suggest_nearest(preset, game.presets)}; it has {_join_with_or(game.presets)}"
        )
    base = msgspec.to_builtins(game.presets[preset]) if preset is not None else {}
    return convert_value({**base, **(overrides or {})}, game.Options, game.name).resolve(seats)


def convert_value(value: object, target: type[S], what: str, error: type[Exception] = OptionError) -> S:
    """Convert plain data to a struct, or say what is wrong with it and what was allowed.

    Raises:
        error: it does not fit; by default an `OptionError`.
    """
    try:
        return msgspec.convert(value, target)
    except msgspec.ValidationError as wrong:
        raise error(f"{what}: {explain_mismatch(str(wrong), target)}") from None


def explain_mismatch(message: str, target: object) -> str:
    """Return msgspec's words for a misfit, with the nearest known key added where a key is unknown."""
    unknown = re.search(r"unknown field `([^`]*)`", message)
    plain = message.replace("Object contains unknown field", "there is no key").replace(" - at `$`", "")
    return plain + suggest_nearest(unknown[1], sorted(_field_names(target, set()))) if unknown else plain


def suggest_nearest(word: str, known: Any) -> str:  # noqa: ANN401 - any collection of strings
    """Return " (did you mean …?)" if a known word is near, else nothing."""
    found = difflib.get_close_matches(word, list(known), 1)
    return f" (did you mean {found[0]!r}?)" if found else ""


def _field_names(target: object, seen: set[str]) -> set[str]:
    """Return the names of all fields of a type and of the types within it."""
    if isinstance(target, type) and issubclass(target, msgspec.Struct):
        for one in msgspec.structs.fields(target):
            if one.encode_name not in seen:
                seen.add(one.encode_name)
                _field_names(one.type, seen)
    for part in getattr(target, "__args__", ()):
        _field_names(part, seen)
    return seen


def _join_with_or(items: Any) -> str:  # noqa: ANN401 - any collection
    words = [str(item) for item in items]
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words)
