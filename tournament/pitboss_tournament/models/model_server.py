"""The server of a model: one call at its HTTP API, made again where the connection or the server fails."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable
from time import monotonic
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import httpx
import msgspec
import trio

from pitboss.errors import ConfigError
from pitboss_tournament.models.chat import (
    ChatFormatError,
    ChatMessage,
    ChatReply,
    ChatRequest,
    estimate_tokens,
    make_body,
    read_reply,
)
from pitboss_tournament.models.purse import CallCost
from pitboss_tournament.plan.models import ModelTable

LARGEST_ANSWER: Final = 16 << 20  # bytes
FIRST_PAUSE_SECONDS: Final = 0.5  # doubled with each try
LONGEST_PAUSE_SECONDS: Final = 60.0
SHOWN_ERROR: Final = 300  # characters of what a server says
OLD_LIMIT_NAME: Final = "max_tokens"
NEW_LIMIT_NAME: Final = "max_completion_tokens"  # as newer models of OpenAI call the tokens of an answer
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
PROBE_OUTPUT: Final = 16  # tokens of the answer to a probe
PLAIN: Final = "identity"  # the only encoding of answers: a compressed one may be as large as it likes

_AGAIN: Final = (408, 409, 425, 429)  # and 5xx
_BAD_REQUEST: Final = (400, 413, 422)


class ModelUnreachable(Exception):
    """No answer is to be had: the connection or the server has failed too often, or the server lets nobody in."""

    def __init__(self, message: str, tries: int) -> None:
        super().__init__(message)
        self.tries = tries


class ServerAnswer(NamedTuple):
    """An answer, and the number of tries it took."""

    reply: ChatReply
    tries: int
    ms: int  # that the last one took


class _Failure(Exception):
    """A try has failed; the next one may not."""

    def __init__(self, message: str, pause: float | None = None) -> None:
        super().__init__(message)
        self.pause = pause  # that the server asks for, in seconds


class Attempt:
    """A try to get an answer: whether it is open, and since when."""

    def __init__(self) -> None:
        self.is_open = False
        self.number = 0  # of the tries so far
        self._began = 0.0

    def begin(self) -> None:
        """Begin a try."""
        self.is_open, self.number, self._began = True, self.number + 1, monotonic()

    @property
    def elapsed_ms(self) -> int:
        """The milliseconds since it began."""
        return round((monotonic() - self._began) * 1000)


class _Dialect:
    """What a server takes in the requests of one bot: what one of them is refused for tells nothing of the others."""

    def __init__(self) -> None:
        self.takes_schema = True
        self.limit_name = OLD_LIMIT_NAME


class ModelServer:
    """A server, with the key of the organiser. As many calls are open at a time as its table allows."""

    def __init__(self, name: str, table: ModelTable, show_note: Callable[[str], None]) -> None:
        """Raise ConfigError if the variable with the key is not set. `show_note`: of a failure, not of each."""
        self._show_note = show_note
        self._is_failing = False
        self.name = name
        self.table = table
        self._key = _read_key(name, table)
        self._url = f"{table.url.rstrip('/')}/chat/completions"
        self._limiter = trio.CapacityLimiter(table.max_at_once)
        self.is_out = False  # since a probe had no answer, nothing had one
        self.probe = ChatRequest(messages=[ChatMessage("user", table.probe)], max_output=PROBE_OUTPUT)
        self._dialects = defaultdict[str, _Dialect](_Dialect)  # by bot
        self._client = httpx.AsyncClient(
            timeout=None,  # `fail_after` bounds the whole call
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=table.max_at_once),
            trust_env=urlsplit(table.url).hostname not in LOOPBACK,  # no proxy leads there
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    def price_most(self, request: ChatRequest) -> CallCost:
        """Return what the answer to a request costs at most."""
        tokens_in = estimate_tokens(request)
        return CallCost(self.table.price(tokens_in, request.max_output), tokens_in + request.max_output)

    def price_reply(self, reply: ChatReply) -> CallCost:
        """Return what an answer costs."""
        return CallCost(self.table.price(reply.tokens_in, reply.tokens_out), reply.tokens_in + reply.tokens_out)

    async def ask(
        self, bot: str, request: ChatRequest, schema: dict[str, Any] | None, attempt: Attempt, tries: int | None = None
    ) -> ServerAnswer:
        """Return the model's answer to a bot; the server is asked to keep to the schema, if there is one and it can.

        `attempt` says, also of a call that is cancelled, whether the server may be at work on it. `tries`: instead of
        those of the table.

        Raises:
            ModelUnreachable: there is none.
        """
        tries = tries or self.table.tries
        async with self._limiter:
            for number in range(1, tries + 1):
                try:
                    attempt.begin()
                    reply = await self._try(self._dialects[bot], request, schema)
                    self._is_failing = self.is_out = False
                    return ServerAnswer(reply, attempt.number, attempt.elapsed_ms)
                except _Failure as failure:
                    attempt.is_open = False
                    last = failure
                except _Refused as refused:
                    attempt.is_open = False
                    raise ModelUnreachable(str(refused), attempt.number) from None
                if not self._is_failing and last.pause != 0:
                    self._show_note(f"model {self.name!r} is asked again, and games wait for it: {last}")
                    self._is_failing = True
                if number < tries:
                    pause = FIRST_PAUSE_SECONDS * 2 ** (number - 1) if last.pause is None else last.pause
                    await trio.sleep(min(pause, LONGEST_PAUSE_SECONDS))
        raise ModelUnreachable(str(last), attempt.number)

    def note_outage(self) -> bool:
        """Note that a probe had no answer; return whether it is the first one since something had an answer."""
        is_first, self.is_out = not self.is_out, True
        return is_first

    async def _try(self, dialect: _Dialect, request: ChatRequest, schema: dict[str, Any] | None) -> ChatReply:
        schema, limit_name = schema if dialect.takes_schema else None, dialect.limit_name
        response, content = await self._post(request, schema, limit_name)
        if response.status_code in _BAD_REQUEST and limit_name == OLD_LIMIT_NAME and NEW_LIMIT_NAME.encode() in content:
            limit_name = NEW_LIMIT_NAME
            response, content = await self._post(request, schema, limit_name)
        if response.status_code in _BAD_REQUEST and schema is not None:
            response, content = await self._post(request, None, limit_name)
            dialect.takes_schema = not response.is_success  # it was the schema, or it was not
        status = response.status_code
        if response.is_success:
            dialect.limit_name = limit_name
            try:
                return read_reply(content, request)
            except ChatFormatError as error:
                raise _Failure(str(error)) from None
        said = f"the server answers {status}: {self._describe_error(content)}"
        if status in _AGAIN or status >= 500:
            raise _Failure(said, _read_pause(response))
        if status in _BAD_REQUEST:
            return ChatReply(refusal=said)
        raise _Refused(said)

    async def _post(
        self, request: ChatRequest, schema: dict[str, Any] | None, limit_name: str
    ) -> tuple[httpx.Response, bytes]:
        body = make_body(self.table.model, request, schema, limit_name)
        headers = {"Content-Type": "application/json", "Accept-Encoding": PLAIN}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        content, sent = bytearray(), msgspec.json.encode(body)
        try:
            with trio.fail_after(self.table.timeout_s):
                async with self._client.stream("POST", self._url, content=sent, headers=headers) as response:
                    encoding = response.headers.get("content-encoding", PLAIN)
                    with trio.CancelScope() as reading:  # httpx leaves generators open if a loop ends early
                        async for part in response.aiter_raw():
                            content += part
                            if len(content) > LARGEST_ANSWER or encoding != PLAIN:
                                reading.cancel()
        except trio.TooSlowError:
            raise _Failure(f"there is no answer after {self.table.timeout_s:g} s") from None
        except httpx.HTTPError as error:
            raise _Failure(f"{type(error).__name__}: {self._hide_key(str(error))}") from None
        if encoding != PLAIN:
            raise _Failure(f"its answer is encoded as {encoding[:SHOWN_ERROR]!r}; asked for was {PLAIN!r}")
        if len(content) > LARGEST_ANSWER:
            raise _Failure(f"its answer has more than {LARGEST_ANSWER:,} bytes")
        return response, self._hide_key(content.decode("utf-8", "replace")).encode()

    @staticmethod
    def _describe_error(content: bytes) -> str:
        return " ".join(content.decode().split())[:SHOWN_ERROR] or "nothing"

    def _hide_key(self, text: str) -> str:
        return text.replace(self._key, "[key]") if self._key else text


class _Refused(Exception):
    """The server lets nobody in, or knows no such model."""


def _read_key(name: str, table: ModelTable) -> str:
    if table.key_env is None:
        return ""
    key = os.environ.get(table.key_env, "")
    if not key:
        raise ConfigError(f"models.{name}.key_env is {table.key_env!r}, and this environment variable is not set here")
    if not (key.isascii() and key.isprintable()):
        raise ConfigError(f"models.{name}.key_env: the key in {table.key_env} has characters that no header may have")
    return key


def _read_pause(response: httpx.Response) -> float | None:
    try:
        return max(0.0, float(response.headers["retry-after"]))
    except (KeyError, ValueError):
        return None
