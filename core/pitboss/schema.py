"""JSON Schema (draft 2020-12) of all that is written or sent: the protocol, records, events, and each game's own structs.

Made from the structs: field descriptions come from their `Meta`, those of messages and structs from their docstrings.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias, get_args

import msgspec

from pitboss.events import AnyEvent
from pitboss.game import AnyGame
from pitboss.record import FORMAT, Record
from pitboss.wire import PROTOCOL, FromBot, FromRunner

Schema: TypeAlias = dict[str, Any]

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"

_ONE_ANSWER: Final[list[Schema]] = [  # what the decoder cannot say: `choose` or `action`, and not both
    {"required": ["choose"], "properties": {"choose": {"type": "integer"}}, "not": {"required": ["action"]}},
    {"required": ["action"], "properties": {"choose": {"type": "null"}}},
]


def protocol_schema() -> Schema:
    """Return the schema of one line of the wire, in either direction."""
    said: dict[str, list[Any]] = {"FromRunner": _kinds(FromRunner), "FromBot": _kinds(FromBot)}
    kinds = [kind for side in said.values() for kind in side]
    refs, parts = _components(kinds)
    for side, what in (("FromRunner", "What the runner says to a bot."), ("FromBot", "What a bot says to the runner.")):
        parts[side] = {"title": side, "description": what, "oneOf": [refs[kind] for kind in said[side]]}
    parts["Act"]["oneOf"] = _ONE_ANSWER
    about = "One line: UTF-8, one JSON object. A bot ignores fields that it does not know; the runner refuses them."
    return _document(f"Pitboss protocol {PROTOCOL}", about, parts, oneOf=[{"$ref": f"#/$defs/{side}"} for side in said])


def record_schema() -> Schema:
    """Return the schema of a game record."""
    refs, parts = _components([Record])
    return _document(f"Pitboss game record, format {FORMAT}", "One finished game, one line of JSON.", parts, **refs[Record])


def event_schema() -> Schema:
    """Return the schema of one event of a game's log."""
    kinds = _kinds(AnyEvent)
    refs, parts = _components(kinds)
    about = "Something that happened at the table, as one seat saw it: a face that it may not see is null."
    return _document("Pitboss event", about, parts, oneOf=[refs[kind] for kind in kinds])


def game_schema(game: AnyGame) -> Schema:
    """Return the schema of what belongs to one game: an object with its options, an action, a view and a position."""
    structs = {"options": game.Options, "action": game.Action, "view": game.View, "position": game.Position}
    refs, parts = _components(list(structs.values()))
    about = f"Each property is what {game.title} writes for it; to check one, refer to `#/properties/view` and so on."
    properties = {what: refs[struct] for what, struct in structs.items()}
    return _document(f"{game.title}, version {game.version}", about, parts, type="object", properties=properties)


def _kinds(union: Any) -> list[Any]:  # noqa: ANN401 - a union has no type of its own
    return list(get_args(union))


def _components(kinds: list[Any]) -> tuple[dict[Any, Schema], dict[str, Schema]]:
    refs, parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    return dict(zip(kinds, refs, strict=True)), dict(parts)


def _document(title: str, about: str, parts: dict[str, Schema], **what: object) -> Schema:
    return {"$schema": DRAFT, "title": title, "description": about, **what, "$defs": parts}
