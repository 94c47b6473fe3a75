"""CPUs: how many this process may use, the CPU times of a bot, and how many bots may compute at once."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import Final, NamedTuple, Protocol

import trio

from pitboss_tournament.processes.process_tree import busiest_thread, child_pids, namespace_pids, parent_pid

IDLE_SHARE: Final = 0.25  # a bot that was runnable for a smaller share of the time between two readings is idle…
IDLE_SECONDS: Final = 0.005  # …if that time was at least this long


def available_cpus() -> int:
    """Return how many CPUs this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Gauge(Protocol):
    """CPU times of one process."""

    def read(self) -> tuple[float, float]:
        """Return the seconds that the process has computed, and those it was runnable but waited for a CPU."""

    def is_alone(self) -> bool:
        """Tell whether the process has no running child."""

    def close(self) -> None:
        """Release the file descriptor, if there is one."""


class CpuGauge:
    """CPU times of one process, read from the system in two microseconds."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._clock = (~pid << 3) | 2
        self._last = (0.0, 0.0)
        self._file: int | None = None
        with suppress(OSError):
            self._file = os.open(f"/proc/{pid}/task/{busiest_thread(pid)}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        self._init = parent_pid(pid) if len(namespace_pids(pid)) > 1 else None

    def read(self) -> tuple[float, float]:
        """Return seconds computed (all threads) and waited (the busiest thread); the last values once it has ended."""
        try:
            waited = 0.0 if self._file is None else int(os.pread(self._file, 64, 0).split()[1]) / 1e9
            self._last = (time.clock_gettime(self._clock), waited)
        except (OSError, IndexError, OverflowError):
            pass
        return self._last

    def is_alone(self) -> bool:
        """Tell whether the process has no running child."""
        return not child_pids(self._pid) and (self._init is None or child_pids(self._init) == [self._pid])

    def close(self) -> None:
        """Release the file descriptor."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


class CpuUsage(NamedTuple):
    """Seconds since the question: wall time, and time the bot was runnable, computing or waiting (0 if unknown)."""

    wall: float
    runnable: float


NO_USAGE: Final = CpuUsage(0.0, 0.0)


class HasUsage(Protocol):
    """What a slot needs of a bot: the CPU usage of its current question."""

    def usage(self) -> CpuUsage:
        """Return wall time and runnable time of the current question so far."""


class CpuSlots:
    """Semaphore over the bots that may compute at once. A bot that only waits lends its slot."""

    def __init__(self, count: int) -> None:
        self._free = trio.Semaphore(count)
        self._held: dict[HasUsage, CpuUsage | None] = {}  # usage at the last reading; None: the slot is lent

    def try_acquire(self, bot: HasUsage) -> bool:
        """Take a slot if one is free."""
        try:
            self._free.acquire_nowait()
        except trio.WouldBlock:
            return False
        self._held[bot] = NO_USAGE
        return True

    async def acquire(self, bot: HasUsage) -> None:
        """Take a slot as soon as one is free."""
        await self._free.acquire()
        self._held[bot] = NO_USAGE

    def release(self, bot: HasUsage) -> None:
        """Release the slot of a bot, unless it is lent."""
        if self._held.pop(bot) is not None:
            self._free.release()

    def lend_idle(self) -> None:
        """If others wait, release slots of bots runnable for under IDLE_SHARE of the time since the last reading."""
        if not self._free.statistics().tasks_waiting:
            return
        for bot, before in tuple(self._held.items()):
            if before is None:
                continue
            now = bot.usage()
            wall = now.wall - before.wall
            if wall < IDLE_SECONDS:
                continue
            is_idle = now.runnable - before.runnable < IDLE_SHARE * wall
            self._held[bot] = None if is_idle else now
            if is_idle:
                self._free.release()
