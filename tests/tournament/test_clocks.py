"""What a bot is billed for: its own time, whoever else had the processor or looked late."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
import trio

from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.bot_process import BotProcess
from pitboss_tournament.processes.process_tree import cpu_seconds
from pitboss_tournament.processes.supervisor import BotSupervisor, open_supervisor

WORK_S = 0.06  # seconds of computing in the tests below
WORKER_CODE = f"""
import hashlib, os, subprocess, sys, threading, time
data = bytes(1 << 18)
def compute(seconds):
    while time.process_time() < seconds: hashlib.sha256(data)  # which lets other threads compute as well
os.write(1, b"ready\\n")
for line in sys.stdin:
    began = time.process_time()
    match line.strip():
        case "compute": compute(began + {WORK_S})
        case "sleep": time.sleep({WORK_S})
        case "threads":
            for _ in range(4): threading.Thread(target=compute, args=[began + {WORK_S}]).start()
            compute(began + {WORK_S})
        case "child":
            child = subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"])
            compute(began + {WORK_S})
            os.write(1, b"done\\n")
            time.sleep(1)
            child.kill()
        case "soon": time.sleep(0.02)
    os.write(1, b"done\\n")
"""


class ThinkBill(NamedTuple):
    """What a question cost, in seconds."""

    billed: float
    lag: float
    wall: float
    computed: float


def measure_bill(question: str, meanwhile: Callable[[], None] | None = None) -> ThinkBill:
    """Ask the worker, which shares a processor with us, and return what it is billed for."""

    async def ask() -> ThinkBill:
        async with open_supervisor() as room:
            bot = room.start(Entrant(name="worker", command=(sys.executable, "-S", "-c", WORKER_CODE)))
            assert await bot.receive() == b"ready\n"
            bot.attach_gauge()
            return await _measure_answer(room, bot, question, meanwhile)

    return run_on_one_processor(ask)


async def _measure_answer(
    room: BotSupervisor, bot: BotProcess, question: str, meanwhile: Callable[[], None] | None
) -> ThinkBill:
    before = cpu_seconds(bot.pid) or 0.0
    began = room.clock.now()
    bot.start_question(5.0)
    assert await bot.send(f"{question}\n".encode())
    async with trio.open_nursery() as nursery:
        if meanwhile:
            nursery.start_soon(_run_after_checkpoint, meanwhile)
        assert await bot.receive() == b"done\n"
        billed, lag = bot.settle_question()
    return ThinkBill(billed, lag, room.clock.now() - began, (cpu_seconds(bot.pid) or 0.0) - before)


async def _run_after_checkpoint(work: Callable[[], None]) -> None:
    await trio.lowlevel.checkpoint()
    work()


def run_on_one_processor(ask: Callable[[], Coroutine[None, None, ThinkBill]]) -> ThinkBill:
    """Run it with all its children on one processor."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        return trio.run(ask)
    finally:
        os.sched_setaffinity(0, allowed)


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Let so many processes compute on that processor."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    busy = [
        subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"], start_new_session=True) for _ in range(count)
    ]
    os.sched_setaffinity(0, allowed)
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


needs_schedstat = pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="this system does not tell who waited"
)


@needs_schedstat
def test_what_the_machine_takes_away_is_not_billed() -> None:
    """Among four others that want the same processor a bot is billed for what it computed, not for its waiting."""
    with busy_processes(4):
        bill = measure_bill("compute")

    assert bill.wall > 1.5 * WORK_S
    assert WORK_S * 0.9 <= bill.billed < 0.7 * bill.wall


def test_sleep_is_billed() -> None:
    """Who lets time pass has used it, also beside others; now and then these keep the runner from seeing so at once."""
    with busy_processes(2):
        bills = [measure_bill("sleep") for _ in range(4)]

    assert all(bill.billed + bill.lag > WORK_S * 0.9 for bill in bills)
    assert max(bill.billed for bill in bills) > WORK_S / 2


def test_threads_of_its_own_do_not_help() -> None:
    """Who waits for a processor that its own threads keep busy is billed for what they compute."""
    bill = measure_bill("threads")

    assert bill.billed >= bill.computed * 0.9


def test_with_a_child_the_wall_counts() -> None:
    """Who waits for a processor that a process of its own keeps busy is billed by wall time."""
    bill = measure_bill("child")

    assert bill.billed + bill.lag == pytest.approx(bill.wall, abs=0.02)
    assert bill.billed > 1.5 * WORK_S


def test_a_runner_that_looks_late_is_not_billed_for() -> None:
    """An answer that lay there while the loop was busy is billed as if it had been read at once; the lag says how late that was."""
    bill = measure_bill("soon", meanwhile=lambda: time.sleep(0.2))

    assert bill.billed < 0.1
    assert bill.lag > 0.1
