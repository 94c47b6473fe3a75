"""Plain data into structs; or what is wrong with it, in words, and the place where it stands."""

from __future__ import annotations

import re
from typing import TypeAlias, TypeVar, cast

import msgspec
from msgspec import inspect

from pitboss.errors import ConfigError
from pitboss.options import nearest
from pitboss_tournament.planning.wording import allowed, bare, listed, meaning, shown, structs

T = TypeVar("T")
Place: TypeAlias = tuple[str | int, ...]  # where in nested tables and lists: ("bots", 1, "name")


class Misfit(ConfigError):
    """A value, or a key, that does not fit; `place` says where it stands (for a missing key: the table it is missing in)."""

    def __init__(self, place: Place, text: str) -> None:
        super().__init__(text)
        self.place = place


def fitted(given: object, wanted: type[T], at: Place = (), noun: str = "key") -> T:
    """Convert plain data, which stands at a place of something larger, to a struct. `noun` is what the struct's fields are called.

    Raises:
        Misfit: it does not fit; the text names the key, the value, what is allowed and the nearest known key.
    """
    try:
        return msgspec.convert(given, wanted)
    except msgspec.ValidationError as wrong:
        raise _misfit(str(wrong), given, wanted, at, noun) from None


def key(place: Place) -> str:
    """Return the key at a place as a person writes it: `clock.decision_ms`, `bots.name`."""
    return ".".join(step for step in place if isinstance(step, str))


def _misfit(message: str, given: object, wanted: object, at: Place, noun: str) -> Misfit:
    """Put msgspec's words into ours; where its path cannot be followed, keep its own."""
    head, _, path = message.partition(" - at `$")
    inner: Place = tuple(name or int(index) for name, index in re.findall(r"\.([^.\[\]`]+)|\[(\d+)\]", path))
    whole = inspect.type_info(wanted)
    kind, value = _follow(whole, given, inner)
    name = head.partition("`")[2].rpartition("`")[0]
    tables = structs(kind) if kind is not None else []
    place = (*at, *inner)
    if head.startswith("Object contains unknown field") and tables:
        belongs = _home(name, whole, at)
        where = f" in {key(place)}" if place else ""
        hint = f" (it belongs in {key(belongs)})" if belongs else nearest(name, [one.encode_name for one in tables[0].fields])
        keys = listed((one.encode_name for one in tables[0].fields), "and")
        return Misfit((*place, name), f"there is no {noun} {name!r}{where}{hint}; the {noun}s are {keys}")
    if head.startswith("Object missing required field") and tables:
        return Misfit(place, _missing(name, place, tables[0], noun))
    if kind is None:
        return Misfit(place, f"{key(place)}: {head[:1].lower()}{head[1:]}")
    return Misfit(place, f"{key(place) or 'this'} is {shown(value)}; it must be {allowed(kind, null=False)}")


def _missing(name: str, place: Place, table: inspect.StructType, noun: str) -> str:
    field = next(one for one in table.fields if one.encode_name == name)
    about = meaning(field.type)
    said = f" ({about[:1].lower()}{about[1:].rstrip('.')})" if about else ""
    return f"the {noun} {key((*place, name))!r} is missing{said}; it must be {allowed(field.type, null=False)}"


def _home(name: str, kind: inspect.Type, place: Place) -> Place:
    """Return the place of the table within a type that does have this key, () if none has."""
    for table in structs(kind):
        for field in table.fields:
            inner = bare(field.type)
            inner = inner.item_type if isinstance(inner, inspect.ListType) else inner
            within = (*place, field.encode_name)
            if any(name == one.encode_name for found in structs(inner) for one in found.fields):
                return within
            deeper = _home(name, inner, within)
            if deeper:
                return deeper
    return ()


def _follow(kind: inspect.Type, value: object, place: Place) -> tuple[inspect.Type | None, object]:
    """Return the type and the value at a place; None for a type that cannot be told."""
    for step in place:
        inner = _within(kind, step)
        if inner is None:
            return None, value
        kind = inner
        if isinstance(value, dict | list):
            value = cast(dict[str | int, object], value)[step]
    return kind, value


def _within(kind: inspect.Type, step: str | int) -> inspect.Type | None:
    inner = bare(kind)
    members = inner.types if isinstance(inner, inspect.UnionType) else (inner,)
    for one in map(bare, members):
        if isinstance(one, inspect.StructType) and isinstance(step, str):
            return next((field.type for field in one.fields if field.encode_name == step), None)
        if isinstance(one, inspect.ListType | inspect.SetType | inspect.VarTupleType) and isinstance(step, int):
            return one.item_type
        if isinstance(one, inspect.TupleType) and isinstance(step, int):
            return one.item_types[step]
    return None
