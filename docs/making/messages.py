"""The protocol reference: every message and every field of it, from the structs, with an example of each from a real game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, get_args

import msgspec
from docs.making import talk
from docs.making.kinds import about, anchor, fields
from docs.making.markdown import anchored, block, code, joined

from pitboss import AnyGame, conversation
from pitboss.events import AnyEvent
from pitboss.wire import PROTOCOL, Clock, Fault, FromBot, FromRunner, TimeLeft

WIDTH: Final = 110
PARTS: Final = (Clock, TimeLeft, Fault)


def page(games: Sequence[AnyGame]) -> str:
    """Return the page."""
    said = talk.lines([game.name for game in games if 2 in game.seats])
    events = talk.events(games)
    return joined(
        [
            f"# Protocol reference\n\nProtocol {PROTOCOL}, message by message. How a game goes is told in [the wire](../protocol.md); "
            "`pitboss schema protocol` prints the same as JSON Schema. The examples are from a real game, written in several lines here and in one on the wire. "
            "What may be left out the runner always says.",
            _when(),
            "## What the runner says",
            *(_message(kind, said) for kind in get_args(FromRunner)),
            "## What the bot says",
            *(_message(kind, said) for kind in get_args(FromBot)),
            "## Parts of messages",
            *(_part(kind) for kind in PARTS),
            "## Events\n\nAn event is something that happened at the table, as the bot's seat saw it. "
            "Each verb of the table makes one kind; its examples are from random games.",
            *(_event(kind, events) for kind in get_args(AnyEvent)),
        ]
    )


def names() -> list[str]:
    """Return the names of all structs that the page describes."""
    return [kind.__name__ for kind in (*get_args(FromRunner), *get_args(FromBot), *PARTS)]


def spread(text: str) -> str:
    """Return JSON in as many lines as make it readable: what fits in a line stays in one."""
    return "\n".join(_spread(json.loads(text), 0, ""))


def _spread(value: object, indent: int, before: str) -> list[str]:
    line = f"{' ' * indent}{before}{json.dumps(value, ensure_ascii=False)}"
    if len(line) <= WIDTH or not isinstance(value, dict | list) or not value:
        return [line]
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    lines = [f"{' ' * indent}{before}{opening}"]
    inner: list[tuple[str, Any]] = (
        [(f"{json.dumps(key)}: ", one) for key, one in value.items()] if isinstance(value, dict) else [("", one) for one in value]
    )
    for place, (name, one) in enumerate(inner):
        part = _spread(one, indent + 2, name)
        part[-1] += "," if place < len(inner) - 1 else ""
        lines += part
    return [*lines, f"{' ' * indent}{closing}"]


def _when() -> str:
    """Return who may say what when, as the module of the conversation has it."""
    _, *paragraphs = (conversation.__doc__ or "").strip().split("\n\n")
    listings = [paragraph for paragraph in paragraphs if "----" in paragraph]
    return joined(["## Who may say what, when", *(block(listing, "text") for listing in listings)]).strip()


def _message(kind: Any, said: Sequence[str]) -> str:  # noqa: ANN401 - a struct
    tag = kind.__struct_config__.tag
    return joined(
        [
            anchored(anchor(kind.__name__), f"### {tag}"),
            about(kind),
            fields(kind, names()) if kind.__struct_fields__ else f"It has no fields beside {code('type')}.",
            block(spread(talk.example(said, tag)), "json"),
        ]
    ).strip()


def _part(kind: Any) -> str:  # noqa: ANN401 - a struct
    return joined([anchored(anchor(kind.__name__), f"### {kind.__name__}"), about(kind), fields(kind, names())]).strip()


def _event(kind: Any, events: dict[str, AnyEvent]) -> str:  # noqa: ANN401 - a struct
    verb = kind.__struct_config__.tag
    shown = block(spread(msgspec.json.encode(events[verb]).decode()), "json") if verb in events else ""
    return joined([f"### {verb}", about(kind), fields(kind), shown]).strip()
