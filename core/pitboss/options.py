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


def resolved(game: AnyGame, seats: int, preset: str | None = None, given: Mapping[str, object] | None = None) -> Any:  # noqa: ANN401
    """Return a game's options for a table: a preset, changed by what is given, checked and resolved.

    Raises:
        OptionError: the game has no such preset, option, value, number of seats or combination of them.
    """
    if seats not in game.seats:
        raise OptionError(f"{game.name} is played by {_listed(game.seats)} players, not by {seats}")
    if preset is not None and preset not in game.presets:
        raise OptionError(f"{game.name} has no preset {preset!r}{nearest(preset, game.presets)}; it has {_listed(game.presets)}")
    base = msgspec.to_builtins(game.presets[preset]) if preset is not None else {}
    return checked({**base, **(given or {})}, game.Options, game.name).resolve(seats)


def checked(given: object, wanted: type[S], what: str, error: type[Exception] = OptionError) -> S:
    """Convert plain data to a struct, or say what is wrong with it and what was allowed.

    Raises:
        error: it does not fit; by default an `OptionError`.
    """
    try:
        return msgspec.convert(given, wanted)
    except msgspec.ValidationError as wrong:
        raise error(f"{what}: {explained(str(wrong), wanted)}") from None


def explained(message: str, wanted: object) -> str:
    """Return msgspec's words for a misfit, with the nearest known key added where a key is unknown."""
    unknown = re.search(r"unknown field `([^`]*)`", message)
    plain = message.replace("Object contains unknown field", "there is no key").replace(" - at `$`", "")
    return plain + nearest(unknown[1], sorted(_keys(wanted, set()))) if unknown else plain


def nearest(word: str, known: Any) -> str:  # noqa: ANN401 - any collection of strings
    """Return " (did you mean …?)" if a known word is near, else nothing."""
    found = difflib.get_close_matches(word, list(known), 1)
    return f" (did you mean {found[0]!r}?)" if found else ""


def _keys(wanted: object, seen: set[str]) -> set[str]:
    """Return the names of all fields of a type and of the types within it."""
    if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
        for one in msgspec.structs.fields(wanted):
            if one.encode_name not in seen:
                seen.add(one.encode_name)
                _keys(one.type, seen)
    for part in getattr(wanted, "__args__", ()):
        _keys(part, seen)
    return seen


def _listed(items: Any) -> str:  # noqa: ANN401 - any collection
    words = [str(item) for item in items]
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words)
