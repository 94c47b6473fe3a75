"""Chat completions as servers write them: what an answer says, the tokens it counts, and the words of errors. No I/O.

What Pitboss needs of an answer is read exactly: the text, why it ends, the tokens. Everything else may be of any shape
or missing. Where servers differ in how they write the same thing, each way that was found is read.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from pitboss.foreign_input import InputRefused, read_loose_json
from pitboss_tournament.models.chat import ChatReply, ChatRequest, estimate_text_tokens, estimate_tokens

LARGEST_USAGE: Final = 1 << 30  # tokens of a call
SHOWN_ERROR: Final = 300  # characters of what a server says
OVERFLOW: Final = "overflow"  # the finish of a request that its model's context does not hold

Complaint: TypeAlias = Literal["overflow", "limit", "temperature", "effort", "system", "generation", "other"]

_CUT_OFF: Final = frozenset({"length", "max_tokens", "max_output_tokens", "model_length", "token_limit", "truncated"})
_FILTERED: Final = frozenset(
    {"content_filter", "safety", "sensitive", "recitation", "blocklist", "prohibited_content", "spii", "refusal"}
)
_FAILED: Final = frozenset({"error", "network_error", "abort"})
_ENUM_PREFIX: Final = re.compile(r"^finish_?reason\.", re.I)
_NUMBER: Final = re.compile(r"\d{1,12}(?:\.0*)?")

_THOUGHT_TAG: Final = r"(?:\w{1,20}:)?(?:think|thinking|thought|reasoning)"
_THOUGHTS_BEGIN: Final = re.compile(rf"<({_THOUGHT_TAG})>")
_THOUGHTS_END: Final = re.compile(rf"</{_THOUGHT_TAG}>")

_COMPLAINTS: Final[tuple[tuple[Complaint, re.Pattern[str]], ...]] = (
    (
        "overflow",
        re.compile(
            r"context_length_exceeded|exceed_context_size|context[ _](?:length|window|size)|maximum context|"
            r"(?:prompt|input|request) is too long|input token count|reduce the length|max_model_len",
            re.I,
        ),
    ),
    ("limit", re.compile(r"max_completion_tokens")),
    ("temperature", re.compile(r"temperature", re.I)),
    ("effort", re.compile(r"reasoning[ _.]?effort|does not support (?:thinking|reasoning)", re.I)),
    (
        "system",
        re.compile(r"system[ _](?:role|message|prompt|instruction)|developer instruction|roles must alternate", re.I),
    ),
    ("generation", re.compile(r"json_validate_failed|failed to (?:generate|validate) json", re.I)),
)


class CountedTokens(NamedTuple):
    """Tokens that a server counts; None: it does not count these."""

    sent: int | None = None
    answered: int | None = None
    cached: int = 0  # of those that were sent
    thought: int = 0  # of those that were answered


class ChatFormatError(Exception):
    """The server has answered something that is no chat completion, or one that failed while it was written."""

    def __init__(self, message: str, counted: CountedTokens = CountedTokens()) -> None:  # noqa: B008 - it is frozen
        super().__init__(message)
        self.counted = counted


class ServerSaysError(Exception):
    """The server has answered with an error, whatever the status of the response."""

    def __init__(self, words: str, status: int | None) -> None:
        """`status`: an HTTP status that the answer names; None if it names none."""
        super().__init__(words)
        self.status = status


def read_reply(body: str, request: ChatRequest) -> ChatReply:
    """Return what the body of an answer says. Its tokens are the most that its usage, its total or an estimate says.

    Raises:
        ServerSaysError: it is an error.
        ChatFormatError: it is no chat completion.
    """
    try:
        said = _unwrap(read_loose_json(body))
    except InputRefused as refused:
        raise ChatFormatError(f"its answer is no chat completion: {refused}") from None
    if not isinstance(said, dict):
        raise ChatFormatError("its answer is no chat completion: it is no JSON object")
    choices = said.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    counted = _read_usage(said, first, estimate_tokens(request))
    if not isinstance(first, dict):
        if (error := _find_error(said)) is not None:
            raise ServerSaysError(_describe(error), _find_status(error))
        raise ChatFormatError("its answer has no choices", counted)
    finish = _read_finish(first)
    if (error := _find_error(first)) is not None or finish in _FAILED:
        raise ChatFormatError(f"the server broke its answer off: {_describe(error or finish)}", counted)
    message = next((one for key in ("message", "delta") if isinstance(one := first.get(key), dict)), None)
    if message is None and not isinstance(first.get("text"), str):
        raise ChatFormatError("its answer has no message", counted)
    text, thoughts = _split_thoughts(*_read_content({"content": first["text"]} if message is None else message))
    filtered = "the server's filter has cut the answer off" if finish == "content_filter" else ""
    said_refusal = message.get("refusal") if message else None
    return count_reply(
        ChatReply(
            text=text,
            reasoning=thoughts,
            finish=finish,
            refusal=said_refusal if isinstance(said_refusal, str) and said_refusal else filtered,
        ),
        counted,
        request,
    )


def count_reply(reply: ChatReply, counted: CountedTokens, request: ChatRequest) -> ChatReply:
    """Return an answer with its tokens: what was counted, and no less than an estimate of the texts."""
    estimate = estimate_text_tokens(reply.text) + estimate_text_tokens(reply.reasoning)
    return msgspec.structs.replace(
        reply,
        tokens_in=(tokens_in := max(counted.sent or 0, estimate_tokens(request))),
        tokens_out=(tokens_out := max(counted.answered or 0, estimate)),
        tokens_cached=min(counted.cached, tokens_in),
        tokens_reasoning=min(counted.thought, tokens_out),
    )


def describe_refusal(body: str) -> str:
    """Return the words of an error, from the body of a response; "nothing" if it is empty."""
    try:
        said = _unwrap(read_loose_json(body))
    except InputRefused:
        said = body
    if isinstance(said, dict) and (error := _find_error(said)) is not None:
        return _describe(error)
    return " ".join(body.split())[:SHOWN_ERROR] or "nothing"


def find_complaint(words: str) -> Complaint:
    """Return what a server complains of when it refuses a request, by its words."""
    return next((complaint for complaint, pattern in _COMPLAINTS if pattern.search(words)), "other")


def _unwrap(said: object) -> object:
    """Return the one value of a list of one: so some servers write errors."""
    return said[0] if isinstance(said, list) and len(said) == 1 else said


def _find_error(said: Mapping[str, Any]) -> object:
    """Return the error of an answer; None if there is none."""
    if error := said.get("error"):
        return error
    is_error = said.get("object") == "error" or (said.get("code") and "message" in said)
    return said if is_error else said.get("detail") or said.get("errors") or None


def _describe(error: object) -> str:
    """Return an error in the server's words, with those of the provider behind the server, and its code."""
    if not isinstance(error, dict):
        return _shorten(error if isinstance(error, str) else msgspec.json.encode(error).decode())
    inner, code = error.get("metadata"), error.get("code") or error.get("type")
    raw = inner.get("raw") if isinstance(inner, dict) else None
    words = [str(one) for one in (error.get("message"), raw) if one]
    if not words:
        return _shorten(msgspec.json.encode(error).decode())
    return _shorten(": ".join(words) + (f" ({code})" if code else ""))


