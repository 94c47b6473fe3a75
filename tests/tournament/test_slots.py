"""Slots: no more bots think at once than there are processors, but who only waits holds nobody up."""

from __future__ import annotations

import sys
from typing import Final

import pytest
import trio

from pitboss_tournament.planning.plan import Entrant
from pitboss_tournament.processes.process import BotProcess
from pitboss_tournament.processes.room import Room, open_room

THINKER: Final = """
import hashlib, os, sys, time
data = bytes(1 << 18)
os.write(1, b"ready\\n")
for line in sys.stdin:
    until = time.process_time() + 0.2
    if line == "wait\\n": time.sleep(3600)
    while time.process_time() < until: hashlib.sha256(data)
    os.write(1, b"done\\n")
"""


async def _asked(room: Room, question: bytes) -> BotProcess:
    """Return a bot that has taken the only slot, and has just been asked."""
    bot = room.start(Entrant(name="thinker", command=(sys.executable, "-S", "-c", THINKER)))
    assert await bot.receive() == b"ready\n"
    bot.measure()
    assert room.slots.try_take(bot)
    bot.question_put(3600)
    assert await bot.send(question)
    return bot


async def test_who_only_waits_lends_its_slot() -> None:
    """A bot that sleeps holds nobody up, and gives back nothing twice when it is settled."""
    async with open_room(thinkers=1) as room:
        waiting = await _asked(room, b"wait\n")
        other = room.start(Entrant(name="other", command=("cat",)))
        with trio.fail_after(60):
            await room.slots.take(other)
        room.slots.give(waiting)
        assert not room.slots.try_take(waiting)


async def test_who_thinks_keeps_its_slot() -> None:
    """A bot that computes has its slot until it is settled: another one thinks after it, not beside it."""
    done: list[str] = []

    async def take(room: Room, other: BotProcess) -> None:
        await room.slots.take(other)
        done.append("taken")

    async with open_room(thinkers=1) as room, trio.open_nursery() as nursery:
        thinking = await _asked(room, b"compute\n")
        nursery.start_soon(take, room, room.start(Entrant(name="other", command=("cat",))))
        assert await thinking.receive() == b"done\n"
        done.append("answered")
        thinking.question_settled()
        room.slots.give(thinking)
    assert done == ["answered", "taken"]


@pytest.mark.parametrize("thinkers", [1, 3])
async def test_there_are_as_many_slots_as_processors(thinkers: int) -> None:
    """So many bots may think at once, and not one more."""
    async with open_room(thinkers=thinkers) as room:
        bots = [room.start(Entrant(name="bot", command=("cat",))) for _ in range(thinkers + 1)]
        assert [room.slots.try_take(bot) for bot in bots] == [True] * thinkers + [False]
