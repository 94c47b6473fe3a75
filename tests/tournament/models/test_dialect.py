"""Servers that refuse a part of a request: they are asked without it, this is told, and the part is tried again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
import trio
from msgspec.structs import replace

from pitboss_tournament.models.broker import ModelBroker
from pitboss_tournament.models.calls import CallRow, ModelCall
from pitboss_tournament.models.chat import ChatMessage
from pitboss_tournament.models.dialect import merge_system
from pitboss_tournament.models.fake_server import FakeAnswer, FakeModels
from pitboss_tournament.models.model_server import read_pause
from pitboss_tournament.store.model_calls import BrokenOffCalls
from tests.tournament.model_tournaments import KeptCalls, serve_models
from tests.tournament.models.test_model_broker import make_broker_plan, make_call, make_table

SYSTEM: Final = ChatMessage("system", "These are the rules.")
NO_SCHEMA: Final = "'response_format.type' : value is not one of the allowed values ['text']"
NO_TEMPERATURE: Final = "Unsupported value: 'temperature' does not support 0.2 with this model"
TOO_LONG: Final = "This model's maximum context length is 8192 tokens"


class PickyModels(FakeModels):
    """Models that keep what they are asked, and refuse some of it."""

    def __init__(self, refuse: Callable[[int, dict[str, Any]], str]) -> None:
        """`refuse`: in which words, by the number of a request from 1 and its body; "" if it is answered."""
        super().__init__()
        self.bodies: list[dict[str, Any]] = []
        self._refuse = refuse

    def answer(self, body: dict[str, Any]) -> FakeAnswer:
        """Answer, or refuse."""
        self.bodies.append(body)
        words = self._refuse(len(self.bodies), body)
        return FakeAnswer(words, status=400) if words else super().answer(body)


def make_calls(number: int) -> list[ModelCall]:
    """Return calls with a system message and a temperature."""
    calls = [make_call("which?", decision=decision + 1) for decision in range(number)]
    ways: dict[str, Any] = {"temperature": 0.2, "effort": "low", "extra": {"top_p": 0.5, "model": "another"}}
    return [
        replace(call, request=replace(call.request, messages=[SYSTEM, *call.request.messages], **ways))
        for call in calls
    ]


def ask_picky(path: Path, fake: PickyModels, number: int) -> tuple[list[CallRow], list[str]]:
    """Return a number of calls in turn, and what is told."""
    book, notes = KeptCalls(), list[str]()

    async def ask() -> None:
        broker = ModelBroker(make_broker_plan(path, make_table(served.url)), BrokenOffCalls(()), book, {})
        broker.show_note = notes.append
        try:
            for call in make_calls(number):
                await broker.answer(call)
        finally:
            await broker.close()

    with serve_models(fake=fake) as served:
        trio.run(ask)
    return book.rows, notes


def test_ways_to_ask_are_fields_of_the_request(tmp_path: Path) -> None:
    """A request has the effort and the extra fields of a bot; no extra field replaces one that it has anyway."""
    fake = PickyModels(lambda number, body: "")
    [row], _ = ask_picky(tmp_path, fake, 1)

    [body] = fake.bodies
    assert (body["reasoning_effort"], body["top_p"], body["model"]) == ("low", 0.5, "random")
    assert (row.request.effort, row.request.extra["top_p"]) == ("low", 0.5)


def test_an_effort_that_is_refused_is_left_out(tmp_path: Path) -> None:
    """A server that knows no effort is asked without it, and that is told."""
    words = "Unrecognized request argument supplied: reasoning_effort"
    fake = PickyModels(lambda number, body: words if "reasoning_effort" in body else "")
    rows, notes = ask_picky(tmp_path, fake, 2)

    assert [row.verdict.outcome for row in rows] == ["chosen"] * 2
    assert all("response_format" in body for body in fake.bodies)
    assert notes == [f"model 'main', asked by ann: it refuses a reasoning effort: its own is used. It says: {words}"]


def test_a_schema_that_failed_once_is_used_again(tmp_path: Path) -> None:
    """A server that failed to keep to the schema once is asked without it, for that answer alone."""
    fake = PickyModels(lambda number, body: "Failed to generate JSON (json_validate_failed)" if number == 2 else "")
    rows, notes = ask_picky(tmp_path, fake, 4)

    assert [row.verdict.outcome for row in rows] == ["chosen"] * 4
    assert ["response_format" in body for body in fake.bodies] == [True, True, False, True, True]
    assert notes == []


def test_a_schema_that_is_refused_is_tried_again_ever_more_seldom(tmp_path: Path) -> None:
    """A server that refuses schemas is asked without, which is told once; after 0, 1, 2 and 4 more calls it is asked
    with a schema again.
    """
    fake = PickyModels(lambda number, body: NO_SCHEMA if "response_format" in body else "")
    rows, notes = ask_picky(tmp_path, fake, 12)

    assert {row.verdict.outcome for row in rows} == {"chosen"}
    refused = [number for number, body in enumerate(fake.bodies) if "response_format" in body]
    assert refused == [0, 2, 5, 9, 15]
    assert len(notes) == 1 and notes[0].startswith("model 'main', asked by ann: it refuses a response format")
    assert NO_SCHEMA in notes[0]


def test_a_temperature_that_is_refused(tmp_path: Path) -> None:
    """A model that takes no temperature is asked without, with the schema, and this is told."""
    fake = PickyModels(lambda number, body: NO_TEMPERATURE if "temperature" in body else "")
    rows, notes = ask_picky(tmp_path, fake, 1)

    assert [row.verdict.outcome for row in rows] == ["chosen"]
    assert [("temperature" in body, "response_format" in body) for body in fake.bodies] == [(True, True), (False, True)]
    assert ["its own is used" in note for note in notes] == [True]


@pytest.mark.parametrize("words", ["System role not supported", "Developer instruction is not enabled for models/m"])
def test_a_system_message_that_is_refused(tmp_path: Path, words: str) -> None:
    """A model that takes no system message gets it at the head of the first question, and this is told."""
    fake = PickyModels(lambda number, body: words if body["messages"][0]["role"] == "system" else "")
    rows, notes = ask_picky(tmp_path, fake, 1)

    assert [row.verdict.outcome for row in rows] == ["chosen"]
    assert fake.bodies[-1]["messages"] == [{"role": "user", "content": "These are the rules.\n\nwhich?"}]
    assert rows[0].request.messages[0] == SYSTEM and ["a system message" in note for note in notes] == [True]


def test_a_request_that_is_too_long_is_named(tmp_path: Path) -> None:
    """A request that the context of its model does not hold is sent once, and the bot is told why."""
    fake = PickyModels(lambda number, body: TOO_LONG)
    rows, _ = ask_picky(tmp_path, fake, 1)

    assert len(fake.bodies) == 1
    assert rows[0].verdict.outcome == "too_long" and TOO_LONG in rows[0].verdict.reason
    assert rows[0].usd == 0


def test_other_bad_requests_are_refusals(tmp_path: Path) -> None:
    """A request that is refused in every form is a refusal, in the server's words."""
    rows, notes = ask_picky(tmp_path, PickyModels(lambda number, body: "invalid model settings"), 1)

    assert (rows[0].verdict.outcome, rows[0].verdict.reason) == (
        "refused",
        "the server answers 400: invalid model settings",
    )
    assert notes == []


def test_system_messages_are_merged() -> None:
    """A request without a question of the user begins with one, of the system's words."""
    answered = ChatMessage("assistant", "…")

    assert merge_system([SYSTEM, answered]) == [ChatMessage("user", SYSTEM.content), answered]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "Wed, 21 Oct 2037 07:28:30 GMT", "date": "Wed, 21 Oct 2037 07:28:00 GMT"}, 30.0),
        ({"retry-after": "Wed, 21 Oct 2037 07:28:00 GMT", "date": "Wed, 21 Oct 2037 07:28:30 GMT"}, 0.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 -0000", "date": "yesterday"}, None),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_the_pause_that_a_server_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    """A pause is given in seconds, or as a moment by the server's clock."""
    assert read_pause(httpx.Response(429, headers=headers)) == seconds
