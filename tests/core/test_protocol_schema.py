"""JSON Schema: real messages, records and views are valid, refused messages are not; all fields are described."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from pitboss import Random
from pitboss.errors import ProtocolError
from pitboss.game import resolve_options
from pitboss.protocol.connection import RunnerConnection
from pitboss.records.record import dumps
from pitboss.schema import DRAFT, Schema, event_schema, game_schema, protocol_schema, record_schema
from pitboss_magpie.magpie import Magpie
from tests.core.sample_messages import DECIDE, FROM_BOT, FROM_RUNNER, bring_to_phase
from tests.core.test_record import sample_record
from tests.plugins import load_registry

GAME: Final = Magpie()
ALL: Final = {
    "protocol": protocol_schema(),
    "record": record_schema(),
    "event": event_schema(),
    **{name: game_schema(game) for name, game in load_registry().games.items()},
}


@cache
def make_validator(what: str, part: str = "") -> Draft202012Validator:
    """Return a validator of a schema, or of a part of it by name or path."""
    schema: Schema = ALL[what]
    return Draft202012Validator({**schema, "$ref": part} if part.startswith("#") else schema)


def to_json_value(value: object) -> Any:  # noqa: ANN401 - JSON
    """Return a value as it is read from JSON."""
    return json.loads(msgspec.json.encode(value))


@pytest.mark.parametrize("what", ALL)
def test_it_is_a_schema(what: str) -> None:
    """Each document is a schema, valid in the draft that it names, and plain JSON."""
    Draft202012Validator.check_schema(ALL[what])

    assert ALL[what]["$schema"] == DRAFT
    assert json.loads(json.dumps(ALL[what])) == ALL[what]
    assert ALL[what]["title"]


@pytest.mark.parametrize("message", [*FROM_RUNNER, *FROM_BOT], ids=lambda message: type(message).__name__)
def test_every_message(message: object) -> None:
    """One message of each kind is valid, and in one direction only."""
    sides = [f"#/$defs/{side}" for side in ("FromRunner", "FromBot")]
    assert make_validator("protocol").is_valid(to_json_value(message))

    schema: Schema = {**ALL["protocol"]}
    del schema["oneOf"]
    valid = [Draft202012Validator({**schema, "$ref": side}).is_valid(to_json_value(message)) for side in sides]

    assert valid == [message in FROM_RUNNER, message in FROM_BOT]


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"type": "act"},
        {"type": "act", "id": 7},
        {"type": "act", "id": 7, "choose": 0},
        {"type": "act", "id": 7, "choose": None},
        {"type": "act", "id": 7, "choose": -1},
        {"type": "act", "id": 7, "choose": 0, "action": {}},
        {"type": "act", "id": 7, "choose": None, "action": {}},
        {"type": "act", "id": 7, "action": None},
        {"type": "act", "id": 7, "choose": 0, "note": "n" * 501},
        {"type": "act", "id": "7", "choose": 0},
        {"type": "act", "id": 7, "choose": True},
        {"type": "act", "id": 7, "chose": 0},
        {"type": "ready", "want": "all"},
        {"type": "ready", "want": "events", "name": "a", "version": "1"},
        {"type": "ready", "mood": "good"},
        {"type": "hello"},
    ],
    ids=str,
)
def test_the_schema_and_the_wire_agree(answer: dict[str, object]) -> None:
    """The schema allows a bot to say exactly what the runner understands."""
    try:
        bring_to_phase(RunnerConnection(), "greeting" if answer.get("type") == "ready" else "asking").receive(
            json.dumps(answer).encode() + b"\n"
        )
    except ProtocolError:
        understood = False
    else:
        understood = True

    assert make_validator("protocol").is_valid(answer) == understood


def test_every_event() -> None:
    """One event of each kind is valid, and a misspelt one is not."""
    for event in DECIDE.events:
        assert make_validator("event").is_valid(to_json_value(event))
    assert not make_validator("event").is_valid({**to_json_value(DECIDE.events[1]), "verb": "moved"})
    assert len({type(event) for event in DECIDE.events}) == len(ALL["event"]["oneOf"])


def test_a_real_record() -> None:
    """A game of Magpie, as it is written, is valid; without its outcome it is not."""
    record = json.loads(dumps(sample_record()))
    assert make_validator("record").is_valid(record)

    del record["outcome"]
    assert not make_validator("record").is_valid(record)


def test_a_real_game() -> None:
    """Options, actions, views and positions of a played game are valid against its schema, for every seat."""
    for seats in GAME.seats:
        options = resolve_options(GAME, seats, "graves", {"turns": 20})
        state, rng = GAME.deal(seats, options, Random("schema")), Random("choices")
        assert make_validator("magpie", "#/properties/options").is_valid(to_json_value(options))
        while state.turn is not None:
            assert make_validator("magpie", "#/properties/position").is_valid(to_json_value(state.position()))
            for seat in range(seats + 1):
                assert make_validator("magpie", "#/properties/view").is_valid(to_json_value(state.view(seat)))
            for action in state.legal():
                assert make_validator("magpie", "#/properties/action").is_valid(to_json_value(action))
            state.play(rng.choice(state.legal()))


@pytest.mark.parametrize(
    ("what", "wrong"),
    [
        ("options", {"turn": 1}),
        ("options", {"turns": 0}),
        ("action", {"do": "lay"}),
        ("action", {"do": "lay", "place": 7}),
        ("action", {"do": "knock"}),
        ("view", {}),
        ("position", {"phase": "deal"}),
    ],
)
def test_what_is_not_of_the_game(what: str, wrong: object) -> None:
    """A value that is not of the game is not valid."""
    assert not make_validator("magpie", f"#/properties/{what}").is_valid(wrong)


@pytest.mark.parametrize("what", ["protocol", "record", "event"])
def test_every_struct_has_a_meaning(what: str) -> None:
    """Each part of the framework's own schemas has a description: its docstring, in a sentence."""
    for name, part in ALL[what]["$defs"].items():
        assert part.get("description", "").endswith((".", ")")), name


def test_meanings_come_from_the_structs() -> None:
    """A field's description is the one in its `Meta`."""
    act = ALL["protocol"]["$defs"]["Act"]

    assert act["description"].startswith("The bot's answer to `decide`: an index into `legal`, or the action itself.\n")
    assert "An index into `legal`, from 0." in json.dumps(act["properties"]["choose"])
    assert ALL["magpie"]["$defs"]["MagpieOptions"]["properties"]["turns"]["description"] == "Turns of each player."
