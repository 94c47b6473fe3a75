"""Types and values in words: what a field allows, and what it means."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import inspect

from pitboss.options import strip_metadata
from pitboss.text import join_words

MAX_VALUE_CHARS: Final = 60
ALLOWED: Final = "allowed"  # in `Meta(extra={ALLOWED: …})`: what a field allows, where its type does not say it well


def plain_value_text(value: object) -> str:
    """Return a value as it is written in TOML and JSON, shortened if it is long."""
    text = msgspec.json.encode(value, enc_hook=str).decode() if not isinstance(value, float) else repr(value)
    return text if len(text) <= MAX_VALUE_CHARS else f"{text[:MAX_VALUE_CHARS]}…"


def allowed_text(kind: inspect.Type, *, null: bool = True) -> str:
    """Return what a type allows: "an integer of at least 1"; without `null`, that it may be null is not said."""
    match kind:
        case inspect.Metadata(type=inner, extra=extra):
            return str(extra[ALLOWED]) if extra and ALLOWED in extra else allowed_text(inner, null=null)
        case inspect.UnionType(types=types):
            words = [allowed_text(one, null=null) for one in types if not isinstance(one, inspect.NoneType)]
            return f"{join_words(words)}{', or null' if null and len(words) < len(types) else ''}"
        case inspect.LiteralType(values=values):
            return join_words(plain_value_text(value) for value in values)
        case inspect.EnumType(cls=cls):
            return join_words(plain_value_text(member.value) for member in cls)
        case inspect.IntType() | inspect.FloatType():
            return _number_text(kind)
        case inspect.StrType():
            return _string_text(kind)
        case inspect.ListType() | inspect.SetType() | inspect.VarTupleType():
            return f"a list{_length_text(kind)}, each {allowed_text(kind.item_type, null=null)}"
        case inspect.StructType(fields=fields):
            return (
                f"a table with the keys {join_words((one.encode_name for one in fields), 'and')}"
                if fields
                else "an empty table"
            )
    return _TYPE_TEXTS.get(type(kind), type(kind).__name__.removesuffix("Type").lower())


_TYPE_TEXTS: Final[dict[type[inspect.Type], str]] = {
    inspect.BoolType: "true or false",
    inspect.NoneType: "null",
    inspect.AnyType: "anything",
    inspect.DictType: "a table",
    inspect.TupleType: "a list",
}


def description_text(kind: inspect.Type) -> str:
    """Return the description that a field carries, "" if none."""
    if isinstance(kind, inspect.Metadata):
        described = (kind.extra_json_schema or {}).get("description")
        return str(described) if described else description_text(kind.type)
    return ""


def struct_types(kind: inspect.Type) -> list[inspect.StructType]:
    """Return the structs that a value of this type may be: one, or those of a union."""
    inner = strip_metadata(kind)
    if isinstance(inner, inspect.UnionType):
        return [one for member in inner.types for one in struct_types(member)]
    return [inner] if isinstance(inner, inspect.StructType) else []


def _number_text(kind: inspect.IntType | inspect.FloatType) -> str:
    noun = "an integer" if isinstance(kind, inspect.IntType) else "a number"
    if kind.multiple_of:
        noun = f"a multiple of {kind.multiple_of}"
    low = kind.ge if kind.gt is None or not isinstance(kind, inspect.IntType) else kind.gt + 1
    high = kind.le if kind.lt is None or not isinstance(kind, inspect.IntType) else kind.lt - 1
    if low is not None and high is not None:
        return f"{noun} from {low} to {high}"
    bounds = {"of at least": low, "of at most": high}
    if isinstance(kind, inspect.FloatType):
        bounds |= {"above": kind.gt, "below": kind.lt}
    return " ".join(
        [noun, join_words((f"{word} {bound}" for word, bound in bounds.items() if bound is not None), "and")]
    ).strip()


def _string_text(kind: inspect.StrType) -> str:
    if kind.pattern is not None:
        return f"a string that matches {kind.pattern}"
    if kind.max_length is not None:
        return f"a string of {kind.min_length or 0} to {kind.max_length} characters"
    return "a string that is not empty" if kind.min_length else "a string"


def _length_text(kind: inspect.ListType | inspect.SetType | inspect.VarTupleType) -> str:
    if kind.max_length is not None:
        return f" of {kind.min_length or 0} to {kind.max_length}"
    return f" of at least {kind.min_length}" if kind.min_length else ""
