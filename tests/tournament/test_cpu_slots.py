"""Slots: no more bots think at once than there are processors, but who only waits holds nobody up."""

from __future__ import annotations

import sys
from typing import Final

import pytest
import trio

from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.bot_process import BotProcess
from pitboss_tournament.processes.supervisor import BotSupervisor, open_supervisor

THINKING_BOT: Final = """
import hashlib, os, sys, time
data = bytes(1 << 18)
os.write(1, b"ready\\n")
for line in sys.stdin:
    until = time.process_time() + 0.2
    if line == "wait\\n": time.sleep(3600)
    while time.process_time() < until: hashlib.sha256(data)
    os.write(1, b"done\\n")
"""


async def _ask_with_slot(room: BotSupervisor, question: bytes) -> BotProcess:
    """Return a bot that has taken the only slot, and has just been asked."""
    bot = room.start(Entrant(name="thinker", command=(sys.executable, "-S", "-c", THINKING_BOT)))
    assert await bot.receive() == b"ready\n"
    bot.attach_gauge()
    assert room.slots.try_acquire(bot)
    bot.start_question(3600)
    assert await bot.send(question)
    return bot


async def test_a_waiting_bot_lends_its_slot() -> None:
    """A bot that sleeps holds nobody up, and gives back nothing twice when it is settled."""
    async with open_supervisor(cpu_slots=1) as room:
        waiting = await _ask_with_slot(room, b"wait\n")
        other = room.start(Entrant(name="other", command=("cat",)))
        with trio.fail_after(60):
            await room.slots.acquire(other)
        room.slots.release(waiting)
        assert not room.slots.try_acquire(waiting)


async def test_a_computing_bot_keeps_its_slot() -> None:
    """A bot that computes has its slot until it is settled: another one thinks after it, not beside it."""
    done: list[str] = []

    async def take(room: BotSupervisor, other: BotProcess) -> None:
        await room.slots.acquire(other)
        done.append("taken")

    async with open_supervisor(cpu_slots=1) as room, trio.open_nursery() as nursery:
        thinking = await _ask_with_slot(room, b"compute\n")
        nursery.start_soon(take, room, room.start(Entrant(name="other", command=("cat",))))
        assert await thinking.receive() == b"done\n"
        done.append("answered")
        thinking.settle_question()
        room.slots.release(thinking)
    assert done == ["answered", "taken"]


@pytest.mark.parametrize("thinkers", [1, 3])
async def test_there_are_as_many_slots_as_processors(thinkers: int) -> None:
    """So many bots may think at once, and not one more."""
    async with open_supervisor(cpu_slots=thinkers) as room:
        bots = [room.start(Entrant(name="bot", command=("cat",))) for _ in range(thinkers + 1)]
        assert [room.slots.try_acquire(bot) for bot in bots] == [True] * thinkers + [False]
