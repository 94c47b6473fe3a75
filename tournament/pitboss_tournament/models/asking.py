"""A call that is being made: what its tries have cost so far, and what the open one may cost at most.

Before a try is sent, the book has on the disk what the call costs at most with it: so whatever ends the run, no request
is paid that no budget knows of.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from msgspec.structs import replace

from pitboss_tournament.models.calls import CallBook, CallRow, ModelCall
from pitboss_tournament.models.chat import ChatReply, ChatRequest
from pitboss_tournament.models.choice import Verdict
from pitboss_tournament.models.funds import Funds
from pitboss_tournament.models.model_server import Attempt, ModelServer, ServerAnswer
from pitboss_tournament.models.purse import CallCost, Purse

UNANSWERED_CALL: Final = Verdict(
    "interrupted", "it was asked, and no answer is on record; what it cost is what it may have cost at most"
)
_NO_TOKENS: Final = ChatReply()


class Asking:
    """A call of a bot: it pays for each try, and each probe, of the server."""

    def __init__(
        self,
        number: int,
        call: ModelCall,
        server: ModelServer,
        digest: str,
        funds: Funds,
        game_purse: Purse,
        book: CallBook,
    ) -> None:
        """Begin with no try; `number` is that of the call in its run."""
        self.number, self.call, self.server = number, call, server
        self._digest, self._funds, self._book = digest, funds, book
        self._purses = (*funds.list_purses(call.bot), game_purse)
        self._attempt = Attempt()
        self._counted = _NO_TOKENS  # of all tries that have ended
        self._most: CallCost | None = None  # of the open try
        self._open: CallRow | None = None  # what the book has

    @property
    def tries(self) -> int:
        """How many requests were sent."""
        return self._attempt.number

    async def ask(self, request: ChatRequest, schema: dict[str, Any] | None, tries: int | None = None) -> ServerAnswer:
        """Return the server's answer to a request.

        Raises:
            ModelUnreachable: there is none.
        """
        return await self.server.ask(self.call.bot, request, schema, self._attempt, self, tries)

    async def begin_try(self, request: ChatRequest) -> None:
        """Return when a try can be paid, and is on record; never, if it cannot."""
        bot, counted = self.call.bot, self._counted
        self._most = await self._funds.set_aside(self.server, bot, request, self._purses)
        tokens_in, tokens_out = self.server.rates.estimate_most(bot, request)
        reply = ChatReply(tokens_in=counted.tokens_in + tokens_in, tokens_out=counted.tokens_out + tokens_out)
        usd = self._most.usd + self.server.price_reply(counted).usd
        self._open = self._make_row(reply, usd, self.tries + 1, 0, UNANSWERED_CALL)
        self._book.open_call(self.number, self._open)
        await self._book.write_calls()

    def end_try(self, reply: ChatReply | None) -> None:
        """End a try that may be paid, with the tokens that were counted; None: it costs nothing."""
        if reply is not None:
            self._counted = _add_tokens(self._counted, reply)
        self._settle(CallCost(0.0, 0) if reply is None else self.server.price_reply(reply))

    def break_off(self) -> CallRow | None:
        """End the call without an answer, and return what is kept of it.

        What a server may be at work on counts with the most that it may cost. None: no try may be paid.
        """
        row: CallRow | None = None
        if self._attempt.is_open and self._open is not None and self._most is not None:
            row = replace(self._open, ms=self._attempt.elapsed_ms)
            self._settle(self._most)
        elif self._most is not None:  # it was not sent
            self._settle(CallCost(0.0, 0))
        if row is None and self._counted != _NO_TOKENS:
            row = self.make_row(_NO_TOKENS, 0, UNANSWERED_CALL)
        if self._open is not None:
            self._book.settle_call(self.number, row)
        return row

    def make_row(self, reply: ChatReply, ms: int, verdict: Verdict) -> CallRow:
        """Return the call as it is kept: its tokens are those of all its tries and probes."""
        said = replace(reply, tokens_in=0, tokens_out=0, tokens_cached=0, tokens_reasoning=0)
        counted = _add_tokens(said, self._counted)
        return self._make_row(counted, self.server.price_reply(counted).usd, self.tries, ms, verdict)

    def _make_row(self, reply: ChatReply, usd: float, tries: int, ms: int, verdict: Verdict) -> CallRow:
        return CallRow(
            place=self.call.place,
            digest=self._digest,
            bot=self.call.bot,
            model=self.server.name,
            at=read_clock(),
            tries=tries,
            ms=ms,
            usd=usd,
            request=self.call.request,
            reply=reply,
            verdict=verdict,
        )

    def _settle(self, cost: CallCost) -> None:
        assert self._most is not None
        self._funds.settle(self.server, self._purses, self._most, cost)
        self._most = None


def read_clock() -> str:
    """Return the time in UTC, as calls are kept with it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _add_tokens(one: ChatReply, other: ChatReply) -> ChatReply:
    """Return the first answer with the tokens of both."""
    return replace(
        one,
        tokens_in=one.tokens_in + other.tokens_in,
        tokens_out=one.tokens_out + other.tokens_out,
        tokens_cached=one.tokens_cached + other.tokens_cached,
        tokens_reasoning=one.tokens_reasoning + other.tokens_reasoning,
    )
