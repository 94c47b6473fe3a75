"""The rounds of a process at many tables, one by one: what is billed, how late the runner was, and hostile answers."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import Final

import pytest
import trio
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from pitboss.protocol.messages import Clock
from pitboss_tournament.match.bot_link import BotLink
from pitboss_tournament.match.fault_policy import BotFaulted
from pitboss_tournament.match.many_tables import ManyTables, TableQuestion
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.clocks import QuestionTimer
from pitboss_tournament.processes.logs import HeadTailBuffer, WireLog
from pitboss_tournament.processes.start_errors import MachineError
from pitboss_tournament.processes.supervisor import BotSupervisor, open_supervisor
from tests.core.sample_messages import DECIDE, HELLO, START

pytestmark = pytest.mark.once

TABLES: Final = 3
PATIENT_US: Final = 600_000_000
LONG_BYTES: Final = 1 << 20  # more than a pipe holds
KILL_ITSELF: Final = f"os.kill(os.getpid(), {signal.SIGKILL:d})"
SCRIPTED_BOT: Final = """
import json, os, sys, time
def say(*tables):
    os.write(1, b"".join(b'{"type":"act","id":7,"table":%d,"choose":0}\\n' % table for table in tables))
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        os.write(1, b'{"type":"ready","tables":3}\\n')
    elif message["type"] == "decide":
        script(message["table"])
    elif message["type"] == "bye":
        sys.exit()
"""


class UnluckyLink(BotLink):
    """A link to a bot that the system has killed for want of memory that others took."""

    async def explain_exit(self, when: str) -> BotFaulted:
        """Raise what `fault_causes.explain_exit` raises then."""
        raise MachineError(f"the machine had no memory left {when}", "no_memory")


@asynccontextmanager
async def open_rounds(
    script: str, link_type: type[BotLink] = BotLink
) -> AsyncIterator[tuple[BotSupervisor, ManyTables]]:
    """Context manager: a bot at three tables that runs a script, given as Python, when it is asked at `table`."""
    hello = replace(HELLO, tables=TABLES, clock=Clock(start_ms=600_000, decision_ms=600_000))
    program = f"def script(table):\n    {script}\n{SCRIPTED_BOT}"
    async with open_supervisor() as supervisor:
        bot = Entrant(name="many", command=(sys.executable, "-S", "-c", program))
        link = link_type(supervisor, bot, hello)
        many = ManyTables(link, await link.open(), supervisor)
        yield supervisor, many


def prepare_questions(many: ManyTables, count: int) -> list[TableQuestion]:
    """Begin a game at each of the first tables, and return a question at each, which is not asked yet."""
    questions = []
    for _ in range(count):
        table = many.take(HeadTailBuffer(1_000))
        many.tell(many.connection.send(replace(START, table=table)))
        line = many.connection.send(replace(DECIDE, table=table))
        questions.append(TableQuestion(table, DECIDE.id, line, PATIENT_US, 0, "decision", WireLog(0.0)))
    return questions


async def ask_all(many: ManyTables, questions: Collection[TableQuestion]) -> None:
    """Have the questions settled in one round."""
    async with trio.open_nursery() as nursery:
        for question in questions:
            nursery.start_soon(many.ask, question)


async def test_the_first_answer_is_billed_as_the_last() -> None:
    """A bot that answers at one table at once, and thinks on for another, is billed for that at both."""
    async with open_rounds("say(table) or time.sleep(0.5)") as (_, many):
        questions = prepare_questions(many, 2)
        await ask_all(many, questions)

        assert [question.error for question in questions] == [None, None]
        first, last = (question.us for question in questions)
        assert first == last > 50_000


async def test_the_work_of_the_runner_is_no_lag() -> None:
    """An answer that waits while the runner is at work elsewhere is read late; the lag counts what it lacked a CPU."""
    async with open_rounds("time.sleep(0.02) or say(table)") as (supervisor, many):
        [question] = prepare_questions(many, 1)
        before = supervisor.clock.runner_times.waited
        async with trio.open_nursery() as nursery:
            nursery.start_soon(many.ask, question)
            await trio.sleep(0.005)
            end = time.thread_time() + 0.2
            while time.thread_time() < end:
                pass

        supervisor.clock.note_times()
        assert question.error is None
        assert question.lag_us <= (supervisor.clock.runner_times.waited - before) * 1e6 + 1


@pytest.mark.parametrize(
    ("script", "kind", "words"),
    [
        pytest.param("say(1) if table else say(0, 2)", "out_of_turn", "table 2 before it was asked", id="not_asked"),
        pytest.param("say(table, table)", "out_of_turn", "at table", id="twice"),
        pytest.param("say(table, 3)", "out_of_turn", "table 3", id="no_such_table"),
        pytest.param("say(*[table] * 100_000)", "out_of_turn", "'playing'", id="flood_of_answers"),
        pytest.param("[os.write(1, b'[' * 65_536) for _ in range(9)]", "flooded", "a line of more", id="endless_line"),
        pytest.param("os.write(1, b'\\n' * 65_536)", "malformed", "''", id="empty_lines"),
        pytest.param("sys.exit(7)", "crashed", "status 7", id="exit"),
        pytest.param(KILL_ITSELF, "crashed", "SIGKILL", id="kill"),
        pytest.param("table or say(0); table and os._exit(3)", "crashed", "status 3", id="exit_after_one"),
    ],
)
async def test_what_costs_all_tables(script: str, kind: str, words: str) -> None:
    """Hostile answers, and the end of the process, are settled as faults at each table that waits, now or later."""
    async with open_rounds(script) as (_, many):
        *asked, later = prepare_questions(many, TABLES)
        await ask_all(many, asked)
        await many.ask(later)

        for question in (*asked[1:], later):
            assert isinstance(question.error, BotFaulted)
            assert question.error.kind == kind
            assert words in str(question.error)
        assert many.is_over


async def test_a_process_that_was_killed_for_others() -> None:
    """Every game that waits for an answer is void; none waits for ever."""
    async with open_rounds("os._exit(1)", UnluckyLink) as (_, many):
        questions = prepare_questions(many, TABLES)
        await ask_all(many, questions)

        for question in questions:
            assert isinstance(question.error, MachineError)
            assert question.error.cause == "no_memory"
        assert many.is_over


async def test_a_kill_while_a_round_is_written() -> None:
    """A bot that is killed when it has read one question of many has ended at every table."""
    async with open_rounds(KILL_ITSELF) as (_, many):
        questions = prepare_questions(many, TABLES)
        for question in questions:
            question.line = question.line[:-1] + b" " * LONG_BYTES + b"\n"
        await ask_all(many, questions)

        assert ["SIGKILL" in str(question.error) for question in questions] == [True] * TABLES


async def test_a_game_that_is_broken_off() -> None:
    """A question whose game is broken off before it is put is not put: another table leads the round."""
    async with open_rounds("say(table)") as (supervisor, many):
        broken_off, other = prepare_questions(many, 2)
        holder = QuestionTimer(supervisor.clock)
        assert supervisor.slots.try_acquire(holder)
        with trio.fail_after(PATIENT_US / 1e6):
            async with trio.open_nursery() as nursery, trio.open_nursery() as broken:
                broken.start_soon(many.ask, broken_off)
                await wait_all_tasks_blocked()
                nursery.start_soon(many.ask, other)
                await wait_all_tasks_blocked()
                broken.cancel_scope.cancel()
                supervisor.slots.release(holder)

        assert (broken_off.is_settled, other.is_settled, other.error) == (False, True, None)
