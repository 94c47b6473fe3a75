"""Clocks: the time a bot is billed for an answer.

Billed time runs from writing the question to the moment the answer became readable, minus time taken by others:

* **The runner.** The loop may read an answer late: it was at another table, or starting a bot. `LoopClock` knows when
  the loop last returned from waiting, and thereby the earliest time at which the answer can have arrived. Time in which
  the runner itself waited for a CPU is subtracted too.
* **The machine.** A runnable bot that waits for a CPU is not thinking. The system counts that time (`CpuGauge`); it is
  subtracted. CPU time that the bot used itself is always billed: threads that keep each other waiting gain nothing.
  A bot with child processes is billed by wall time, because their share is unknown.

Nothing here looks at the time or at a process by itself: both come in through `LoopClock` and `Gauge`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from time import perf_counter
from typing import Final, NamedTuple

import trio

from pitboss_tournament.processes.cpu import NO_USAGE, CpuGauge, CpuUsage, Gauge

TURN_SECONDS: Final = 0.001  # a match holds the loop no longer than this before it lets others run
NEGLIGIBLE_SECONDS: Final = 0.001  # faster answers are billed by wall time: nobody can have taken much of so little
BLOCKED_SECONDS: Final = 0.000_05  # a loop that waited longer than this had nothing to do
WALL_FACTOR: Final = 10  # a question ends after this multiple of its limit, whoever took the time
LATE_READ_GRACE: Final = 6  # checks at which an overdue bot is spared because its answer is in the pipe


class LoopClock(trio.abc.Instrument):
    """Clock in seconds that stands still in `pause` blocks, and an instrument of the loop that notes its waits."""

    def __init__(self, time: Callable[[], float] = perf_counter, runner_gauge: Gauge | None = None) -> None:
        """`runner_gauge` measures the process that runs the loop; by default it is this process."""
        self._time = time
        self._paused_seconds = 0.0
        self._turn_began = 0.0
        self._wait_began = 0.0
        self._earliest_arrival = 0.0  # data found by the last wait arrived no earlier than this…
        self._latest_arrival = 0.0  # …and no later than this
        self._last_return = 0.0
        self._runner_gauge: Gauge = CpuGauge(os.getpid()) if runner_gauge is None else runner_gauge

    def close(self) -> None:
        """Close the gauge of the runner."""
        self._runner_gauge.close()

    def runner_delay(self) -> float:
        """Return the seconds this process was runnable but waiting for a CPU, since its start."""
        return self._runner_gauge.read()[1]

    def now(self) -> float:
        """Return the current time."""
        return self._time() - self._paused_seconds

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Context manager: the clock stands still in the block, in which the runner blocks the loop."""
        began = self._time()
        try:
            yield
        finally:
            self._paused_seconds += self._time() - began

    def arrival_window(self) -> tuple[float, float]:
        """Return the (earliest, latest) time at which the awaited data can have become readable."""
        return self._earliest_arrival, self._latest_arrival

    async def yield_turn(self) -> None:
        """Run other tasks if this task has held the loop longer than TURN_SECONDS."""
        if self._time() - self._turn_began > TURN_SECONDS:
            await trio.lowlevel.checkpoint()

    # ---- called by trio

    def before_io_wait(self, timeout: float) -> None:
        """Note the time at which the loop begins to wait."""
        self._wait_began = self.now()

    def after_io_wait(self, timeout: float) -> None:
        """Note the arrival window: now after a wait longer than BLOCKED_SECONDS, else from the last return to now."""
        self._turn_began = self._time()
        now = self._turn_began - self._paused_seconds
        self._earliest_arrival = now if now - self._wait_began > BLOCKED_SECONDS else min(self._last_return, now)
        self._latest_arrival = self._last_return = now


class Billing(NamedTuple):
    """Seconds of an answer: billed to the bot, and how late the runner read it."""

    billed: float
    lag: float