def _find_status(error: object) -> int | None:
    """Return the HTTP status that an error names."""
    code = _read_count(error.get("code") or error.get("status")) if isinstance(error, dict) else None
    return code if code is not None and 400 <= code < 600 else None


def _shorten(text: str) -> str:
    return " ".join(text.split())[:SHOWN_ERROR]


def _read_finish(choice: Mapping[str, Any]) -> str:
    """Return why an answer ends: "length" if it was cut off, "content_filter", or as the server calls it."""
    said = choice.get("finish_reason")
    if said is None or said == "":
        return "stop"
    word = _ENUM_PREFIX.sub("", str(said.get("type", "") if isinstance(said, dict) else said)).lower()
    return "length" if word in _CUT_OFF else "content_filter" if word in _FILTERED else word


def _read_content(message: Mapping[str, Any]) -> tuple[str, str]:
    """Return the text of a message, and the thoughts that it keeps apart."""
    texts, thoughts = list[str](), list[str]()
    content = message.get("content")
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict) and "type" not in part and "text" not in part:
            texts.append(msgspec.json.encode(part).decode())  # the answer itself, as an object
        elif isinstance(part, dict) and part.get("type", "text") in ("text", "output_text"):
            texts += [inner for inner in [part.get("text")] if isinstance(inner, str)]
        elif isinstance(part, dict):
            thoughts += _list_texts(part)
    for key in ("reasoning_content", "reasoning", "thinking", "reasoning_details"):
        if found := list(_list_texts(message.get(key))):
            thoughts += found
            break  # some servers write the same thoughts under several names
    return "".join(texts), "".join(thoughts)


