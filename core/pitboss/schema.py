"""JSON Schema (draft 2020-12) of the protocol, of records and events, and of the structs of each game.

The schemas are made from the structs: descriptions of fields are in their `Meta`, those of structs in their docstrings.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias, get_args

import msgspec

from pitboss.game import AnyGame, has_positions
from pitboss.protocol.messages import PROTOCOL_VERSION, FromBot, FromRunner
from pitboss.records.record import RECORD_FORMAT, Record
from pitboss.table.events import AnyEvent

Schema: TypeAlias = dict[str, Any]

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"

_ONE_OF_CHOOSE_OR_ACTION: Final[list[Schema]] = [  # what the decoder cannot say: `choose` or `action`, and not both
    {"required": ["choose"], "properties": {"choose": {"type": "integer"}}, "not": {"required": ["action"]}},
    {"required": ["action"], "properties": {"choose": {"type": "null"}}},
]


def protocol_schema() -> Schema:
    """Return the schema of one line of the protocol, in either direction."""
    said: dict[str, list[Any]] = {"FromRunner": list(get_args(FromRunner)), "FromBot": list(get_args(FromBot))}
    kinds = [kind for side in said.values() for kind in side]
    refs, parts = _build_components(kinds)
    for side, what in (("FromRunner", "What the runner says to a bot."), ("FromBot", "What a bot says to the runner.")):
        parts[side] = {"title": side, "description": what, "oneOf": [refs[kind] for kind in said[side]]}
    parts["Act"]["oneOf"] = _ONE_OF_CHOOSE_OR_ACTION
    about = "One line: UTF-8, one JSON object. A bot ignores fields that it does not know; the runner refuses them."
    return _build_document(
        f"Pitboss protocol {PROTOCOL_VERSION}", about, parts, oneOf=[{"$ref": f"#/$defs/{side}"} for side in said]
    )


def record_schema() -> Schema:
    """Return the schema of a game record."""
    refs, parts = _build_components([Record])
    return _build_document(
        f"Pitboss game record, format {RECORD_FORMAT}", "One finished game, one line of JSON.", parts, **refs[Record]
    )


def event_schema() -> Schema:
    """Return the schema of one event of a game's log."""
    kinds = list(get_args(AnyEvent))
    refs, parts = _build_components(kinds)
    about = "Something that happened at the table, as one seat saw it: a face that it may not see is null."
    return _build_document("Pitboss event", about, parts, oneOf=[refs[kind] for kind in kinds])


def game_schema(game: AnyGame) -> Schema:
    """Return the schema of a game: an object with its options, an action, a view and, if it has them, a position."""
    structs = {"options": game.Options, "action": game.Action, "view": game.View}
    if has_positions(game):
        structs["position"] = game.Position
    refs, parts = _build_components(list(structs.values()))
    about = f"Each property is what {game.title} writes for it; to check one, refer to `#/properties/view` and so on."
    properties = {what: refs[struct] for what, struct in structs.items()}
    return _build_document(f"{game.title}, version {game.version}", about, parts, type="object", properties=properties)


def _build_components(types: list[Any]) -> tuple[dict[Any, Schema], dict[str, Schema]]:
    refs, parts = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    return dict(zip(types, refs, strict=True)), dict(parts)


def _build_document(title: str, description: str, definitions: dict[str, Schema], **what: object) -> Schema:
    document = {"$schema": DRAFT, "title": title, "description": description, **what, "$defs": definitions}
    plain: Schema = msgspec.json.decode(msgspec.json.encode(document))  # tuples among the defaults become lists
    return plain
