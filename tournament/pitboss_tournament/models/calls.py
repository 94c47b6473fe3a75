"""Calls of models as values: what a bot asks at a decision, the answer, and what is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from msgspec import Struct

from pitboss.action_range import RangedEntry
from pitboss_tournament.models.chat import ChatReply, ChatRequest
from pitboss_tournament.models.choice import Verdict

AskKind: TypeAlias = Literal["choice", "recall", "notes"]  # what to play; what was noted; what is to be noted


class CallPlace(NamedTuple):
    """Where a call belongs to."""

    game_id: int
    seat: int
    decision: int  # of the seat in the game, from 1; 0: before the first, of the memory of its model
    ask: int  # of the decision, from 1


class ModelCall(Struct, frozen=True, tag="call", kw_only=True):
    """A bot's question to its model. The legal actions of the decision are plain data."""

    number: int  # of the call, in its worker
    bot: str
    place: CallPlace
    request: ChatRequest
    kind: AskKind = "choice"
    legal: Sequence[Any]
    ranges: list[RangedEntry]


class OwnChoice(Struct, frozen=True, tag="own", kw_only=True):
    """A decision that a bot took without its model, or against it."""

    bot: str
    place: CallPlace  # `ask` is 0
    action: Any  # plain data


class ModelAnswer(Struct, frozen=True, tag="answer", kw_only=True):
    """What has become of a call. One of the four is there."""

    number: int  # of the call
    verdict: Verdict | None = None
    text: str = ""  # of the answer
    fault: str = ""  # why it has failed, by the bot's fault
    void: str = ""  # why the model cannot be reached, so that the game is void
    spent: str = ""  # why the bot gets no more answers in this game


class CallRow(Struct, frozen=True, kw_only=True):
    """A call as it is kept."""

    place: CallPlace
    digest: str  # of the request
    bot: str
    model: str  # NAME of [models.NAME]
    at: str  # when it was answered, in UTC
    tries: int
    ms: int
    usd: float
    request: ChatRequest
    reply: ChatReply
    verdict: Verdict


class CallBook(Protocol):
    """Where calls are kept: what may cost money before it is asked."""

    def open_call(self, number: int, row: CallRow) -> None:
        """Keep what an open call may cost at most, in place of what was kept of it before; `number` is its own."""

    def settle_call(self, number: int, row: CallRow | None) -> None:
        """Keep what has become of an open call; None: it was not made."""

    def add_call(self, row: CallRow) -> None:
        """Keep a call that costs nothing."""

    async def write_calls(self) -> None:
        """Return when everything that was kept is on the disk."""


class Spending(Struct):
    """What calls have cost."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float = 0.0
    seconds: float = 0.0

    @property
    def tokens(self) -> int:
        """Tokens of requests and answers."""
        return self.tokens_in + self.tokens_out

    def add(self, row: CallRow) -> None:
        """Add a call."""
        self.calls += 1
        self.tokens_in += row.reply.tokens_in
        self.tokens_out += row.reply.tokens_out
        self.usd += row.usd
        self.seconds += row.ms / 1000

    def __str__(self) -> str:
        """Say it: "12 calls, 3,400 tokens, $0.0021"."""
        calls = f"{self.calls:,} call{'s' * (self.calls != 1)}"
        return f"{calls}, {self.tokens:,} tokens, ${self.usd:,.4f}"
