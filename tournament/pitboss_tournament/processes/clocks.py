"""Clocks: what a bot is billed for, and what it is not.

A bot is billed from the moment its question is written to the moment its answer can be read, less what others took of that time:

* **The runner.** The loop may look late: it was at another table, or starting a bot. `RoomClock` knows when the loop last came back from
  waiting, and so from when on an answer can have been there. The runner too may have had to wait for a processor: that is taken off as well.
* **The machine.** A bot that is ready to run and waits for a processor is not thinking. The system counts that time (`proctree.Gauge`), and it is taken off, but the
  processor time that the bot did use is always billed: who keeps others waiting with threads of its own gains nothing. A bot that has started
  processes of its own is billed by wall time, as their share cannot be told.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Final, NamedTuple

import trio

from pitboss_tournament.processes.process_tree import CpuGauge

TURN_SECONDS: Final = 0.001  # how long a match may go on before it lets the others have the loop
NEGLIGIBLE_SECONDS: Final = (
    0.001  # answers that come sooner are billed as they come: nobody can have taken much of so little
)
BLOCKED_SECONDS: Final = 0.000_05  # a loop that waited longer than this had nothing to do
WALL_FACTOR: Final = 10  # a question is over after so many times its limit, whoever took the time


class LoopClock(trio.abc.Instrument):
    """A clock in seconds that stands still while the runner starts a bot or ends one. It watches the loop that it is an instrument of."""

    def __init__(self) -> None:
        self._paused_seconds = 0.0
        self._turn_began = 0.0
        self._wait_began = 0.0
        self._earliest_arrival = 0.0  # what the loop's last wait found was there at this moment or later…
        self._latest_arrival = 0.0  # …and at this moment or sooner
        self._last_return = 0.0
        self._own_gauge = CpuGauge(os.getpid())

    def close(self) -> None:
        """Give the descriptor back."""
        self._own_gauge.close()

    def runner_delay(self) -> float:
        """Return for how many seconds this process was ready to run and had to wait, since it began."""
        return self._own_gauge.read()[1]

    def now(self) -> float:
        """Return the present moment."""
        return perf_counter() - self._paused_seconds

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Stop the clock for the length of a block that holds up the loop."""
        began = perf_counter()
        try:
            yield
        finally:
            self._paused_seconds += perf_counter() - began

    def arrival_window(self) -> tuple[float, float]:
        """Return between which two moments that came which a task, just woken, has waited for."""
        return self._earliest_arrival, self._latest_arrival

    async def yield_turn(self) -> None:
        """Let other matches go on, if this one has had the loop for a while."""
        if perf_counter() - self._turn_began > TURN_SECONDS:
            await trio.lowlevel.checkpoint()

    # ---- called by trio

    def before_io_wait(self, timeout: float) -> None:
        """Note that the loop has nothing more to do."""
        self._wait_began = self.now()

    def after_io_wait(self, timeout: float) -> None:
        """Note that the loop goes on: after a real wait what it found has just come, else some time since it last looked."""
        self._turn_began = perf_counter()
        now = self._turn_began - self._paused_seconds
        self._earliest_arrival = now if now - self._wait_began > BLOCKED_SECONDS else min(self._last_return, now)
        self._latest_arrival = self._last_return = now


class CpuUsage(NamedTuple):
    """The seconds that have passed since a bot was asked, and those of a processor that it used or waited for (0 where the system does not tell)."""

    wall: float
    runnable: float


NO_USAGE: Final = CpuUsage(0.0, 0.0)


class Stopwatch:
    """The time that one bot has been thinking about one question."""

    __slots__ = ("_began", "_clock", "_cpu", "_delay", "_gauge", "_runner_delay")

    def __init__(self, clock: LoopClock, gauge: CpuGauge | None) -> None:
        self._clock = clock
        self._gauge = gauge
        self._began = clock.now()
        self._cpu, self._delay = (0.0, 0.0) if gauge is None else gauge.read()
        self._runner_delay = clock.runner_delay()

    def billed_so_far(self) -> float:
        """Return what is billed up to now, in seconds: the bot is still at it."""
        return self._bill(self.wall(), self._runner_delay_since())

    def wall(self) -> float:
        """Return the seconds since the question."""
        return self._clock.now() - self._began

    def usage(self) -> CpuUsage:
        """Return what the bot has spent up to now."""
        processor = 0.0 if self._gauge is None else sum(self._gauge.read()) - self._cpu - self._delay
        return CpuUsage(self.wall(), processor)

    def settle(self, has_waited: bool) -> tuple[float, float]:
        """Return what is billed for an answer that has just been read, and how late the runner was to read it, in seconds.

        `has_waited` tells whether the loop had to wait for the answer.
        """
        wall = self.wall()
        if not has_waited:
            return self._bill(wall, 0.0), 0.0
        earliest, latest = (max(0.0, moment - self._began) for moment in self._clock.arrival_window())
        if latest >= NEGLIGIBLE_SECONDS:
            earliest = max(0.0, earliest - self._runner_delay_since())
        thought = earliest
        if earliest < latest and self._gauge is not None:
            thought = min(latest, max(earliest, self._gauge.read()[0] - self._cpu))
        return self._bill(thought, 0.0), wall - thought

    def _runner_delay_since(self) -> float:
        """Return for how long this process has been ready to run, and had to wait, since the question."""
        return self._clock.runner_delay() - self._runner_delay

    def _bill(self, wall: float, lost: float) -> float:
        """Return a wall time less what the machine took away, of which `lost` was taken from the runner."""
        if wall < NEGLIGIBLE_SECONDS or self._gauge is None:
            return max(0.0, wall - lost)
        cpu, delay = self._gauge.read()
        waited = delay - self._delay if self._gauge.is_alone() else 0.0
        return max(0.0, min(wall, max(cpu - self._cpu, wall - waited - lost)))
