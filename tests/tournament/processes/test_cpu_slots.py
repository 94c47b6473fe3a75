"""Slots: no more bots compute at once than there are CPUs; an idle bot lends its slot. All on simulated time."""

from __future__ import annotations

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from pitboss_tournament.processes.cpu import IDLE_SECONDS, CpuSlots
from tests.tournament.simulated_time import SimulatedQuestion


async def wait_for_slot(slots: CpuSlots, bot: SimulatedQuestion, log: list[str]) -> None:
    """Take a slot as soon as one is free."""
    await slots.acquire(bot.timer)
    log.append("taken")


async def test_a_waiting_bot_lends_its_slot() -> None:
    """A bot that sleeps holds nobody up, and gives nothing back twice when its question ends."""
    slots, sleeper, other, log = CpuSlots(1), SimulatedQuestion(), SimulatedQuestion(), list[str]()
    assert slots.try_acquire(sleeper.timer)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait_for_slot, slots, other, log)
        await wait_all_tasks_blocked()
        sleeper.pass_time(0.01, computed=0.001)
        slots.lend_idle()

    assert log == ["taken"]
    slots.release(sleeper.timer)
    assert not slots.try_acquire(sleeper.timer)


@pytest.mark.parametrize("runnable", [{"computed": 0.01}, {"waited": 0.01}, {"computed": 0.001, "waited": 0.002}])
async def test_a_computing_bot_keeps_its_slot(runnable: dict[str, float]) -> None:
    """A bot that computes, or would if the machine let it, keeps its slot until its question ends."""
    slots, thinker, other, log = CpuSlots(1), SimulatedQuestion(), SimulatedQuestion(), list[str]()
    assert slots.try_acquire(thinker.timer)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait_for_slot, slots, other, log)
        for _ in range(20):
            thinker.pass_time(0.01, **runnable)
            slots.lend_idle()
            await wait_all_tasks_blocked()
        log.append("answered")
        slots.release(thinker.timer)

    assert log == ["answered", "taken"]


async def test_a_bot_that_falls_asleep_lends_its_slot() -> None:
    """A bot that falls asleep lends its slot, whatever it computed before the last look."""
    slots, bot, other, log = CpuSlots(1), SimulatedQuestion(), SimulatedQuestion(), list[str]()
    assert slots.try_acquire(bot.timer)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait_for_slot, slots, other, log)
        await wait_all_tasks_blocked()
        bot.pass_time(1.0, computed=1.0)
        slots.lend_idle()
        bot.pass_time(IDLE_SECONDS * 0.9)
        slots.lend_idle()  # too soon to tell
        await wait_all_tasks_blocked()
        assert log == []
        bot.pass_time(IDLE_SECONDS * 0.2)
        slots.lend_idle()

    assert log == ["taken"]


async def test_nobody_lends_a_slot_that_nobody_wants() -> None:
    """A sleeping bot keeps its slot while there is no other bot to ask."""
    slots, sleeper = CpuSlots(1), SimulatedQuestion()
    assert slots.try_acquire(sleeper.timer)
    sleeper.pass_time(1.0)
    slots.lend_idle()

    assert not slots.try_acquire(SimulatedQuestion().timer)


@pytest.mark.parametrize("count", [1, 3])
async def test_there_are_as_many_slots_as_cpus(count: int) -> None:
    """As many bots as there are CPUs may compute at once, and not one more."""
    slots = CpuSlots(count)

    assert [slots.try_acquire(SimulatedQuestion().timer) for _ in range(count + 1)] == [True] * count + [False]
