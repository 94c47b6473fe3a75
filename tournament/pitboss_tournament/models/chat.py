"""Chat completions: the request that a server gets, and what its answer says. No I/O."""

from __future__ import annotations

import hashlib
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from pitboss.foreign_input import InputRefused, read_json

LARGEST_USAGE: Final = 1 << 30  # tokens of a call


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


class _Part(Struct):
    text: str = ""  # none of one that holds thoughts


class _AnswerMessage(Struct):
    content: str | list[_Part] | None = None
    refusal: str | None = None


class _ChatOption(Struct):
    message: _AnswerMessage
    finish_reason: str | None = None


class _Completion(Struct):
    choices: list[_ChatOption]
    usage: Any = None  # a server that counts wrong has answered all the same


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
    """Return what the body of an answer says; tokens that it does not count, or not as can be, are estimated.

    Raises:
        ChatFormatError: it is no chat completion.
    """
    try:
        said = read_json(body, _Completion)
    except InputRefused as refused:
        raise ChatFormatError(f"its answer is no chat completion: {refused}") from None
    if not said.choices:
        raise ChatFormatError("its answer has no choices")
    first = said.choices[0]
    content = first.message.content or ""
    text = content if isinstance(content, str) else "".join(part.text for part in content)
    tokens_in, tokens_out = _read_usage(said.usage)
    filtered = "the server's filter has cut the answer off" if first.finish_reason == "content_filter" else ""
    return ChatReply(
        text=text,
        finish=first.finish_reason or "stop",
        refusal=first.message.refusal or filtered,
        tokens_in=estimate_tokens(request) if tokens_in is None else tokens_in,
        tokens_out=len(text) // 4 if tokens_out is None else tokens_out,
    )


def _read_usage(usage: object) -> tuple[int | None, int | None]:
    """Return the tokens that a server counts, of the request and of the answer; None where it counts none.

    An answer has at least those of the total that are not the request's: some servers count thoughts there alone.
    """
    said = usage if isinstance(usage, dict) else {}
    sent, answered, total = (
        value if type(value := said.get(name)) is int and 0 <= value <= LARGEST_USAGE else None
        for name in ("prompt_tokens", "completion_tokens", "total_tokens")
    )
    if sent is not None and total is not None and total > sent:
        answered = max(answered or 0, total - sent)
    return sent, answered


def estimate_tokens(request: ChatRequest) -> int:
    """Return about how many tokens a request has: one for four letters, and four for each message."""
    return sum(estimate_text_tokens(message.content) + 4 for message in request.messages)


def estimate_text_tokens(text: str) -> int:
    """Return about how many tokens a text has: one for four letters."""
    return len(text) // 4


def digest_request(model: str, request: ChatRequest) -> str:
    """Return a digest of what a model is asked: equal requests have the same."""
    return hashlib.blake2b(msgspec.json.encode((model, request)), digest_size=16).hexdigest()
