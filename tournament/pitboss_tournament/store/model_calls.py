"""The calls of models in a store: one row each, written when the call has ended, compressed.

Long messages, such as the rules of a game, are kept once each in `model_texts`, by their digest. The tables are made
with the first call; an earlier Pitboss ignores them.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss_tournament.models.calls import CallPlace, CallRow, Spending
from pitboss_tournament.models.chat import ChatMessage, ChatReply, ChatRequest
from pitboss_tournament.models.choice import ASK_OUTCOMES, AskOutcome, Verdict
from pitboss_tournament.processes.logs import compress_text, decompress_text

MODEL_TABLES: Final = (
    "create table if not exists model_calls (game integer not null, seat integer not null, decision integer not null, "
    "ask integer not null, digest text not null, bot text not null, model text not null, at text not null, tries "
    "integer not null, ms integer not null, tokens_in integer not null, tokens_out integer not null, usd real not "
    "null, outcome text not null, content blob not null) strict",
    "create index if not exists model_calls_of_games on model_calls (game)",
    "create table if not exists model_texts (digest text primary key, content blob not null) strict",
)
LONG_CHARACTERS: Final = 400  # of a message that is kept by its digest

_COLUMNS: Final = "game, seat, decision, ask, digest, bot, model, at, tries, ms, usd, content"


class _Content(Struct, frozen=True, array_like=True):
    """What is compressed of a call; in place of a long message the digest of it."""

    request: ChatRequest
    long: tuple[int, ...]  # the messages in whose place there is a digest
    reply: ChatReply
    verdict: Verdict


class BrokenOffCalls:
    """Calls in memory, by place and request."""

    def __init__(self, rows: Iterable[CallRow]) -> None:
        self._rows = {(row.place, row.digest): row for row in rows}

    def find_call(self, place: CallPlace, digest: str) -> CallRow | None:
        """Return the call that was made there with a request of this digest; None if there is none."""
        return self._rows.get((place, digest))


def add_calls(db: sqlite3.Connection, rows: Iterable[CallRow]) -> None:
    """Write calls. Must run in a transaction."""
    for statement in MODEL_TABLES:
        db.execute(statement)
    for row in rows:
        texts: dict[str, str] = {}
        messages, long = [], []
        for number, message in enumerate(row.request.messages):
            if len(message.content) < LONG_CHARACTERS:
                messages.append(message)
                continue
            digest = hashlib.blake2b(message.content.encode(), digest_size=16).hexdigest()
            texts[digest] = message.content
            messages.append(replace(message, content=digest))
            long.append(number)
        db.executemany(
            "insert or ignore into model_texts values (?, ?)",
            [(digest, compress_text(text.encode())) for digest, text in texts.items()],
        )
        content = _Content(replace(row.request, messages=messages), tuple(long), row.reply, row.verdict)
        db.execute(
            "insert into model_calls values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(*row.place, row.digest, row.bot, row.model, row.at, row.tries, row.ms),
                *(row.reply.tokens_in, row.reply.tokens_out, row.usd, row.verdict.outcome),
                compress_text(msgspec.json.encode(content)),
            ),
        )


def read_calls(db: sqlite3.Connection, where: str = "1", *values: object) -> Iterator[CallRow]:
    """Yield the calls that a condition holds for, in the order in which they ended.

    Raises:
        sqlite3.Error, zlib.error, msgspec.MsgspecError: one cannot be read.
    """
    for row in db.execute(f"select {_COLUMNS} from model_calls where {where} order by rowid", values):
        yield _unpack_call(db, row)


def sum_spending(db: sqlite3.Connection) -> dict[str, Spending]:
    """Return what the calls of each bot have cost, by its name in records."""
    rows = db.execute(
        "select bot, count(*), sum(tokens_in), sum(tokens_out), sum(usd), sum(ms) / 1000.0 from model_calls "
        "where outcome != 'own' group by bot"
    )
    return {bot: Spending(*sums) for bot, *sums in rows}


def count_ask_outcomes(db: sqlite3.Connection) -> dict[str, dict[AskOutcome, int]]:
    """Return how often the asks of each bot came to what, by its name in records."""
    found: dict[str, dict[AskOutcome, int]] = {}
    for bot, outcome, number in db.execute("select bot, outcome, count(*) from model_calls group by bot, outcome"):
        if outcome in ASK_OUTCOMES:
            found.setdefault(bot, dict.fromkeys(ASK_OUTCOMES, 0))[outcome] = number
    return found


def _unpack_call(db: sqlite3.Connection, row: tuple[Any, ...]) -> CallRow:
    *place, digest, bot, model, at, tries, ms, usd, content = row
    kept = msgspec.json.decode(decompress_text(content), type=_Content)
    messages = [
        _restore_long(db, message) if number in kept.long else message
        for number, message in enumerate(kept.request.messages)
    ]
    return CallRow(
        place=CallPlace(*place),
        digest=digest,
        bot=bot,
        model=model,
        at=at,
        tries=tries,
        ms=ms,
        usd=usd,
        request=replace(kept.request, messages=messages),
        reply=kept.reply,
        verdict=kept.verdict,
    )


def _restore_long(db: sqlite3.Connection, message: ChatMessage) -> ChatMessage:
    found = db.execute("select content from model_texts where digest = ?", (message.content,)).fetchone()
    text = decompress_text(found[0]).decode() if found else "[this message is lost]"
    return replace(message, content=text)
