"""Checks of a bot that takes many tables: all are answered, in any order, and what belongs to one stays there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import Final

import msgspec
from msgspec.structs import replace

from pitboss.errors import ProtocolError
from pitboss.protocol.connection import RunnerConnection
from pitboss.protocol.messages import FromRunner, Ready
from pitboss.testing.framework.check import CheckNote, NotApplicable, check
from pitboss.text import join_words
from pitboss_tournament.bot_checks.check_context import CheckContext, observe_once
from pitboss_tournament.bot_checks.families import robustness
from pitboss_tournament.bot_checks.raw_connection import format_bytes
from pitboss_tournament.bot_checks.scripted_table import LIMIT_FACTOR, ScriptedTable, decode_fields
from pitboss_tournament.rounds.schedule import draw_bot_seeds

OFFERED: Final = 64
MAX_TABLES_ASKED: Final = 8
ROUNDS: Final = 6
COMPARED: Final = 2  # tables whose choices are compared with those at one table after the other

_PLAYING = (robustness.plays_several_games,)


class ManyScriptedTables:
    """A bot that takes tables, at some of them at once; the other seats play at random."""

    def __init__(self, table: ScriptedTable) -> None:
        """Have the bot not greeted yet. `table`: an open one."""
        self.tables: list[ScriptedTable] = []
        self._first = table
        self._hello = replace(table.hello, tables=OFFERED)
        self._wire = RunnerConnection()
        self._within_s = table.hello.clock.decision_ms / 1000 * LIMIT_FACTOR

    async def greet(self, count: int) -> int:
        """Greet the bot, and begin games at up to `count` tables; return how many tables the bot takes."""
        await self._first.send(self._wire.send(self._hello))
        said = await self._first.connection.receive_line(self._hello.clock.start_ms / 1000 * LIMIT_FACTOR)
        try:
            ready = self._wire.receive(said)
        except ProtocolError as wrong:
            raise await self._first.failure(str(wrong)) from None
        if not isinstance(ready, Ready):
            raise await self._first.failure(f"no answer to `hello` but {format_bytes(said)}")
        taken = ready.tables or 0
        seeds = draw_bot_seeds(f"{self._hello.seed}/tables", count)
        for number in range(min(count, taken)):
            hello = replace(self._hello, seed=seeds[number])
            table = ScriptedTable(self._first.connection, self._first.setup, hello, ready.want)
            self.tables.append(table)
            await self._first.send(self._encode(table.start_game(), number))
        return taken

    async def ask(self, numbers: Collection[int]) -> None:
        """Ask at these tables at once, and play what is answered; a game that has ended is followed by another.

        Raises:
            CheckFailed: a table is not answered, or not as it should be.
        """
        await self._first.send(b"".join(self._prepare_question(number) for number in numbers))
        missing = set(numbers)
        while missing:
            said = await self._first.connection.receive_line(self._within_s)
            if not said.endswith(b"\n"):
                tables = join_words(map(str, sorted(missing)), "and")
                raise await self._first.failure(
                    f"asked at {len(numbers)} tables at once, it did not answer at table {tables}"
                )
            try:
                [(act, _)] = self._wire.receive_answers(said)
            except ProtocolError as wrong:
                raise await self._first.failure(f"asked at {len(numbers)} tables at once: {wrong}") from None
            await self.tables[act.table or 0].play_answer(act)
            missing.discard(act.table or 0)

    def _prepare_question(self, number: int) -> bytes:
        table, lines = self.tables[number], b""
        while (raw := table.next_question()) is None:
            lines += self._encode(table.end_line(), number) + self._encode(table.start_game(), number)
        return lines + self._encode(raw, number)

    def _encode(self, raw: bytes, number: int) -> bytes:
        message = msgspec.convert(decode_fields(raw), FromRunner)
        return self._wire.send(replace(message, table=number))


@asynccontextmanager
async def open_tables(context: CheckContext, count: int) -> AsyncIterator[ManyScriptedTables]:
    """Context manager: start the bot, and begin games at up to `count` tables."""
    async with context.open_table() as table:
        many = ManyScriptedTables(table)
        await many.greet(count)
        yield many


@observe_once
async def count_answered_tables(context: CheckContext) -> int:
    """Ask at up to MAX_TABLES_ASKED tables at once; return at how many, less than COMPARED if it takes one at a time.

    Raises:
        CheckFailed: a table is not answered, or not as it should be.
    """
    async with open_tables(context, MAX_TABLES_ASKED) as many:
        everywhere = range(len(many.tables))
        for number in range(ROUNDS if len(everywhere) >= COMPARED else 0):
            await many.ask(everywhere)
            await many.ask(everywhere[number % len(everywhere) :: 2])  # so the ids differ from table to table
        return len(everywhere)


async def _require_tables(context: CheckContext) -> int:
    """Return what `count_answered_tables` does, or raise `NotApplicable` for a bot that takes one table at a time."""
    if (count := await count_answered_tables(context)) < COMPARED:
        raise NotApplicable("it takes one table at a time")
    return count


@check(
    advice="answer each question once, with the `id` and the `table` of that question; answer all that you have read "
    "before you wait for more",
    after=_PLAYING,
)
async def answers_at_many_tables(context: CheckContext) -> str:
    """A bot that takes tables answers all questions that are asked at once, each by its table, and a few as well."""
    return f"{await _require_tables(context)} at once"


@check(
    advice="keep what you remember by `table`, and forget it only at `start` of that table; draw luck from the `seed` "
    "of that `start`",
    after=(answers_at_many_tables,),
)
async def keeps_tables_apart(context: CheckContext) -> None:
    """At many tables at once the bot makes the choices that it makes at the same tables one after the other."""
    await _require_tables(context)
    chosen = []
    for orders in ([*[range(COMPARED)] * ROUNDS], [[number] for number in range(COMPARED) for _ in range(ROUNDS)]):
        async with open_tables(context, COMPARED) as many:
            for numbers in orders:
                await many.ask(numbers)
            chosen.append([table.chosen_actions for table in many.tables])
    for number, (together, alone) in enumerate(zip(*chosen, strict=True)):
        if together != alone:
            raise CheckNote(
                f"at table {number} it chose otherwise when table {1 - number} was asked in between: games may depend "
                "on which are played at the same time"
            )
