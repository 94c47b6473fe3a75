"""The calls of models in a store: one row each, compressed.

A call that may cost money has a row before it is sent, `interrupted`, with the most that it may cost. The row is
replaced when the call has ended.

Long messages, such as the rules of a game, are kept once each in `model_texts`, by their digest. The tables are made
with the first call; an earlier Pitboss ignores them.
"""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss_tournament.models.calls import CallPlace, CallRow, Spending
from pitboss_tournament.models.chat import ChatMessage, ChatReply, ChatRequest
from pitboss_tournament.models.choice import ASK_OUTCOMES, UNANSWERED, AskOutcome, Verdict
from pitboss_tournament.processes.logs import compress_text, decompress_text
from pitboss_tournament.store.database import StoreError
from pitboss_tournament.store.schema import MODEL_TABLES
from pitboss_tournament.store.store_file import StoreFile

LATEST_CALLS: Final = 20  # of a bot, from which is learned how its server counts tokens
LONG_CHARACTERS: Final = 400  # of a message that is kept by its digest

IS_CALL: Final = "outcome not in ('own', 'budget', 'recalled')"  # a condition for rows
IS_ANSWERED: Final = "outcome not in ('transport', 'interrupted')"
_UNCHANGED: Final = "seat, decision, ask, digest, model, at, tries, ms, tokens_in, tokens_out, usd, outcome, content"
_COLUMNS: Final = "game, seat, decision, ask, digest, bot, model, at, tries, ms, usd, content"


class _Content(Struct, frozen=True, array_like=True):
    """The part of a call that is compressed; in place of a long message its digest."""

    request: ChatRequest
    long: tuple[int, ...]  # the messages in whose place there is a digest
    reply: ChatReply
    verdict: Verdict


class CallChange(NamedTuple):
    """A row to write, and the open call whose row it replaces."""

    row: CallRow | None  # None: the call was not made
    number: int = 0  # of the call in its run; 0: it was never open
    is_open: bool = False


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


