"""Chat completions as values: what a bot asks, the request that a server gets, and what it has answered. No I/O."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import msgspec
from msgspec import Struct


class ChatMessage(Struct, frozen=True):
    """A message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    content: str


class ChatRequest(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a bot asks its model."""

    messages: list[ChatMessage]
    max_output: int
    temperature: float | None = None
    effort: str | None = None  # how much it is to think
    extra: dict[str, Any] = {}  # other fields, as the server calls them


class ChatReply(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a server has answered."""

    text: str = ""  # without thoughts
    reasoning: str = ""  # the thoughts, if the server tells them
    finish: str = "stop"  # "length": it was cut off; or as the server calls it
    refusal: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0  # of `tokens_in`
    tokens_reasoning: int = 0  # of `tokens_out`


def make_body(
    model: str, request: ChatRequest, schema: dict[str, Any] | None, limit_name: str = "max_tokens"
) -> dict[str, Any]:
    """Return the body of a request; with a schema the server is asked to keep to it."""
    body: dict[str, Any] = {
        **request.extra,
        "model": model,
        "messages": msgspec.to_builtins(request.messages),
        limit_name: request.max_output,
    }
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if request.effort is not None:
        body["reasoning_effort"] = request.effort
    if schema is not None:
        named = {"name": "choice", "strict": True, "schema": schema}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    return body


def estimate_tokens(request: ChatRequest) -> int:
    """Return about how many tokens a request has: one for four letters, and four for each message."""
    extra = estimate_text_tokens(msgspec.json.encode(request.extra).decode()) if request.extra else 0
    return sum(estimate_text_tokens(message.content) + 4 for message in request.messages) + extra


def estimate_text_tokens(text: str) -> int:
    """Return about how many tokens a text has: one for four letters."""
    return len(text) // 4


def digest_request(model: str, request: ChatRequest) -> str:
    """Return a digest of what a model is asked: equal requests have the same."""
    return hashlib.blake2b(msgspec.json.encode((model, request)), digest_size=16).hexdigest()
