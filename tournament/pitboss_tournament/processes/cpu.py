"""CPUs: how many this process may use, the CPU times of a bot, and how many bots may compute at once."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, NamedTuple, Protocol

import trio

from pitboss_tournament.processes.process_tree import CLOCK_TICKS, ProcessStates, busiest_thread, reaped_seconds

IDLE_SHARE: Final = 0.25  # a bot that was runnable for a smaller share of the time between two readings is idle
IDLE_SECONDS: Final = 0.005  # two readings less far apart do not tell that a bot is idle
MAX_LOOKS: Final = 4  # at processes that start and end while they are listed


def available_cpus() -> int:
    """Return how many CPUs this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class CpuTimes(NamedTuple):
    """Seconds of a bot since its start."""

    computed: float  # by all its processes
    waited: float  # by its busiest thread, runnable without a CPU; a wait counts when it is over


NO_TIMES: Final = CpuTimes(0.0, 0.0)


class Gauge(Protocol):
    """CPU times of one bot."""

    def read(self) -> CpuTimes:
        """Return its times; processes that `read_all` has not seen yet may be missing."""

    def read_all(self) -> CpuTimes:
        """Return its times, those of new processes too, and note which these are."""

    def read_exactly(self) -> CpuTimes:
        """Return its times, those of new processes too."""

    def is_runnable(self) -> bool:
        """Return whether a thread of the bot computes or waits for a CPU now, or its program has not begun yet."""

    def follow_busiest(self) -> None:
        """Let `waited` be the time of the thread that has computed most so far, from now on."""

    def close(self) -> None:
        """Release the file descriptors, if there are any."""


