"""Chat completions: the request that a server gets, and what its answer says. No I/O."""

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


class ChatReply(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a server has answered."""

    text: str = ""
    finish: str = "stop"  # as the server calls it
    refusal: str = ""
    tokens_in: int = 0
    tokens_out: int = 0


class ChatFormatError(Exception):
    """The server has answered something that is no chat completion."""


class _AnswerMessage(Struct):
    content: str | None = None
    refusal: str | None = None


class _ChatOption(Struct):
    message: _AnswerMessage
    finish_reason: str | None = None


class _Usage(Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Completion(Struct):
    choices: list[_ChatOption]
    usage: _Usage | None = None


def make_body(
    model: str, request: ChatRequest, schema: dict[str, Any] | None, limit_name: str = "max_tokens"
) -> dict[str, Any]:
    """Return the body of a request; with a schema the server is asked to keep to it."""
    body: dict[str, Any] = {
        "model": model,
        "messages": msgspec.to_builtins(request.messages),
        limit_name: request.max_output,
    }
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if schema is not None:
        named = {"name": "choice", "strict": True, "schema": schema}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    return body


def read_reply(body: bytes, request: ChatRequest) -> ChatReply:
    """Return what the body of an answer says; tokens that it does not count are estimated.

    Raises:
        ChatFormatError: it is no chat completion.
    """
    try:
        said = msgspec.json.decode(body, type=_Completion)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ChatFormatError(f"its answer is no chat completion: {error}") from None
    if not said.choices:
        raise ChatFormatError("its answer has no choices")
    first = said.choices[0]
    text = first.message.content or ""
    usage = said.usage or _Usage(prompt_tokens=estimate_tokens(request), completion_tokens=len(text) // 4)
    filtered = "the server's filter has cut the answer off" if first.finish_reason == "content_filter" else ""
    return ChatReply(
        text=text,
        finish=first.finish_reason or "stop",
        refusal=first.message.refusal or filtered,
        tokens_in=max(0, usage.prompt_tokens),
        tokens_out=max(0, usage.completion_tokens),
    )


def estimate_tokens(request: ChatRequest) -> int:
    """Return about how many tokens a request has: one for four letters, and four for each message."""
    return sum(len(message.content) // 4 + 4 for message in request.messages)


def digest_request(model: str, request: ChatRequest) -> str:
    """Return a digest of what a model is asked: equal requests have the same."""
    return hashlib.blake2b(msgspec.json.encode((model, request)), digest_size=16).hexdigest()