def _list_texts(value: object) -> Iterator[str]:
    """Yield the texts within thoughts, which may be a string, an object, or lists of them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _list_texts(one)
    elif isinstance(value, dict):
        for key in ("thinking", "text", "content", "summary"):
            yield from _list_texts(value.get(key))


def _split_thoughts(text: str, thoughts: str) -> tuple[str, str]:
    """Return an answer and its thoughts, without the thoughts that stand between tags in the answer.

    An answer that ends within its thoughts says nothing else. A tag that is closed and was never opened stands for
    thoughts from the beginning.
    """
    found, told, at = [thoughts] if thoughts else [], list[str](), 0
    while (opened := _THOUGHTS_BEGIN.search(text, at)) is not None:
        told.append(text[at : opened.start()])
        closing = f"</{opened[1]}>"
        end = text.find(closing, opened.end())
        at = len(text) if end < 0 else end + len(closing)
        found.append(text[opened.end() : len(text) if end < 0 else end])
    answer = "".join([*told, text[at:]])
    for closed in deque(_THOUGHTS_END.finditer(answer), maxlen=1):  # the last one
        found.append(answer[: closed.start()])
        answer = answer[closed.end() :]
    return answer, "\n".join(found)


def _read_usage(said: Mapping[str, Any], choice: object, estimate: int) -> CountedTokens:
    """Return the tokens that an answer counts, by any of the names that servers give them.

    `estimate`: of the tokens that were sent, where a server counts nothing but a total.

    An answer has at least those of the total that were not sent: some servers count thoughts there alone, and some
    beside the tokens of the answer.
    """
    inner = choice.get("usage") if isinstance(choice, dict) else None
    usage = next((one for one in (said.get("usage"), inner, said.get("usageMetadata")) if isinstance(one, dict)), {})
    sent = _find_count(usage, "prompt_tokens", "promptTokenCount", "prompt_eval_count")
    cached = _find_count(
        usage,
        *("prompt_tokens_details.cached_tokens", "input_tokens_details.cached_tokens"),
        *("prompt_cache_hit_tokens", "cache_read_input_tokens", "cachedContentTokenCount"),
    )
    if sent is None and (sent := _find_count(usage, "input_tokens")) is not None:
        apart = ("cache_read_input_tokens", "cache_creation_input_tokens")  # not among the `input_tokens`
        sent += sum(_find_count(usage, name) or 0 for name in apart)
    answered = _find_count(usage, "completion_tokens", "output_tokens", "candidatesTokenCount", "eval_count")
    thought = _find_count(
        usage,
        *("completion_tokens_details.reasoning_tokens", "output_tokens_details.reasoning_tokens"),
        *("reasoning_tokens", "thoughtsTokenCount"),
    )
    total = _find_count(usage, "total_tokens", "totalTokenCount")
    if thought is not None and thought > (answered or 0):
        answered = (answered or 0) + thought  # they were not among these
    if sent is None and total:
        sent = max(0, total - answered) if answered else min(total, estimate)
    if sent is not None and total is not None:
        answered = max(answered or 0, total - sent)
    return CountedTokens(sent, answered, cached or 0, thought or 0)


def _find_count(usage: Mapping[str, Any], *paths: str) -> int | None:
    """Return the largest number of tokens under these names; "a.b" is b within a."""
    found = list[int]()
    for path in paths:
        name, _, rest = path.partition(".")
        value = usage.get(name)
        if rest:
            value = value.get(rest) if isinstance(value, dict) else None
        if (count := _read_count(value)) is not None:
            found.append(count)
    return max(found, default=None)


def _read_count(value: object) -> int | None:
    """Return a number that may be written as 12, 12.0 or "12"; None if it is no number of tokens."""
    text = str(value).strip() if isinstance(value, int | float | str) and not isinstance(value, bool) else ""
    if _NUMBER.fullmatch(text) is None:
        return None
    count = int(text.partition(".")[0])
    return count if count <= LARGEST_USAGE else None
