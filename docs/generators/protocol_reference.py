"""The protocol reference: each message and its fields, from the structs, with examples of a real game."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any, Final, get_args

import msgspec
from docs.generators import example_game
from docs.generators.markdown import anchor_heading, block, code, join_docstring_lines, join_parts, table
from msgspec import inspect

from pitboss import AnyGame
from pitboss.options import strip_metadata
from pitboss.protocol import connection
from pitboss.protocol.faults import Fault
from pitboss.protocol.messages import PROTOCOL_VERSION, Clock, FromBot, FromRunner, TimeLeft
from pitboss.table.events import AnyEvent
from pitboss.text import join_words
from pitboss_tournament.text.schema_text import allowed_text, description_text

WIDTH: Final = 110
PART_TYPES: Final = (Clock, TimeLeft, Fault)


def render_page(games: Sequence[AnyGame]) -> str:
    """Return the page."""
    said = example_game.play_and_log([game.name for game in games if 2 in game.seats])
    events = example_game.collect_events(games)
    return join_parts(
        [
            f"# Protocol reference\n\nProtocol {PROTOCOL_VERSION}, message by message. "
            "How a game goes is told in [the wire](../protocol.md); "
            "`pitboss schema protocol` prints the same as JSON Schema. The examples are from a real game, "
            "written in several lines here and in one on the wire. "
            "What may be left out the runner always says.",
            _render_state_table(),
            "## What the runner says",
            *(_render_message(kind, said) for kind in get_args(FromRunner)),
            "## What the bot says",
            *(_render_message(kind, said) for kind in get_args(FromBot)),
            "## Parts of messages",
            *(_render_part(kind) for kind in PART_TYPES),
            "## Events\n\nAn event is something that happened at the table, as the bot's seat saw it. "
            "Each verb of the table makes one kind; its examples are from random games.",
            *(_render_event(kind, events) for kind in get_args(AnyEvent)),
        ]
    )


def struct_names() -> list[str]:
    """Return the names of the structs that the page describes."""
    return [kind.__name__ for kind in (*get_args(FromRunner), *get_args(FromBot), *PART_TYPES)]


def wrap_json(text: str) -> str:
    """Wrap JSON: what fits in a line stays in one."""
    return "\n".join(_wrap_json_lines(json.loads(text), 0, ""))


def _wrap_json_lines(value: object, indent: int, before: str) -> list[str]:
    line = f"{' ' * indent}{before}{json.dumps(value, ensure_ascii=False)}"
    if len(line) <= WIDTH or not isinstance(value, dict | list) or not value:
        return [line]
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    lines = [f"{' ' * indent}{before}{opening}"]
    inner: list[tuple[str, Any]] = (
        [(f"{json.dumps(key)}: ", one) for key, one in value.items()]
        if isinstance(value, dict)
        else [("", one) for one in value]
    )
    for place, (name, one) in enumerate(inner):
        part = _wrap_json_lines(one, indent + 2, name)
        part[-1] += "," if place < len(inner) - 1 else ""
        lines += part
    return [*lines, f"{' ' * indent}{closing}"]


def _render_state_table() -> str:
    """Return the table of the messages allowed in each state, from the docstring of `connection`."""
    _, *paragraphs = (connection.__doc__ or "").strip().split("\n\n")
    listings = [paragraph for paragraph in paragraphs if "----" in paragraph]
    return join_parts(["## Who may say what, when", *(block(listing, "text") for listing in listings)]).strip()


def _render_message(kind: Any, said: Sequence[str]) -> str:  # noqa: ANN401 - a struct
    tag = kind.__struct_config__.tag
    heading = anchor_heading(struct_anchor(kind), f"### {tag}")
    fields = render_fields(kind, struct_names()) if kind.__struct_fields__ else "It has no fields beside `type`."
    example = block(wrap_json(example_game.find_example(said, tag)), "json")
    return join_parts([heading, join_docstring_lines(kind.__doc__), fields, example]).strip()


def _render_part(kind: Any) -> str:  # noqa: ANN401 - a struct
    heading = anchor_heading(struct_anchor(kind), f"### {kind.__name__}")
    return join_parts([heading, join_docstring_lines(kind.__doc__), render_fields(kind, struct_names())]).strip()


def _render_event(kind: Any, events: dict[str, AnyEvent]) -> str:  # noqa: ANN401 - a struct
    verb = kind.__struct_config__.tag
    shown = block(wrap_json(msgspec.json.encode(events[verb]).decode()), "json") if verb in events else ""
    return join_parts([f"### {verb}", join_docstring_lines(kind.__doc__), render_fields(kind), shown]).strip()


def struct_anchor(struct: type) -> str:
    """Return the anchor of a struct."""
    return f"struct-{struct.__name__.lower()}"


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
            return f"[{cls.__name__}](#{struct_anchor(cls)})" if cls.__name__ in linked else _describe_object(inner)
        case inspect.UnionType(types=types):
            if types and all(isinstance(one, inspect.StructType) and one.tag for one in types):
                return "an event, distinguished by its `verb`" if linked else join_words(map(describe_type, types))
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
