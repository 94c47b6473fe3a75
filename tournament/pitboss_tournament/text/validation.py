"""Plain data to msgspec structs, with readable errors: key, value, allowed values, nearest known key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar, cast

import msgspec
from msgspec import inspect

from pitboss.errors import ConfigError, SeveralErrors
from pitboss.options import strip_metadata
from pitboss.simulation.game_setup import list_value_choices
from pitboss.text import join_words, suggest_nearest
from pitboss_tournament.text.schema_text import (
    allowed_text,
    description_text,
    plain_value_text,
    struct_types,
)

T = TypeVar("T")
Item = TypeVar("Item")
Result = TypeVar("Result")
KeyPath: TypeAlias = tuple[str | int, ...]  # where in nested tables and lists: ("bots", 1, "name")


class InvalidValue(ConfigError):
    """A value or a key is invalid; `key_path` is its place (for a missing key: the table that lacks it)."""

    def __init__(self, place: KeyPath, text: str) -> None:
        super().__init__(text)
        self.key_path = place


def convert_checked(plain: object, wanted: type[T], at: KeyPath = (), noun: str = "key") -> T:
    """Convert plain data at the place `at` of something larger to a struct; `noun` is the word for a field.

    Raises:
        InvalidValue: it does not fit; the text names the key, the value, what is allowed and the nearest key.
    """
    try:
        return msgspec.convert(plain, wanted)
    except msgspec.ValidationError as error:
        raise _explain_error(str(error), plain, wanted, at, noun) from None


def collect_errors(items: Iterable[Item], make: Callable[[Item], Result]) -> list[Result]:
    """Apply `make` to every item; raise one error for all items that failed.

    Raises:
        ConfigError: one item failed.
        SeveralErrors: several did.
    """
    results, errors = collect_good(items, make)
    if errors:
        raise errors[0] if len(errors) == 1 else SeveralErrors(errors)
    return results


def collect_good(items: Iterable[Item], make: Callable[[Item], Result]) -> tuple[list[Result], list[ConfigError]]:
    """Apply `make` to every item; return the results, and the errors of the items that failed."""
    results: list[Result] = []
    errors: list[ConfigError] = []
    for item in items:
        try:
            results.append(make(item))
        except ConfigError as error:
            errors.append(error)
    return results, errors


def dotted_key(place: KeyPath) -> str:
    """Return the key at a place as a person writes it: `clock.decision_ms`, `bots.name`."""
    return ".".join(step for step in place if isinstance(step, str))


def _explain_error(message: str, given: object, wanted: object, at: KeyPath, noun: str) -> InvalidValue:
    """Return the error of msgspec in our words; its own if its path cannot be followed."""
    head, _, path = message.partition(" - at `$")
    whole = inspect.type_info(wanted)
    inner = _read_path(path, whole, given)
    kind, value = _type_at(whole, given, inner)
    name = head.partition("`")[2].rpartition("`")[0]
    tables = struct_types(kind) if kind is not None else []
    place = (*at, *inner)
    if head.startswith("Object contains unknown field") and tables:
        belongs = _find_table_with_key(name, whole, at)
        where = f" in {dotted_key(place)}" if place else ""
        keys = [one.encode_name for one in tables[0].fields]
        lacks_unit = any(key.startswith(f"{name}_") for key in keys)  # "memory", of "memory_mb"
        is_elsewhere = belongs and not lacks_unit
        hint = f" (it belongs in {dotted_key(belongs)})" if is_elsewhere else suggest_nearest(name, keys)
        allowed = join_words(keys, "and")
        return InvalidValue((*place, name), f"there is no {noun} {name!r}{where}{hint}; the {noun}s are {allowed}")
    if head.startswith("Object missing required field") and tables:
        return InvalidValue(place, _missing_key_text(name, place, tables[0], noun))
    if kind is None:
        return InvalidValue(place, f"{dotted_key(place)}: {head[:1].lower()}{head[1:]}")
    allowed = allowed_text(kind, null=False)
    known = [one for one in list_value_choices(kind) if isinstance(one, str)]
    hint = suggest_nearest(value, known) if isinstance(value, str) else ""
    return InvalidValue(
        place, f"{dotted_key(place) or 'this'} is {plain_value_text(value)}{hint}; it must be {allowed}"
    )


def _read_path(path: str, whole: inspect.Type, given: object) -> KeyPath:
    """Return the place that msgspec names; of the entries of a table with any keys it does not say which is wrong."""
    place: KeyPath = ()
    for name, index, any_key in re.findall(r"\.([^.\[\]`]+)|\[(\d+)\]|(\[\.\.\.\])", path):
        if not any_key:
            place = (*place, name or int(index))
            continue
        wrong = _find_wrong_entry(*_type_at(whole, given, place))
        if wrong is None:
            break
        place = (*place, wrong)
    return place


def _find_wrong_entry(kind: inspect.Type | None, table: object) -> str | None:
    """Return the key of the first entry of a table that matches none of the allowed structs, or is no number."""
    inner = None if kind is None else strip_metadata(kind)
    if isinstance(inner, inspect.DictType) and isinstance(table, dict):
        entry = strip_metadata(inner.value_type)
        for key, value in table.items():
            try:
                if isinstance(entry, inspect.StructType):
                    msgspec.convert(value, entry.cls)
                elif isinstance(entry, inspect.IntType):
                    msgspec.convert(value, int)
            except msgspec.ValidationError:
                return str(key)
    return None


def _missing_key_text(name: str, place: KeyPath, table: inspect.StructType, noun: str) -> str:
    field = next(one for one in table.fields if one.encode_name == name)
    about = description_text(field.type)
    said = f" ({about[:1].lower()}{about[1:].rstrip('.')})" if about else ""
    return (
        f"the {noun} {dotted_key((*place, name))!r} is missing{said}; it must be {allowed_text(field.type, null=False)}"
    )


def _find_table_with_key(name: str, kind: inspect.Type, place: KeyPath) -> KeyPath:
    """Return the place of the table within a type that has this key, the outermost one; () if none has."""
    tables = [(place, kind)]
    for within, one in tables:
        fields = [field for table in struct_types(one) for field in table.fields]
        if name in {field.encode_name for field in fields}:
            return within
        for field in fields:
            inner = strip_metadata(field.type)
            tables.append(
                ((*within, field.encode_name), inner.item_type if isinstance(inner, inspect.ListType) else inner)
            )
    return ()


def _type_at(kind: inspect.Type, value: object, place: KeyPath) -> tuple[inspect.Type | None, object]:
    """Return the type and the value at a place; None for an unknown type."""
    for step in place:
        inner = _member_type(kind, step)
        if inner is None:
            return None, value
        kind = inner
        if isinstance(value, dict | list):
            value = cast(dict[str | int, object], value)[step]
    return kind, value


def _member_type(kind: inspect.Type, step: str | int) -> inspect.Type | None:
    inner = strip_metadata(kind)
    members = inner.types if isinstance(inner, inspect.UnionType) else (inner,)
    for one in map(strip_metadata, members):
        if isinstance(one, inspect.DictType) and isinstance(step, str):
            return one.value_type
        if isinstance(one, inspect.StructType) and isinstance(step, str):
            return next((field.type for field in one.fields if field.encode_name == step), None)
        if isinstance(one, inspect.ListType | inspect.SetType | inspect.VarTupleType) and isinstance(step, int):
            return one.item_type
        if isinstance(one, inspect.TupleType) and isinstance(step, int):
            return one.item_types[step]
    return None
