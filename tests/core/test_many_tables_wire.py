"""The conversation of a bot that plays at many tables: one for each table, and agreed beforehand."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.errors import FloodedLine, MalformedLine, OutOfTurn
from pitboss.protocol.connection import RunnerConnection
from pitboss.protocol.faults import Fault
from pitboss.protocol.messages import MAX_BOT_LINE_BYTES, Act, Bye, Faulted, FromRunner, Ready
from tests import ROOT
from tests.core.sample_messages import DECIDE, END, HELLO, START
from tests.core.test_bot_sdk import run_bot

OFFER = replace(HELLO, tables=3)
ILLEGAL = Fault(kind="illegal", seat=1, decision=1, message="it chose 9")


def agree(tables: int = 3) -> RunnerConnection:
    """Return the runner's end after `ready`."""
    runner = RunnerConnection()
    runner.send(OFFER)
    runner.receive(msgspec.json.encode(Ready(tables=tables)) + b"\n")
    return runner


def ask(runner: RunnerConnection, table: int, number: int = 7) -> None:
    """Begin a game at a table, and ask a question there."""
    runner.send(replace(START, table=table))
    runner.send(replace(DECIDE, table=table, id=number))


def act(table: int, number: int = 7) -> bytes:
    """Return the line of an answer."""
    return msgspec.json.encode(Act(id=number, table=table, choose=0)) + b"\n"


def test_answers_in_any_order() -> None:
    """Answers may come in any order, together or in pieces; each table goes on by itself."""
    runner = agree()
    for table in (0, 2, 1):
        ask(runner, table, table + 1)

    first = runner.receive_answers(act(1, 2) + act(0, 1)[:9])
    second = runner.receive_answers(act(0, 1)[9:])

    assert [(answer.table, line) for answer, line in (*first, *second)] == [(1, act(1, 2)), (0, act(0, 1))]
    runner.send(replace(END, table=1))
    runner.send(replace(START, table=1))
    with pytest.raises(OutOfTurn, match="'asking'"):
        runner.send(replace(DECIDE, table=2))


@pytest.mark.parametrize(
    ("said", "error", "words"),
    [
        pytest.param(act(1), OutOfTurn, "'idle'", id="another_table"),
        pytest.param(act(0, 8), OutOfTurn, "question 7 was asked", id="another_question"),
        pytest.param(act(0) + act(0), OutOfTurn, "'playing'", id="twice"),
        pytest.param(act(200), OutOfTurn, "tables 0..2", id="no_such_table"),
        pytest.param(b'{"type":"act","id":7,"choose":0}\n', OutOfTurn, "no table is named", id="without_table"),
        pytest.param(b'{"type":"act","id":7,"table":-1,"choose":0}\n', MalformedLine, "table", id="below_zero"),
        pytest.param(b'{"type":"ready","tables":3}\n', OutOfTurn, "'idle'", id="ready_again"),
        pytest.param(act(0)[:-1] + b" " * MAX_BOT_LINE_BYTES + b"\n", FloodedLine, "a line of more", id="long_line"),
    ],
)
def test_an_answer_that_is_none(said: bytes, error: type[Exception], words: str) -> None:
    """An answer of another table, to another question, or that names no table is refused."""
    runner = agree()
    ask(runner, 0)

    with pytest.raises(error, match=words):
        runner.receive_answers(said)


@pytest.mark.parametrize(
    ("tables", "offer", "words"), [(3, HELLO, "offered none"), (4, OFFER, "offered 3"), (257, OFFER, "256")]
)
def test_more_tables_than_were_offered(tables: int, offer: FromRunner, words: str) -> None:
    """A bot takes no more tables than `hello` offers."""
    runner = RunnerConnection()
    runner.send(offer)

    with pytest.raises(MalformedLine, match=words):
        runner.receive(b'{"type":"ready","tables":%d}\n' % tables)


def test_a_table_without_agreement() -> None:
    """A bot that has agreed to no tables names none."""
    runner = RunnerConnection()
    runner.send(OFFER)
    runner.receive(b'{"type":"ready"}\n')
    runner.send(START)
    runner.send(DECIDE)

    with pytest.raises(MalformedLine, match="agreed to no 'tables'"):
        runner.receive(act(0))


def test_a_fault_at_a_table_and_the_end() -> None:
    """After a fault at a table another game begins there; `bye` comes whatever the tables do."""
    runner = agree()
    ask(runner, 0)
    runner.receive_answers(act(0))
    runner.send(Faulted(fault=ILLEGAL, table=0))
    ask(runner, 0, 1)
    ask(runner, 1, 1)

    runner.send(Bye())
    assert runner.phase == "over"


def test_nothing_names_a_table_that_was_not_agreed() -> None:
    """The bytes of a conversation without tables are those of an earlier Pitboss."""
    for message in (HELLO, START, DECIDE, END, Faulted(fault=ILLEGAL), Ready(), Act(id=1, choose=0)):
        assert b"table" not in msgspec.json.encode(message)


@pytest.mark.once
def test_the_sdk_answers_all_at_once(tmp_path: Path) -> None:
    """`choose_many` has all questions that are there; each answer names its table; `tables` is what is offered."""
    source = "run(choose_many=lambda asked: [one.table % 2 for one in asked] if print(len(asked)) is None else [])"
    games: list[FromRunner] = [OFFER]
    for table in range(3):
        games += [replace(START, table=table), replace(DECIDE, table=table)]
    runner, told = agree(), b""
    for message in games[1:]:
        told += runner.send(message)

    done = run_bot(tmp_path, source, [OFFER], told)

    assert done.stderr == "3\n"
    ready, *answers = [msgspec.json.decode(line) for line in done.lines]
    assert (ready["tables"], [(one["table"], one["choose"]) for one in answers]) == (3, [(0, 0), (1, 1), (2, 0)])
    assert done.status == 0


@pytest.mark.once
def test_the_example_on_the_page(tmp_path: Path) -> None:
    """The runner says and takes the lines of the page, byte by byte; a bot of the SDK answers as the bot there does."""
    page = (ROOT / "docs" / "protocol.md").read_text()
    section = page[page.index("\n### Many tables\n") : page.index("\n### Without a JSON library\n")]
    [ready] = re.findall(r'^\{"type": "ready".*$', section, re.MULTILINE)
    runner, told, answers = RunnerConnection(), b"", []
    runner.send(OFFER)
    runner.receive(ready.encode() + b"\n")
    for arrow, line in re.findall(r"^([→←]) (.*)$", section, re.MULTILINE):
        raw = line.encode() + b"\n"
        if arrow == "→":
            assert runner.send(msgspec.json.decode(raw, type=FromRunner)) == raw
            told += raw
        else:
            answers += [answer for answer, _ in runner.receive_answers(raw)]

    done = run_bot(tmp_path, "run(choose_many=lambda asked: [1 - one.table for one in asked], tables=2)", [OFFER], told)

    said = [msgspec.json.decode(line, type=Act) for line in done.lines[1:]]
    assert {answer.table: answer for answer in said} == {answer.table: answer for answer in answers}
    assert len(said) == msgspec.json.decode(ready, type=Ready).tables
