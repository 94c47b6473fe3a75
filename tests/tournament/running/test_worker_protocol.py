"""Messages between parent and workers: they arrive whole, however the pipe cuts them; anything else is refused."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from pitboss.protocol.faults import Fault
from pitboss.records.record import Decision
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.logs import SeatLog
from pitboss_tournament.rounds.round_progress import begin_rounds
from pitboss_tournament.rounds.schedule import seed_games
from pitboss_tournament.running import worker_protocol
from pitboss_tournament.running.worker_protocol import (
    BatchDone,
    Disqualified,
    FinishedGame,
    GameCounted,
    HoldGames,
    LineReader,
    LineWriter,
    ParentMessage,
    PlayBatch,
    ShownDecisions,
    VoidReport,
    WatchGame,
    WorkerFailure,
    WorkerMessage,
    WorkerProtocolError,
    WorkerReady,
    WorkerStart,
    encode_line,
    is_faultless_game,
)
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from tests.tournament.small_tournaments import load_magpie, make_plan

SEAT = SeatResult(
    entrant=1,
    points=2.5,
    place=1,
    win=0.5,
    fault="late",
    substituted={"late": 2},
    decisions=3,
    think_us=40,
    think={3: 1},
)
FAULT = Fault(kind="late", seat=0, decision=7, message="\N{SNOWMAN}\n", clock="game")
FROM_WORKER: list[WorkerMessage] = [
    WorkerReady(),
    FinishedGame(
        batch=3,
        result=GameResult(9, 1, 2, 0, (SEAT, SEAT), {5: 6}),
        seed="s",
        faults=[FAULT],
        decisions=12,
        record=bytes(range(256)),
        logs=[SeatLog(0, b"\0", b"")],
    ),
    VoidReport(4, "no_process", "there is none"),
    ShownDecisions(batch=3, game_id=9, begins=True, decisions=[Decision(seat=1, action={"do": "x"})], faults=[FAULT]),
    BatchDone(3),
    WorkerFailure("no_guardian", "no"),
]


@contextmanager
def open_pipe() -> Iterator[tuple[int, int]]:
    """Open a pipe; whichever end is left open is closed."""
    ends = os.pipe()
    try:
        yield ends
    finally:
        for end in ends:
            try:
                os.close(end)
            except OSError:
                continue


def read_messages(said: bytes, decoder: msgspec.json.Decoder[WorkerMessage]) -> list[WorkerMessage]:
    """Return all messages that come out of a pipe into which these bytes are written."""

    async def read_all() -> list[WorkerMessage]:
        with open_pipe() as (out, into):
            os.write(into, said)
            os.close(into)
            messages = []
            with closing(LineReader(out, decoder)) as reader:
                while (message := await reader.receive()) is not None:
                    messages.append(message)
            return messages

    return trio.run(read_all)


def test_what_a_worker_says_arrives() -> None:
    """Every message is the same on the other side, bytes and histograms included."""
    said = b"".join(map(worker_protocol.encode_line, FROM_WORKER))

    assert read_messages(said, worker_protocol.worker_decoder) == FROM_WORKER


def test_what_the_parent_says_arrives(tmp_path: Path) -> None:
    """Rules and batches arrive whole, paths and limits included; options are plain data until the game reads them.

    The seed of the tournament stays with the parent.
    """
    entrants = (
        Entrant(name="a", command=("x", "y"), folder=tmp_path, limits=Limits(memory_mb=77), hidden=(tmp_path / "x",)),
        Entrant(name="b", command=("z",)),
    )
    made = make_plan(tmp_path / "x.pitboss", *entrants, keep_logs="all", pinned=False)
    begin = WorkerStart(made.table_rules, worker_protocol.game_identity(load_magpie()), dictionary=b"\xff")
    batch = PlayBatch(5, dict(enumerate(entrants)), seed_games(made, next(begin_rounds(made).batches())))
    others: list[ParentMessage] = [batch, Disqualified([1]), GameCounted(8), HoldGames(), WatchGame(5)]

    arrived = worker_protocol.parent_decoder.decode(worker_protocol.encode_line(begin))
    assert isinstance(arrived, WorkerStart)
    options = msgspec.convert(arrived.rules.options, load_magpie().Options)
    assert msgspec.structs.replace(arrived, rules=msgspec.structs.replace(arrived.rules, options=options)) == begin
    assert f'"{made.seed}"' not in worker_protocol.encode_line(begin).decode()
    assert [worker_protocol.parent_decoder.decode(worker_protocol.encode_line(message)) for message in others] == others


def test_a_game_without_faults() -> None:
    """A game without faults is recognized however its JSON is written; a game with a fault, another message and garbage
    are not.
    """
    [finished] = (one for one in FROM_WORKER if isinstance(one, FinishedGame))
    faultless = encode_line(msgspec.structs.replace(finished, faults=[]))
    spaced = msgspec.json.format(faultless)
    others = [*map(encode_line, FROM_WORKER), b"", b"{", b"\xff", faultless[:-2], b'{"type":"shown","faults":[]}\n']

    assert [is_faultless_game(line) for line in (faultless, spaced)] == [True, True]
    assert not any(map(is_faultless_game, others))


@given(st.lists(st.integers(1, 400), max_size=20))
def test_any_chunks(sizes: list[int]) -> None:
    """The messages are the same in whatever pieces their bytes come."""
    said = b"".join(map(worker_protocol.encode_line, FROM_WORKER))

    async def listen() -> list[WorkerMessage]:
        messages = list[WorkerMessage]()
        with open_pipe() as (out, into), closing(LineReader(out, worker_protocol.worker_decoder)) as reader:

            async def speak() -> None:
                rest = said
                for size in sizes:
                    os.write(into, rest[:size])
                    rest = rest[size:]
                    await trio.testing.wait_all_tasks_blocked()
                os.write(into, rest)
                os.close(into)

            async with trio.open_nursery() as nursery:
                nursery.start_soon(speak)
                while (message := await reader.receive()) is not None:
                    messages.append(message)
        return messages

    assert trio.run(listen) == FROM_WORKER


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b'{"type":"redy"}',
        b'{"type":"left"}',
        b'{"type":"left","batch":"x"}',
        b"\xff",
        b"[" * 5000,
        b'{"type":"out","entrants":[1]}',
    ],
)
def test_what_is_no_message(line: bytes) -> None:
    """A line that is no message is refused, shown, and not taken for another."""
    with pytest.raises(WorkerProtocolError, match="is not a message between runner and worker"):
        read_messages(line + b"\n", worker_protocol.worker_decoder)


def test_half_a_line_at_the_end() -> None:
    """Half a line at the end, from a process that was killed, is no message."""
    assert read_messages(
        worker_protocol.encode_line(WorkerReady()) + worker_protocol.encode_line(BatchDone(3))[:-4],
        worker_protocol.worker_decoder,
    ) == [WorkerReady()]


async def test_a_reader_who_is_slow() -> None:
    """A writer waits for room in the pipe while other tasks go on; every line arrives whole, each writer's in order."""
    messages = [[VoidReport(number, "no_process", who * 3000) for number in range(50)] for who in "ab"]
    said = 0
    with (
        open_pipe() as (out, into),
        closing(LineWriter(into)) as writer,
        closing(LineReader(out, worker_protocol.worker_decoder)) as reader,
    ):

        async def speak(own: list[VoidReport]) -> None:
            nonlocal said
            for message in own:
                await writer.send(message)
                said += 1

        async with trio.open_nursery() as nursery:
            for own in messages:
                nursery.start_soon(speak, own)
            await trio.testing.wait_all_tasks_blocked()
            assert 0 < said < 100
            heard = [await reader.receive() for _ in range(100)]

    assert [[message for message in heard if message in own] for own in messages] == messages


async def test_nobody_reads() -> None:
    """A writer learns at once that the other process is gone."""
    with open_pipe() as (out, into), closing(LineWriter(into)) as writer:
        os.close(out)
        with pytest.raises(trio.BrokenResourceError):
            await writer.send(WorkerReady())
