"""What servers with the API of chat completions answer, each in its own way: bodies, and what Pitboss reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from pitboss_tournament.models.broker import judge_reply
from pitboss_tournament.models.chat import ChatMessage, ChatRequest
from pitboss_tournament.models.completion import (
    LARGEST_USAGE,
    ChatFormatError,
    CountedTokens,
    ServerSaysError,
    find_complaint,
    read_reply,
)
from tests.tournament.models.test_model_broker import make_call

TABLES: Final[dict[str, dict[str, Any]]] = msgspec.toml.decode(Path(__file__).with_suffix(".toml").read_bytes())
PROVIDERS: Final = TABLES["providers"]
ANSWERS: Final = [name for name, row in PROVIDERS.items() if "error" not in row]
ERRORS: Final = [name for name, row in PROVIDERS.items() if "error" in row]
REQUEST: Final = ChatRequest(messages=[ChatMessage("user", "which?")], max_output=100)


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_of_a_provider(name: str) -> None:
    """An answer is read whatever stands beside what is needed; its tokens are the most that any count of it says."""
    row = PROVIDERS[name]

    reply = read_reply(row["body"], REQUEST)
    verdict = judge_reply(reply, make_call("which?"))

    assert (verdict.outcome, verdict.choose) == (row.get("outcome", "chosen"), row.get("chosen"))
    assert reply.reasoning == row.get("reasoning", "")
    assert [reply.tokens_in, reply.tokens_out, reply.tokens_cached, reply.tokens_reasoning] == row["tokens"]
    msgspec.json.encode(reply)  # a store can keep it


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_of_a_provider(name: str) -> None:
    """An error is told in the server's words, with the status in them; what a broken answer counts is known."""
    row = PROVIDERS[name]

    with pytest.raises((ServerSaysError, ChatFormatError)) as caught:
        read_reply(row["body"], REQUEST)

    error = caught.value
    assert str(error).startswith(row["error"])
    if isinstance(error, ChatFormatError):
        assert error.counted == CountedTokens(*row.get("lost", ())) and "status" not in row
    else:
        assert isinstance(error, ServerSaysError) and error.status == row.get("status") and "lost" not in row


@pytest.mark.parametrize(("words", "complaint"), TABLES["complaints"].items())
def test_what_a_server_complains_of(words: str, complaint: str) -> None:
    """The words in which servers refuse a request say what to ask it without."""
    assert find_complaint(words) == complaint


def test_an_answer_of_many_tags_is_read_in_no_time() -> None:
    """An answer of a million tags is read at once, however few of them are closed."""
    for tags in ("<think>" * 500_000, "</think>" * 500_000, "<a:think>x</think>" * 200_000):
        body = msgspec.json.encode({"choices": [{"message": {"content": tags}}]}).decode()

        assert read_reply(body, REQUEST).text == ""


def test_a_server_cannot_count_a_fortune() -> None:
    """Tokens beyond what a call can have are no count: an estimate stands in their place."""
    body = '{"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": %d, "completion_tokens": %d}}'

    assert read_reply(body % (LARGEST_USAGE, 7), REQUEST).tokens_in == LARGEST_USAGE
    assert read_reply(body % (LARGEST_USAGE + 1, 7), REQUEST).tokens_in == 5