class QuestionTimer:
    """The time that one bot spends on the question it was asked, and the deadline of that question."""

    def __init__(self, clock: LoopClock) -> None:
        self.deadline = inf  # by the clock: `check_deadline` finds no bot late before it
        self.is_late = False
        self._clock = clock
        self._gauge: Gauge | None = None
        self._limit = inf
        self._is_running = False
        self._began = self._cpu = self._delay = self._runner_delay = 0.0
        self._late_seconds = 0.0  # billed when it was found to be late
        self._grace_checks = 0

    def attach_gauge(self, gauge: Gauge | None) -> None:
        """Measure the bot by `gauge` from the next question on; without a gauge it is billed by wall time."""
        self.close()
        self._gauge = gauge

    def close(self) -> None:
        """Close the gauge of the bot."""
        if self._gauge is not None:
            self._gauge.close()

    def start(self, limit: float) -> None:
        """Start the time of a question that may take `limit` seconds."""
        self._limit = limit
        self._is_running = True
        self._began = self._clock.now()
        self.deadline = self._began + limit
        self._cpu, self._delay = (0.0, 0.0) if self._gauge is None else self._gauge.read()
        self._runner_delay = self._clock.runner_delay()

    def settle(self, has_waited: bool) -> Billing:
        """End the question, its answer just read, and return its billing. `has_waited`: the loop waited for it."""
        self.deadline = inf
        self._is_running = False
        if self.is_late:
            return Billing(self._late_seconds, 0.0)
        wall = self._wall()
        if not has_waited:
            return Billing(self._bill(wall, 0.0), 0.0)
        earliest, latest = (max(0.0, moment - self._began) for moment in self._clock.arrival_window())
        if latest >= NEGLIGIBLE_SECONDS:
            earliest = max(0.0, earliest - self._runner_delay_since())
        thought = earliest
        if earliest < latest and self._gauge is not None:
            thought = min(latest, max(earliest, self._gauge.read()[0] - self._cpu))
        return Billing(self._bill(thought, 0.0), wall - thought)

    def usage(self) -> CpuUsage:
        """Return wall time and runnable time of the current question so far; zeros if there is none."""
        if not self._is_running:
            return NO_USAGE
        runnable = 0.0 if self._gauge is None else self.runnable_seconds() - self._cpu - self._delay
        return CpuUsage(self._wall(), runnable)

    def runnable_seconds(self) -> float:
        """Return the seconds the bot has computed or waited for a CPU since its start; 0 if unknown."""
        return 0.0 if self._gauge is None else sum(self._gauge.read())

    def check_deadline(self, has_output: Callable[[], bool]) -> bool:
        """Return whether the bot has just become late: its billed time is over, and no answer is in the pipe.

        An answer that is still in the pipe after LATE_READ_GRACE more checks is late too.
        """
        now = self._clock.now()
        if now <= self.deadline:
            self._grace_checks = 0
            return False
        wall = self._wall()
        billed = self._bill(wall, self._runner_delay_since())
        if wall < WALL_FACTOR * self._limit and billed < self._limit:
            self.deadline = now + self._limit - billed  # time that was not billed is given back
            return False
        self._grace_checks += 1
        if self._grace_checks <= LATE_READ_GRACE and has_output():
            return False
        self.deadline = inf
        self.is_late = True
        self._late_seconds = billed
        return True

    def _wall(self) -> float:
        return self._clock.now() - self._began

    def _runner_delay_since(self) -> float:
        """Return the seconds this process was runnable but waiting for a CPU, since the question."""
        return self._clock.runner_delay() - self._runner_delay

    def _bill(self, wall: float, lost: float) -> float:
        """Return wall time minus the bot's waits for a CPU and `lost` seconds, but at least the bot's CPU time."""
        if wall < NEGLIGIBLE_SECONDS or self._gauge is None:
            return max(0.0, wall - lost)
        cpu, delay = self._gauge.read()
        waited = delay - self._delay if self._gauge.is_alone() else 0.0
        return max(0.0, min(wall, max(cpu - self._cpu, wall - waited - lost)))
