"""msgspec types described in English, with links to structs on the same page."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from docs.generators.markdown import code, join_docstring_lines, table
from msgspec import inspect

from pitboss.text import join_words
from pitboss_tournament.text.schema_text import allowed_text, description_text, strip_metadata


def render_fields(struct: type, linked: Collection[str] = ()) -> str:
    """Return a table of a struct's fields: name, type, default, meaning."""
    kind = inspect.type_info(struct)
    assert isinstance(kind, inspect.StructType)
    rows = [
        (code(one.encode_name), describe_type(one.type, linked), _format_default(one), _field_meaning(one.type))
        for one in kind.fields
    ]
    return table(("field", "what it is", "default", "meaning"), rows)


def describe_type(kind: inspect.Type, linked: Collection[str] = ()) -> str:
    """Describe the values of a type; a struct in `linked` is a link."""
    inner = strip_metadata(kind)
    match inner:
        case inspect.StructType(cls=cls):
            return f"[{cls.__name__}](#{anchor(cls.__name__)})" if cls.__name__ in linked else _describe_object(inner)
        case inspect.UnionType(types=types):
            if types and all(isinstance(one, inspect.StructType) and one.tag for one in types):
                return "an event, told apart by its `verb`" if linked else join_words(map(describe_type, types))
            return join_words(word for one in types for word in _describe_alternatives(one, linked))
        case (
            inspect.ListType(item_type=item)
            | inspect.VarTupleType(item_type=item)
            | inspect.CollectionType(item_type=item)
        ):
            return f"a list, each {describe_type(item, linked)}"
        case inspect.DictType(key_type=_, value_type=value):
            return f"an object, each value {describe_type(value, linked)}"
        case inspect.LiteralType():
            return join_words(_describe_alternatives(inner, linked))
        case inspect.AnyType():
            return "anything"
    return allowed_text(inner)


def _describe_alternatives(kind: inspect.Type, linked: Collection[str]) -> list[str]:
    """Return the alternatives of a type: null, each literal, or one description."""
    inner = strip_metadata(kind)
    match inner:
        case inspect.NoneType():
            return ["null"]
        case inspect.LiteralType(values=values):
            return [code(msgspec.json.encode(value).decode()) for value in values]
    return [describe_type(inner, linked)]


def _field_meaning(kind: inspect.Type) -> str:
    """Return the description of a field, or of one of its alternatives."""
    inner = strip_metadata(kind)
    within = inner.types if isinstance(inner, inspect.UnionType) else ()
    return description_text(kind) or next(filter(None, map(description_text, within)), "")


def anchor(name: str) -> str:
    """Return the anchor of a struct."""
    return f"struct-{name.lower()}"


def describe_struct(struct: type) -> str:
    """Return a struct's docstring."""
    return join_docstring_lines(struct.__doc__)


def _describe_object(kind: inspect.StructType) -> str:
    parts = join_words((f"{code(one.encode_name)} ({describe_type(one.type)})" for one in kind.fields), "and")
    return f"an object: {parts}" if parts else "an empty object"


def _format_default(one: inspect.Field) -> str:
    if one.required:
        return ""
    if one.default_factory is not msgspec.NODEFAULT:
        return code(msgspec.json.encode(one.default_factory()).decode())
    if one.default in (msgspec.UNSET, msgspec.NODEFAULT):
        return "left out"
    return code(msgspec.json.encode(one.default).decode())
