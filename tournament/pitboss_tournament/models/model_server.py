"""The server of a model: one call at its HTTP API, made again where the connection or the server fails."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import monotonic
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import urlsplit

import httpx
import msgspec
import trio
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.models.chat import ChatMessage, ChatReply, ChatRequest
from pitboss_tournament.models.completion import (
    OVERFLOW,
    SHOWN_ERROR,
    ChatFormatError,
    CountedTokens,
    ServerSaysError,
    count_reply,
    describe_refusal,
    find_complaint,
    read_reply,
)
from pitboss_tournament.models.dialect import Dialect, Part, RequestForm
from pitboss_tournament.models.purse import CallCost
from pitboss_tournament.models.token_rate import TokenRates
from pitboss_tournament.plan.models import ModelTable

LARGEST_ANSWER: Final = 16 << 20  # bytes
FIRST_PAUSE_SECONDS: Final = 0.5  # doubled with each try
LONGEST_PAUSE_SECONDS: Final = 60.0
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
PROBE_OUTPUT: Final = 16  # tokens of the answer to a probe
PLAIN: Final = "identity"  # the only encoding of answers: a compressed one may be as large as it likes

_AGAIN: Final = (408, 409, 425, 429)  # and 5xx
_BAD_REQUEST: Final = (400, 413, 422)
_FAILS_AFTER_WORK: Final = (504, 524)  # of a gateway: the model behind it may have been at work, and be paid
_UNSENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError, httpx.UnsupportedProtocol)


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


class Payer(Protocol):
    """Who pays for the tries of a call."""

    async def begin_try(self, request: ChatRequest) -> None:
        """Return when a try can be paid, and is on record; never, if it cannot."""

    def end_try(self, reply: ChatReply | None) -> None:
        """End a try that may be paid, with the tokens that were counted; None: it costs nothing."""


class _Failure(Exception):
    """A try has failed; the next one may not."""

    def __init__(self, message: str, pause: float | None = None, paid: ChatReply | None = None) -> None:
        super().__init__(message)
        self.pause = pause  # that the server asks for, in seconds
        self.paid = paid  # what the try may cost; None: nothing


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
        self._dialects = defaultdict[str, Dialect](Dialect)  # by bot
        self.rates = TokenRates()
        self._client = httpx.AsyncClient(
            timeout=None,  # `fail_after` bounds the whole call
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=table.max_at_once),
            trust_env=urlsplit(table.url).hostname not in LOOPBACK,  # no proxy leads there
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    def price_most(self, bot: str, request: ChatRequest) -> CallCost:
        """Return what a try of a bot's request costs at most, by what the server has counted so far."""
        tokens_in, tokens_out = self.rates.estimate_most(bot, request)
        return CallCost(self.table.price_most(tokens_in, tokens_out), tokens_in + tokens_out)

    def price_reply(self, reply: ChatReply) -> CallCost:
        """Return what an answer costs."""
        usd = self.table.price(reply.tokens_in, reply.tokens_out, reply.tokens_cached, reply.tokens_reasoning)
        return CallCost(usd, reply.tokens_in + reply.tokens_out)

    async def ask(
        self,
        bot: str,
        request: ChatRequest,
        schema: dict[str, Any] | None,
        attempt: Attempt,
        payer: Payer,
        tries: int | None = None,
    ) -> ServerAnswer:
        """Return the model's answer to a bot; the server is asked to keep to the schema, if there is one and it can.

        `attempt` says, also of a call that is cancelled, whether the server may be at work on it. `tries`: instead of
        those of the table. The payer is asked before each try, and told what each has cost.

        Raises:
            ModelUnreachable: there is none.
        """
        tries = tries or self.table.tries
        async with self._limiter:
            for number in range(1, tries + 1):
                await payer.begin_try(request)
                attempt.begin()
                try:
                    reply = await self._try(bot, request, schema)
                    attempt.is_open = False
                    payer.end_try(reply)
                    if reply.tokens_in and request is not self.probe:
                        self.rates.learn(bot, request, reply)
                    self._is_failing = self.is_out = False
                    return ServerAnswer(reply, attempt.number, attempt.elapsed_ms)
                except _Failure as failure:
                    attempt.is_open = False
                    payer.end_try(failure.paid)
                    last = failure
                except _Refused as refused:
                    attempt.is_open = False
                    payer.end_try(None)
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

    async def _try(self, bot: str, request: ChatRequest, schema: dict[str, Any] | None) -> ChatReply:
        """Return the answer to a request, without the parts of it that the server refuses.

        Raises:
            _Failure, _Refused: there is none.
        """
        dialect, said = self._dialects[bot], dict[Part, str]()
        first = form = dialect.make_form(schema)
        while True:
            response, body = await self._post(bot, request, form)
            status, words = response.status_code, ""
            if response.is_success:
                try:
                    reply = self._hide_key_in(read_reply(body, request))
                    dialect.learn(first, form, request, said)
                    self._tell_news(bot, dialect)
                    return reply
                except ChatFormatError as error:
                    lost = self._count_lost(bot, request, error.counted)
                    raise _Failure(self._hide_key(str(error)), paid=lost) from None
                except ServerSaysError as error:
                    status, words = error.status or 500, str(error)
            words = self._hide_key(words or describe_refusal(body))
            complaint = find_complaint(words)
            is_bad_request = status in _BAD_REQUEST or (status >= 500 and complaint in ("overflow", "system"))
            simpler = form.simplify(words, request) if is_bad_request else None
            if simpler is None:
                break
            said |= dict.fromkeys(simpler.left_out - form.left_out, words)
            form = simpler
        text = f"the server answers {status}: {words}"
        if is_bad_request:
            return _refuse(text, is_too_long=complaint == "overflow")
        if status in _AGAIN or status >= 500:
            paid = self._count_lost(bot, request) if status in _FAILS_AFTER_WORK else None
            raise _Failure(text, read_pause(response), paid)
        raise _Refused(text)

    def _tell_news(self, bot: str, dialect: Dialect) -> None:
        for news in dialect.news:
            self._show_note(f"model {self.name!r}, asked by {bot}: {news}")
        dialect.news.clear()

    def _count_lost(
        self,
        bot: str,
        request: ChatRequest,
        counted: CountedTokens = CountedTokens(),  # noqa: B008 - it is frozen
    ) -> ChatReply:
        """Return the tokens of a try without an answer: those that were counted, or the most that there may be."""
        most_in, most_out = self.rates.estimate_most(bot, request)
        sent = most_in if counted.sent is None else counted.sent
        answered = most_out if counted.answered is None else counted.answered
        return count_reply(ChatReply(), counted._replace(sent=sent, answered=answered), request)

    async def _post(self, bot: str, request: ChatRequest, form: RequestForm) -> tuple[httpx.Response, str]:
        headers = {"Content-Type": "application/json", "Accept-Encoding": PLAIN}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        content, sent = bytearray(), msgspec.json.encode(form.write(self.table.model, request))
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
            why, is_paid = f"there is no answer after {self.table.timeout_s:g} s", True
        except httpx.HTTPError as error:
            why, is_paid = f"{type(error).__name__}: {self._hide_key(str(error))}", not isinstance(error, _UNSENT)
        else:
            if encoding != PLAIN:
                why, is_paid = f"its answer is encoded as {encoding[:SHOWN_ERROR]!r}; asked for was {PLAIN!r}", True
            elif len(content) > LARGEST_ANSWER:
                why, is_paid = f"its answer has more than {LARGEST_ANSWER:,} bytes", True
            else:
                return response, self._hide_key(content.decode("utf-8", "replace"))
        raise _Failure(why, paid=self._count_lost(bot, request) if is_paid else None) from None

    def _hide_key_in(self, reply: ChatReply) -> ChatReply:
        """Return an answer without the key: one that JSON had escaped is in the text only now."""
        text, reasoning, refusal = (self._hide_key(one) for one in (reply.text, reply.reasoning, reply.refusal))
        return replace(reply, text=text, reasoning=reasoning, refusal=refusal)

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


def _refuse(words: str, *, is_too_long: bool) -> ChatReply:
    return ChatReply(refusal=words, finish=OVERFLOW if is_too_long else "stop")


def read_pause(response: httpx.Response) -> float | None:
    """Return the pause that a server asks for, in seconds from now: it may say a moment instead, by its own clock."""
    said = response.headers.get("retry-after", "")
    try:
        return max(0.0, float(said))
    except ValueError:
        pass
    try:
        now = parsedate_to_datetime(response.headers.get("date", ""))
    except (ValueError, TypeError):
        now = datetime.now(UTC)
    try:
        return max(0.0, (parsedate_to_datetime(said) - now).total_seconds())
    except (ValueError, TypeError):
        return None
