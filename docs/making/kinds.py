"""Types in words, as the reference says them: what may stand there, with links to the structs that are described on the same page."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from docs.making.markdown import code, plain, table
from msgspec import inspect

from pitboss_tournament.planning.wording import allowed, bare, listed, meaning


def fields(struct: type, linked: Collection[str] = (), wanted: Collection[str] | None = None) -> str:
    """Return the table of a struct's fields: name, type, default, meaning; all of them, or those that are wanted."""
    kind = inspect.type_info(struct)
    assert isinstance(kind, inspect.StructType)
    rows = [
        (code(one.encode_name), in_words(one.type, linked), _default(one), _meaning(one.type))
        for one in kind.fields
        if wanted is None or one.encode_name in wanted
    ]
    return table(("field", "what it is", "default", "meaning"), rows)


def in_words(kind: inspect.Type, linked: Collection[str] = ()) -> str:
    """Return what a type allows; a struct that is described on the page is named, with a link."""
    inner = bare(kind)
    match inner:
        case inspect.StructType(cls=cls):
            return f"[{cls.__name__}](#{anchor(cls.__name__)})" if cls.__name__ in linked else _object(inner)
        case inspect.UnionType(types=types):
            if types and all(isinstance(one, inspect.StructType) and one.tag for one in types):
                return "an event, told apart by its `verb`" if linked else listed([in_words(one) for one in types])
            return listed(word for one in types for word in _alternatives(one, linked))
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item) | inspect.CollectionType(item_type=item):
            return f"a list, each {in_words(item, linked)}"
        case inspect.DictType(key_type=_, value_type=value):
            return f"an object, each value {in_words(value, linked)}"
        case inspect.LiteralType():
            return listed(_alternatives(inner, linked))
        case inspect.AnyType():
            return "anything"
    return allowed(inner)


def _alternatives(kind: inspect.Type, linked: Collection[str]) -> list[str]:
    """Return what a type allows as parts of a list: null, each word of a choice, or all of it as one."""
    inner = bare(kind)
    match inner:
        case inspect.NoneType():
            return ["null"]
        case inspect.LiteralType(values=values):
            return [code(msgspec.json.encode(value).decode()) for value in values]
    return [in_words(inner, linked)]


def _meaning(kind: inspect.Type) -> str:
    """Return the description that a field carries, or one of its alternatives."""
    inner = bare(kind)
    within = inner.types if isinstance(inner, inspect.UnionType) else ()
    return meaning(kind) or next(filter(None, map(meaning, within)), "")


def anchor(name: str) -> str:
    """Return the anchor of a struct."""
    return f"struct-{name.lower()}"


def about(struct: type) -> str:
    """Return what a struct is, by its docstring."""
    return plain(struct.__doc__)


def _object(kind: inspect.StructType) -> str:
    parts = listed((f"{code(one.encode_name)} ({in_words(one.type)})" for one in kind.fields), "and")
    return f"an object: {parts}" if parts else "an empty object"


def _default(one: inspect.Field) -> str:
    if one.required:
        return ""
    if one.default_factory is not msgspec.NODEFAULT:
        return code(msgspec.json.encode(one.default_factory()).decode())
    if one.default in (msgspec.UNSET, msgspec.NODEFAULT):
        return "left out"
    return code(msgspec.json.encode(one.default).decode())
