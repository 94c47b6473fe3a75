"""Options, the typed and documented settings of a game, checked before the first card is dealt; a base of actions."""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Any, Final, Self, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, inspect

from pitboss.errors import OptionError
from pitboss.text import suggest_nearest

S = TypeVar("S")

CARD: Final = Meta(extra={"card": True})  # of a field of actions or views: it is what is printed on a card
IN_ORDER: Final = Meta(extra={"in_order": True})  # of a list of cards: in another order it says something else
SEAT: Final = Meta(extra={"seat": True})  # of a field of actions or views: it is the number of a seat
LARGE: Final = Meta(extra={"large": True})  # of a number in a view: it may be above 10,000
IN_ZONES: Final = Meta(extra={"in_zones": True})  # of a view: cards that zones show, in an order of no meaning
CardFace: TypeAlias = Annotated[str, CARD]
SeatIndex: TypeAlias = Annotated[int, SEAT]


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of the options of every game: one field for each option, its meaning in `Meta(description=…)`."""

    def resolve(self, seats: int) -> Self:
        """Return the options with all values filled in that depend on the number of seats.

        Raises:
            OptionError: these options exclude each other, or are not possible with `seats` players.
        """
        return self


class Action(msgspec.Struct, frozen=True, tag_field="do", tag=str.lower, forbid_unknown_fields=True):
    """A base of actions: `class Play(Action, frozen=True)` is written `{"do": "play", …}`. No game needs it."""


def letters_of(letters: str) -> Meta:
    """Return the mark of a text in a view: each of these letters says something by itself, and may be in it once."""
    return Meta(extra={"letters": letters})


def phrases_of(struct: type[msgspec.Struct], pattern: str) -> Meta:
    """Return the mark of a text in a view: phrases with blanks between, each of which matches a pattern.

    The pattern has a named group for each field of the struct: a number, a seat or a word, or "" for None.
    """
    return Meta(extra={"phrases": pattern, "kind": struct})


def strip_metadata(kind: inspect.Type) -> inspect.Type:
    """Return a type without its bounds, marks and description."""
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    return kind


def is_marked(kind: inspect.Type, mark: str) -> bool:
    """Tell whether a type is marked: "card" (`CARD`), "seat" (`SEAT`), "in_order" or "in_zones"."""
    return bool(read_mark(kind, mark))


def read_mark(kind: inspect.Type, mark: str) -> Any:  # noqa: ANN401 - what the mark says
    """Return what a mark of a type says; None if the type has no such mark."""
    return (kind.extra or {}).get(mark) if isinstance(kind, inspect.Metadata) else None


def find_seat_fields(action: Any) -> frozenset[str]:  # noqa: ANN401 - a type of actions
    """Return the fields of a type of actions that are the number of a seat (`SEAT`), or None in place of it."""
    return _read_seat_fields(action)


@cache
def _read_seat_fields(action: Any) -> frozenset[str]:  # noqa: ANN401
    (kind,) = inspect.multi_type_info([action])
    named = kind.fields if isinstance(kind, inspect.StructType) else ()
    return frozenset(field.encode_name for field in named if _is_seat(field.type))


def _is_seat(kind: inspect.Type) -> bool:
    return is_marked(kind, "seat") or (isinstance(kind, inspect.UnionType) and any(map(_is_seat, kind.types)))


def convert_value(value: object, target: type[S], what: str, error: type[Exception] = OptionError) -> S:
    """Convert plain data to `target`; the error names the value and what was allowed.

    Raises:
        error: the data does not fit; by default an `OptionError`.
    """
    try:
        return msgspec.convert(value, target)
    except msgspec.ValidationError as mismatch:
        raise error(f"{what}: {explain_mismatch(str(mismatch), target)}") from None


def explain_mismatch(message: str, target: object) -> str:
    """Return msgspec's message, with the nearest known key where a key is unknown."""
    unknown = re.search(r"unknown field `([^`]*)`", message)
    plain = message.replace("Object contains unknown field", "there is no key").replace(" - at `$`", "")
    return plain + suggest_nearest(unknown[1], sorted(_field_names(target, set()))) if unknown else plain


def _field_names(target: object, seen: set[str]) -> set[str]:
    if isinstance(target, type) and issubclass(target, msgspec.Struct):
        for field in msgspec.structs.fields(target):
            if field.encode_name not in seen:
                seen.add(field.encode_name)
                _field_names(field.type, seen)
    for part in getattr(target, "__args__", ()):
        _field_names(part, seen)
    return seen