class StoredCalls:
    """The calls of models in a store."""

    def __init__(self, file: StoreFile) -> None:
        self._file = file
        self._open: dict[int, int] = {}  # rows of open calls, by their numbers in the run

    def has_any(self) -> bool:
        """Return whether models were asked in this tournament."""
        return self._file.has_table("model_calls")

    def add(self, rows: Iterable[CallRow]) -> None:
        """Write calls; durable on return."""
        self.change(map(CallChange, rows))

    def change(self, changes: Iterable[CallChange]) -> None:
        """Write calls, in place of what was written of them while they were open; durable on return."""
        with self._file.writing():
            self._create_tables()
            db = self._file.db
            for change in changes:
                if (opened := self._open.pop(change.number, None)) is not None:
                    db.execute("delete from model_calls where rowid = ?", (opened,))
                if change.row is not None:
                    row_id = _write_call(db, change.row)
                    if change.is_open:
                        self._open[change.number] = row_id

    def copy_from(self, other: StoredCalls, games: Mapping[int, int], bots: Mapping[str, str], free: int) -> int:
        """Copy all calls of another store, of games and bots by their numbers and names here; durable on return.

        Games that are not among them, as they were broken off, get numbers from `free` on; the next free one is
        returned.

        Raises:
            StoreError: a bot was asked that does not take part there.
        """
        if not other.has_any():
            return free
        select, db = other._file.select, self._file.db
        for (bot,) in select("select distinct bot from model_calls order by bot"):
            if bot not in bots:
                what = f"has calls of a language model by {bot!r}, which does not take part"
                raise StoreError(f"{other._file.path} {what}")
        numbers = dict(games)
        for (game,) in select("select distinct game from model_calls order by game"):
            if game not in numbers:
                numbers[game], free = free, free + 1
        with self._file.writing():
            self._create_tables()
            db.executemany(
                "insert or ignore into model_texts values (?, ?)", select("select digest, content from model_texts")
            )
            columns = f"game, bot, {_UNCHANGED}"
            rows = select(f"select {columns} from model_calls order by rowid")
            db.executemany(
                f"insert into model_calls ({columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                ((numbers[game], bots[bot], *rest) for game, bot, *rest in rows),
            )
        return free

    def find_damaged(self) -> Iterator[tuple[CallPlace, str, str]]:
        """Yield each call by its place and bot, and why it cannot be read; "" if it can."""
        if not self.has_any():
            return
        rows = self._file.select("select game, seat, decision, ask, bot, content from model_calls order by rowid")
        for *place, bot, content in rows:
            try:
                kept = msgspec.json.decode(decompress_text(content), type=_Content)
                lost = [digest for digest in _list_digests(kept) if _find_long(self._file.db, digest) is None]
                error = f"a message is gone ({lost[0]})" if lost else ""
            except (zlib.error, msgspec.MsgspecError, UnicodeDecodeError, IndexError) as found:
                error = str(found)
            yield CallPlace(*place), bot, error

    def read_game(self, game: int) -> list[CallRow]:
        """Return the calls in a game, those of each decision in the order of asking.

        Of a game that was restarted, only the last calls count.
        """
        found = {row.place: row for row in self._read("game = ?", game)}
        return [found[place] for place in sorted(found)]

    def find_call(self, place: CallPlace, digest: str) -> CallRow | None:
        """Return the answered call at a place by the digest of its request; None if there is none."""
        where = f"game = ? and seat = ? and decision = ? and ask = ? and digest = ? and {IS_ANSWERED}"
        return next(iter(self._read(where, *place, digest)), None)

    def read_broken_off(self) -> BrokenOffCalls:
        """Return the calls of games that are not stored, from which they are carried on."""
        return BrokenOffCalls(self._read("game not in (select id from games)"))

    def read_reusable(self, models: Iterable[str]) -> list[CallRow]:
        """Return the answered calls of models of these names."""
        where = f"model = ? and outcome not in ('failed', 'noted') and {IS_CALL} and {IS_ANSWERED}"
        return [row for model in models for row in self._read(where, model)]

    def read_latest(self, bots: Iterable[str]) -> list[CallRow]:
        """Return the latest answered calls of each of these bots."""
        where = f"bot = ? and {IS_ANSWERED} and outcome != 'failed' and tokens_in > 0"
        return [row for bot in bots for row in self._read(f"{where} order by rowid desc limit {LATEST_CALLS}", bot)]

    def find_notes(self, bot: str) -> str:
        """Return the answer in which the model of a bot has written its latest notes; "" if it has written none."""
        rows = self._read("bot = ? and outcome = 'noted' order by rowid desc limit 1", bot)
        return rows[0].reply.text if rows else ""

    def sum_spending(self) -> dict[str, Spending]:
        """Return what the calls of each bot have cost, by its name in records."""
        if not self.has_any():
            return {}
        rows = self._file.select(
            "select bot, count(*), sum(tokens_in), sum(tokens_out), sum(usd), sum(ms) / 1000.0 from model_calls "
            f"where {IS_CALL} group by bot"
        )
        return {bot: Spending(*sums) for bot, *sums in rows}

    def count_outcomes(self) -> dict[str, dict[AskOutcome, int]]:
        """Return how often the asks of each bot came to what, by its name in records."""
        found: dict[str, dict[AskOutcome, int]] = {}
        if self.has_any():
            rows = self._file.select("select bot, outcome, count(*) from model_calls group by bot, outcome")
            for bot, outcome, number in rows:
                if outcome in ASK_OUTCOMES:
                    found.setdefault(bot, dict.fromkeys(ASK_OUTCOMES, 0))[outcome] = number
        return found

    def _create_tables(self) -> None:
        for statement in MODEL_TABLES:
            self._file.db.execute(statement)

    def _read(self, where: str, *values: object) -> list[CallRow]:
        """Return the calls that a condition holds for, in the order in which they ended if it does not order them."""
        if not self.has_any():
            return []
        order = "" if " order by " in where else " order by rowid"
        rows = self._file.select(f"select {_COLUMNS} from model_calls where {where}{order}", *values)
        with self._file.reading():
            return [_unpack_call(self._file.db, row) for row in rows]


def _write_call(db: sqlite3.Connection, row: CallRow) -> int:
    """Write a call; return the number of its row."""
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
    written = db.execute(
        "insert into model_calls values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(*row.place, row.digest, row.bot, row.model, row.at, row.tries, row.ms),
            *(row.reply.tokens_in, row.reply.tokens_out, row.usd, row.verdict.outcome),
            compress_text(msgspec.json.encode(content)),
        ),
    )
    assert written.lastrowid is not None
    return written.lastrowid


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