class ThreadTimes:
    """CPU times of one thread; read from the system in one microsecond."""

    def __init__(self, thread: int) -> None:
        self.thread = thread
        self._last = NO_TIMES
        self._file: int | None = None
        with suppress(OSError):
            self._file = os.open(f"/proc/{thread}/schedstat", os.O_RDONLY)

    @property
    def is_told(self) -> bool:
        """Whether the system tells the times."""
        return self._file is not None

    def read(self) -> CpuTimes:
        """Return its times; the last ones once the thread has ended, zeros where the system does not tell."""
        if self._file is not None:
            with suppress(OSError, ValueError):
                computed, waited, _ = os.pread(self._file, 64, 0).split()
                self._last = CpuTimes(int(computed) / 1e9, int(waited) / 1e9)
        return self._last

    def close(self) -> None:
        """Release the file descriptor."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def read_own_times() -> CpuTimes:
    """Return what this process has computed, as every system tells; what it waited for a CPU is not known."""
    return CpuTimes(time.process_time(), 0.0)


class ProcessTimes(NamedTuple):
    """Seconds that one process has computed."""

    own: float
    reaped: float  # by descendants that have ended and were waited for


class ProcessCounter:
    """Seconds computed by some processes and by those that ended, where the system does not count them together.

    A process that has ended counts in the time of the parent that waited for it, in steps of a hundredth of a second.
    The system forgets the time of one whose parent waits for no child (SIGCHLD ignored, SA_NOCLDWAIT). Such a process
    counts with what it had computed when it was last seen, and all of the time from that look to the next, in which it
    ended, counts as computed. So a look that meets one in ten of the short ones counts ten times what they compute.
    Processes that are waited for are never taken for forgotten ones.
    """

    def __init__(self, list_pids: Callable[[], list[int]]) -> None:
        self._list_pids = list_pids
        self._times: dict[int, ProcessTimes] = {}  # at the last full look
        self._looked = time.monotonic()
        self._missing = 0.0  # what ended processes had computed, and no parent's time contains (yet)
        self._rounded = 0.0  # the most that can be missing because the system rounds
        self._forgotten = 0.0

    @property
    def pids(self) -> list[int]:
        """The processes at the last full look."""
        return list(self._times)

    def read(self) -> float | None:
        """Return the seconds computed; what new processes computed is missing. None if a process has ended."""
        try:
            own = sum([time.clock_gettime(_clock_number(pid)) for pid in self._times])
        except OSError:
            return None
        return own + self._forgotten + sum(times.reaped for times in self._times.values())

    def read_all(self) -> float:
        """Look for all processes; return the seconds computed."""
        now, times = time.monotonic(), self._read_processes()
        before, self._times = self._times, times
        if ended := before.keys() - times.keys():
            reaped = sum(one.reaped - before[pid].reaped if pid in before else one.reaped for pid, one in times.items())
            self._missing = max(0.0, self._missing + sum(sum(before[pid]) for pid in ended) - reaped)
            self._forget(now - self._looked - self._computed_since(before) - reaped)
        self._looked = now
        return self._forgotten + sum(map(sum, times.values()))

    def _forget(self, rest: float) -> None:
        """Count what is missing by more than rounding explains, and the `rest` of the time since the last look."""
        parents = sum(times.reaped > 0 for times in self._times.values())
        self._rounded = max(self._rounded, 2 * (2 + parents) / CLOCK_TICKS)  # user and system time of each
        if (forgotten := self._missing - self._rounded) > 0:
            self._missing = self._rounded
            self._forgotten += forgotten + max(0.0, rest)

    def _computed_since(self, before: Mapping[int, ProcessTimes]) -> float:
        """Return what the processes that are still there have computed themselves."""
        return sum(one.own - before[pid].own if pid in before else one.own for pid, one in self._times.items())

    def _read_processes(self) -> dict[int, ProcessTimes]:
        """Return the times of all processes; looks again if some ended or found another parent meanwhile."""
        times: dict[int, ProcessTimes] = {}
        for _ in range(MAX_LOOKS):
            pids = self._list_pids()
            reaped = {pid: reaped_seconds(pid) for pid in pids}  # before `own`: one that ends now counts in neither
            own = {pid: seconds for pid in pids if (seconds := _own_seconds(pid)) is not None}
            times = {pid: ProcessTimes(seconds, reaped[pid]) for pid, seconds in own.items()}
            if len(own) == len(pids) and all(_own_seconds(pid) is None for pid in self._times.keys() - own.keys()):
                break
        return times


def _clock_number(pid: int) -> int:
    """Return the number of the clock that counts what a process computes."""
    return (~pid << 3) | 2


def _own_seconds(pid: int) -> float | None:
    """Return what a process computed itself, None if it is gone."""
    try:
        return time.clock_gettime(_clock_number(pid))
    except OSError:
        return None


class BotGauge:
    """CPU times of all processes of a bot, as the system counts them together, or as ProcessCounter does."""

    def __init__(
        self,
        list_pids: Callable[[], list[int]],
        read_computed: Callable[[], float | None],
        has_begun: Callable[[], bool] = lambda: True,
    ) -> None:
        """`list_pids` returns the processes of the bot; `read_computed` what the system counts, None if it does not.

        `has_begun` tells whether its program has begun. Until then the sandbox is being made: what that waits for
        (another sandbox in the kernel's way, a disk) is no sleep of the bot.
        """
        self._list_pids = list_pids
        self._read_computed = read_computed
        self._has_begun = has_begun
        self._counter = ProcessCounter(list_pids)
        self._pids: list[int] = []
        self._states = ProcessStates()
        self._computed = 0.0
        self._busiest: ThreadTimes | None = None
        self._waited_before = 0.0  # by the threads followed earlier, less what the present one had waited before
        self.read_all()
        self.follow_busiest()

    def read(self) -> CpuTimes:
        """Return its times, in some microseconds; what `read_all` has not seen yet may be missing."""
        computed = self._read_computed()
        if computed is None:
            computed = self._counter.read()
        return self.read_all() if computed is None else self._times(computed)

    def read_exactly(self) -> CpuTimes:
        """Return its times, with those of processes that `read_all` has not seen yet."""
        computed = self._read_computed()
        return self.read_all() if computed is None else self._times(computed)

    def read_all(self) -> CpuTimes:
        """Return its times, those of new processes too, and note which these are."""
        computed = self._read_computed()
        if computed is None:
            computed = self._counter.read_all()
            self._pids = self._counter.pids
        else:
            self._pids = self._list_pids()
        self._states.keep(self._pids)
        if self._busiest is None:  # it has just begun
            self.follow_busiest()
        return self._times(computed)

    def _times(self, computed: float) -> CpuTimes:
        self._computed = max(self._computed, computed)  # a process may have ended that nobody waited for
        return CpuTimes(self._computed, self._read_waited())

    def _read_waited(self) -> float:
        return self._waited_before + (0.0 if self._busiest is None else self._busiest.read().waited)

    def is_runnable(self) -> bool:
        """Return whether a thread of the bot, of no lower priority than this process, computes or waits for a CPU.

        True also until its program has begun.
        """
        if not self._has_begun():
            return True
        return any(map(self._states.is_runnable, self._pids))

    def follow_busiest(self) -> None:
        """Let `waited` be the time of the thread that has computed most so far, from now on."""
        thread = busiest_thread(self._pids) if self._has_begun() else None
        if thread is not None and (self._busiest is None or self._busiest.thread != thread):
            waited, found = self._read_waited(), ThreadTimes(thread)
            self._close_busiest()
            self._busiest, self._waited_before = found, waited - found.read().waited

    def close(self) -> None:
        """Release the file descriptors."""
        self._states.close()
        self._close_busiest()

    def _close_busiest(self) -> None:
        if self._busiest is not None:
            self._busiest.close()


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
        self.count = count
        self._free = count
        self._waiting = trio.lowlevel.ParkingLot()  # tasks; none waits while a slot is free
        self._held: dict[HasUsage, CpuUsage | None] = {}  # usage at the last reading; None: the slot is lent

    def try_acquire(self, bot: HasUsage) -> bool:
        """Take a slot if one is free."""
        if not self._free:
            return False
        self._free -= 1
        self._held[bot] = NO_USAGE
        return True

    async def acquire(self, bot: HasUsage) -> None:
        """Take a slot as soon as one is free."""
        if not self.try_acquire(bot):
            await self._waiting.park()  # until it is handed a slot
            self._held[bot] = NO_USAGE

    def release(self, bot: HasUsage) -> None:
        """Release the slot of a bot, unless it is lent."""
        if self._held.pop(bot) is not None:
            self._hand_over()

    def lend_idle(self) -> None:
        """If others wait, release slots of bots runnable for under IDLE_SHARE of the time since the last reading."""
        if not self._waiting:
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
                self._hand_over()

    def _hand_over(self) -> None:
        """Give a slot to the task that has waited longest, if one waits."""
        if self._waiting:
            self._waiting.unpark()
        else:
            self._free += 1
