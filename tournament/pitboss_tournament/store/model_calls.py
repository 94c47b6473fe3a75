"""The calls of models in a store: one row each, written when the call has ended, compressed.

Long messages, such as the rules of a game, are kept once each in `model_texts`, by their digest. The tables are made
with the first call; an earlier Pitboss ignores them.
"""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss_tournament.models.calls import CallPlace, CallRow, Spending
from pitboss_tournament.models.chat import ChatMessage, ChatReply, ChatRequest
from pitboss_tournament.models.choice import ASK_OUTCOMES, UNANSWERED, AskOutcome, Verdict
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

IS_ANSWERED: Final = "outcome not in ('transport', 'interrupted')"  # a condition for rows
_UNCHANGED: Final = "seat, decision, ask, digest, model, at, tries, ms, tokens_in, tokens_out, usd, outcome, content"
_COLUMNS: Final = "game, seat, decision, ask, digest, bot, model, at, tries, ms, usd, content"


class _Content(Struct, frozen=True, array_like=True):
    """What is compressed of a call; in place of a long message the digest of it."""

    request: ChatRequest
    long: tuple[int, ...]  # the messages in whose place there is a digest
    reply: ChatReply
    verdict: Verdict


class BrokenOffCalls:
    """Calls in memory, by place and request. Those without an answer are made again."""

    def __init__(self, rows: Iterable[CallRow]) -> None:
        self._rows: dict[tuple[CallPlace, str], CallRow] = {}  # that were answered
        self._interrupted = defaultdict[tuple[CallPlace, str], list[CallRow]](list)
        for row in rows:
            if row.verdict.outcome not in UNANSWERED:
                self._rows[row.place, row.digest] = row
            elif row.verdict.outcome == "interrupted":
                self._interrupted[row.place, row.digest].append(row)

    def find_call(self, place: CallPlace, digest: str) -> CallRow | None:
        """Return the call that was made there with a request of this digest; None if there is none."""
        return self._rows.get((place, digest))

    def find_interrupted(self, place: CallPlace, digest: str) -> Sequence[CallRow]:
        """Return the calls with such a request that were open there when a run ended."""
        return self._interrupted.get((place, digest), ())


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


def copy_calls(
    db: sqlite3.Connection, source: sqlite3.Connection, games: Mapping[int, int], bots: Mapping[str, str], free: int
) -> int:
    """Copy all calls of another store, with the new numbers of games and names of bots. Must run in a transaction.

    Games that the other store has not, as they were broken off, get numbers from `free` on; the next free one is
    returned. Every bot that was asked must have a name.
    """
    for statement in MODEL_TABLES:
        db.execute(statement)
    numbers = dict(games)
    for (game,) in source.execute("select distinct game from model_calls order by game"):
        if game not in numbers:
            numbers[game], free = free, free + 1
    db.executemany(
        "insert or ignore into model_texts values (?, ?)", source.execute("select digest, content from model_texts")
    )
    rows = source.execute(f"select game, bot, {_UNCHANGED} from model_calls order by rowid")
    db.executemany(
        f"insert into model_calls (game, bot, {_UNCHANGED}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((numbers[game], bots[bot], *rest) for game, bot, *rest in rows),
    )
    return free


def list_asking(db: sqlite3.Connection) -> list[str]:
    """Return the names in records of all bots that have calls."""
    return [bot for (bot,) in db.execute("select distinct bot from model_calls order by bot")]


def find_damaged_calls(db: sqlite3.Connection) -> Iterator[tuple[CallPlace, str, str]]:
    """Yield each call by its place and bot, and why it cannot be read; "" if it can."""
    for *place, bot, content in db.execute(
        "select game, seat, decision, ask, bot, content from model_calls order by rowid"
    ):
        try:
            kept = msgspec.json.decode(decompress_text(content), type=_Content)
            lost = [digest for digest in _list_digests(kept) if _find_long(db, digest) is None]
            error = f"a message of it is gone ({lost[0]})" if lost else ""
        except (zlib.error, msgspec.MsgspecError, UnicodeDecodeError, IndexError) as found:
            error = str(found)
        yield CallPlace(*place), bot, error


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
    text = _find_long(db, message.content)
    return replace(message, content="[this message is lost]" if text is None else text)


def _list_digests(kept: _Content) -> list[str]:
    return [kept.request.messages[number].content for number in kept.long]


def _find_long(db: sqlite3.Connection, digest: str) -> str | None:
    found = db.execute("select content from model_texts where digest = ?", (digest,)).fetchone()
    return decompress_text(found[0]).decode() if found else None
