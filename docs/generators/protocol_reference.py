"""The protocol reference: each message and its fields, from the structs, with examples of a real game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, get_args

import msgspec
from docs.generators import example_game
from docs.generators.markdown import anchor_heading, block, join_parts
from docs.generators.type_text import anchor, describe_struct, render_fields

from pitboss import AnyGame
from pitboss.protocol import connection
from pitboss.protocol.faults import Fault
from pitboss.protocol.messages import PROTOCOL_VERSION, Clock, FromBot, FromRunner, TimeLeft
from pitboss.table.events import AnyEvent

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
    heading = anchor_heading(anchor(kind.__name__), f"### {tag}")
    fields = render_fields(kind, struct_names()) if kind.__struct_fields__ else "It has no fields beside `type`."
    example = block(wrap_json(example_game.find_example(said, tag)), "json")
    return join_parts([heading, describe_struct(kind), fields, example]).strip()


def _render_part(kind: Any) -> str:  # noqa: ANN401 - a struct
    heading = anchor_heading(anchor(kind.__name__), f"### {kind.__name__}")
    return join_parts([heading, describe_struct(kind), render_fields(kind, struct_names())]).strip()


def _render_event(kind: Any, events: dict[str, AnyEvent]) -> str:  # noqa: ANN401 - a struct
    verb = kind.__struct_config__.tag
    shown = block(wrap_json(msgspec.json.encode(events[verb]).decode()), "json") if verb in events else ""
    return join_parts([f"### {verb}", describe_struct(kind), render_fields(kind), shown]).strip()
