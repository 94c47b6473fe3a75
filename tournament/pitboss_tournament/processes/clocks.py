"""Clocks: the time a bot is billed for an answer.

Billed time runs from writing the question to the moment the answer became readable, minus time taken by others:

* **The runner.** The loop may read an answer late: it was at another table, or starting a bot, or waited for a CPU.
  `LoopClock` notes when the loop returned from waiting, and thereby the earliest time at which the answer can have
  arrived.
* **A standstill.** The process of the loop is stopped and continued (Ctrl-Z and `fg`), or the whole machine is. The
  loop never waits longer than the watchdog's tick: of a longer time between two readings of its own CPU times, what it
  neither computed nor waited for a CPU is a standstill, in which `LoopClock` stands still too. A bot that was asked
  meanwhile gets as much time again: it may have been stopped a little earlier, or longer. No bot can stop the loop.
* **The machine.** A runnable bot that waits for a CPU is not thinking. The system counts the waits that are over
  (`Gauge.read`). A wait that still lasts is seen by `Gauge.is_runnable`. Of the time in which the sandbox of a bot is
  made only what is computed is billed: its launchers wait for the kernel, which makes one sandbox after another. Nor is
  the time billed in which the runner itself waited for a CPU before it read the answer. These times overlap, so the
  longest of them is subtracted, not their sum.

CPU time of all processes of the bot is always billed, up to wall time: threads and children that keep each other
waiting gain nothing. A bot that sleeps is billed for it.

Nothing here looks at the time or at a process by itself: both come in through `LoopClock` and `Gauge`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from time import perf_counter
from typing import Final, Literal, NamedTuple, TypeAlias

import trio

from pitboss_tournament.processes.cpu import (
    NO_TIMES,
    NO_USAGE,
    CpuTimes,
    CpuUsage,
    Gauge,
    ThreadTimes,
    read_own_times,
)

TURN_SECONDS: Final = 0.001  # a match holds the loop no longer than this before it lets others run
NEGLIGIBLE_SECONDS: Final = 0.001  # faster answers are billed by wall time: nobody can have taken much of so little;
# and CPU times are read again only when they are older
BLOCKED_SECONDS: Final = 0.000_05  # a loop that waited longer than this had nothing to do
STANDSTILL_SECONDS: Final = 0.1  # the loop never waits longer: the watchdog wakes it
SLOW_SECONDS: Final = 0.01  # for slower answers all processes of the bot are looked at
WALL_FACTOR: Final = 10  # a question ends after this multiple of its limit and WALL_SECONDS, whoever took the time
WALL_SECONDS: Final = 10.0
LATE_READ_GRACE: Final = 6  # checks of a question at which a bot is spared because its answer is in the pipe


class LoopClock(trio.abc.Instrument):
    """Clock in seconds, and an instrument of the loop that notes its waits.

    The clock stands still in `pause` blocks, and while the process is stopped.
    """

    def __init__(
        self, time: Callable[[], float] = perf_counter, read_times: Callable[[], CpuTimes] | None = None
    ) -> None:
        """`read_times` returns the CPU times of the process of the loop; by default it is this process."""
        self._time = time
        self._left_out = 0.0  # seconds of pauses and standstills
        self.stood_still = 0.0  # seconds of standstills
        self._turn_began = 0.0
        self._wait_began = 0.0
        self._earliest_arrival = 0.0  # data found by the last wait arrived no earlier than this
        self._latest_arrival = 0.0  # data found by the last wait arrived no later than this
        self._last_return = 0.0
        self._own_times = ThreadTimes(os.getpid())
        self._read_times = read_times or (self._own_times.read if self._own_times.is_told else read_own_times)
        self.runner_times = NO_TIMES  # of the runner, at the time `_noted`
        self._noted = time()

    def close(self) -> None:
        """Release the file descriptor."""
        self._own_times.close()

    def now(self) -> float:
        """Return the current time."""
        now = self._time() - self._left_out
        if now - self._noted > STANDSTILL_SECONDS:
            self.note_times()
            now = self._time() - self._left_out
        return now

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Context manager: the clock stands still in the block, in which the runner blocks the loop."""
        began = self._time()
        try:
            yield
        finally:
            self._left_out += self._time() - began

    def arrival_window(self) -> tuple[float, float]:
        """Return the (earliest, latest) time at which the awaited data can have become readable."""
        return self._earliest_arrival, self._latest_arrival

    def is_turn_over(self) -> bool:
        """Tell whether the loop has run longer than TURN_SECONDS since it last waited, so that others should run."""
        return self._time() - self._turn_began > TURN_SECONDS

    def note_times(self) -> None:
        """Note the CPU times of the runner, and leave out the time in which it stood still since they were noted."""
        now, times = self._time() - self._left_out, self._read_times()
        still = now - self._noted - (sum(times) - sum(self.runner_times))
        if still > STANDSTILL_SECONDS:
            self.stood_still += still
            self._left_out += still
            now -= still
        self._noted, self.runner_times = now, times

    # ---- called by trio

    def before_io_wait(self, timeout: float) -> None:
        """Note the time at which the loop begins to wait."""
        self._wait_began = self.now()

    def after_io_wait(self, timeout: float) -> None:
        """Note the arrival window.

        After a wait in which the loop slept longer than BLOCKED_SECONDS it is the time that this process then waited
        for a CPU; else it is the time from the last return to now. (A wait is also long in which this process only lost
        its CPU: what it waits for may have been there before.)

        The time that this process waited for a CPU is noted at least once in TURN_SECONDS, so that waits before a
        question are not counted as late reading of the answer.
        """
        noted_before = self.runner_times.waited
        now = self.now()
        self._turn_began = self._time()
        self._earliest_arrival = min(self._last_return, now)
        is_blocked = now - self._wait_began > BLOCKED_SECONDS
        if is_blocked or now - self._noted > TURN_SECONDS:
            self.note_times()
            without_cpu = self.runner_times.waited - noted_before
            if is_blocked and now - self._wait_began - without_cpu > BLOCKED_SECONDS:
                self._earliest_arrival = max(self._wait_began, now - without_cpu)
        self._latest_arrival = self._last_return = now


class Billing(NamedTuple):
    """Seconds of an answer: billed to the bot, and how late the runner read it."""

    billed: float
    lag: float


Lateness: TypeAlias = Literal["", "bot", "machine"]
ThinkerState: TypeAlias = Literal["runnable", "asleep", "answered"]


class Look(NamedTuple):
    """A look at a bot that was asked."""

    at: float  # time by the clock
    times: CpuTimes
    runner_delay: float  # how long the runner has waited for a CPU since its start
    state: ThinkerState


class QuestionTimer:
    """The time that one bot spends on the question it was asked, and the deadline of that question."""

    def __init__(self, clock: LoopClock) -> None:
        self.deadline = inf  # by the clock: `check_deadline` finds no bot late before it
        self.lateness: Lateness = ""  # which side ended the question without an answer
        self._clock = clock
        self._gauge: Gauge | None = None
        self._limit = inf
        self._is_running = False
        self._began = 0.0
        self._times = NO_TIMES  # of the bot when the question began, or up to NEGLIGIBLE_SECONDS earlier
        self._was_read = -inf  # the time at which the gauge was read last, for `_looked_times`
        self._looked = 0.0  # the time of the last look at the gauge
        self._looked_times = NO_TIMES  # what the gauge showed at the last look
        self._looked_delay = 0.0  # what the runner had waited at the last look
        self._stood_still = 0.0  # what the runner had stood still when the question began
        self._runner_waited = 0.0  # what the runner had waited for a CPU when the question began
        self._taken = 0.0  # by others, up to the last look
        self._late_seconds = 0.0  # billed when it was found to be late
        self._grace_checks = 0
        self._paused: tuple[float, float] | None = None  # when the question was, and what the bot had computed

    def attach_gauge(self, gauge: Gauge | None) -> None:
        """Measure the bot by `gauge` from the next question on; without a gauge it is billed by wall time."""
        self.close()
        self._gauge = gauge
        self._was_read = -inf

    def close(self) -> None:
        """Close the gauge of the bot."""
        if self._gauge is not None:
            self._gauge.close()

    def start(self, limit: float) -> float:
        """Start the time of a question that may take `limit` seconds; return the time by the clock."""
        self._limit = limit
        self._is_running = True
        self._began = self._looked = began = self._clock.now()
        self.deadline = began + limit
        if self._gauge is not None and began - self._was_read > NEGLIGIBLE_SECONDS:
            self._looked_times = self._gauge.read()
            self._was_read = began
        self._times = self._looked_times
        self._looked_delay = self._runner_waited = self._clock.runner_times.waited
        self._stood_still = self._clock.stood_still
        self._taken = 0.0
        self._grace_checks = 0
        self._paused = None
        return began

    def pause(self) -> None:
        """Let the time of the question stand still, except what the bot computes: it waits for its language model."""
        if self._is_running:
            self._paused = self._clock.now(), self.computed_seconds(exactly=True)

    def resume(self) -> None:
        """Let the time of the question go on."""
        if self._paused is None:
            return
        began, computed = self._paused
        self._paused = None
        left_out = self._clock.now() - began - (self.computed_seconds(exactly=True) - computed)
        if left_out > 0:
            self._began += left_out
            self._looked += left_out
            self.deadline += left_out

    def note_silence(self) -> None:
        """Note that there was no answer yet when the clock last noted how long the runner had waited for a CPU.

        What it had waited by then did not make it late to read the answer.
        """
        self._looked_delay = self._clock.runner_times.waited

    def settle(self, at: float, has_waited: bool) -> Billing:
        """End the question, its answer read at this time by the clock, and return its billing.

        `has_waited`: the loop waited for the answer.
        """
        if self._paused is not None:
            self.resume()
        self.deadline = inf
        self._is_running = False
        if self.lateness:
            return Billing(self._late_seconds, 0.0)
        wall = max(0.0, at - self._began)  # a standstill that began before the question sets the clock back beyond that
        if not has_waited:
            return Billing(self._bill(wall), 0.0)
        earliest, latest = (max(0.0, moment - self._began) for moment in self._clock.arrival_window())
        if latest < NEGLIGIBLE_SECONDS:
            earliest = latest
        thought = earliest
        if earliest < latest and self._gauge is not None:
            thought = min(latest, max(earliest, self._gauge.read().computed - self._times.computed))
        return Billing(self._bill(thought), max(0.0, wall - thought))

    def extra_seconds(self) -> float:
        """Return how much longer than its limit the question may take, because the runner stood still meanwhile."""
        return self._clock.stood_still - self._stood_still

    def runner_waited(self) -> float:
        """Return for how long the runner is known to have waited for a CPU since the question began."""
        return self._clock.runner_times.waited - self._runner_waited

    def usage(self) -> CpuUsage:
        """Return wall time and runnable time of the current question so far; zeros if there is none."""
        if not self._is_running:
            return NO_USAGE
        runnable = 0.0 if self._gauge is None else self.runnable_seconds() - sum(self._times)
        return CpuUsage(self._wall(), runnable)

    def runnable_seconds(self) -> float:
        """Return the seconds the bot has computed or waited for a CPU since its start; 0 if unknown."""
        return 0.0 if self._gauge is None else sum(self._gauge.read())

    def is_runnable(self) -> bool:
        """Tell whether a thread of the bot is computing or waiting for a CPU now."""
        return self._gauge is not None and self._gauge.is_runnable()

    def computed_seconds(self, *, exactly: bool) -> float:
        """Return the seconds the bot has computed since its start, `exactly` with those of new processes."""
        if self._gauge is None:
            return 0.0
        return (self._gauge.read_all() if exactly else self._gauge.read()).computed

    def read_between_questions(self) -> float:
        """Return the seconds the bot has computed since its start; a question that soon follows reads nothing more."""
        if self._gauge is None:
            return 0.0
        self._looked_times = self._gauge.read_exactly()
        self._was_read = self._clock.now()
        return self._looked_times.computed

    def check_deadline(self, has_output: Callable[[], bool]) -> bool:
        """Return whether the question has just ended without an answer; `lateness` then says by whose fault.

        By the bot's: its billed time is over, and no answer is in the pipe. (An answer that is still there after
        LATE_READ_GRACE checks is late too.) By the machine's: the question has lasted WALL_FACTOR times as long, and
        WALL_SECONDS longer, as it may, and yet the bot was not given its time.
        """
        if self.deadline == inf or self._paused is not None or self._wall() < SLOW_SECONDS:
            return False
        look = self._look_at_thinker()
        if self._grace_checks < LATE_READ_GRACE and has_output():
            self._grace_checks += 1
            return False  # the time since the last look is billed when the runner, which is late, has read it
        self._add_look(look)
        now = look.at
        wall = now - self._began
        is_over = wall >= WALL_FACTOR * self._limit + WALL_SECONDS
        if now <= self.deadline and not is_over:
            return False
        billed, limit = self._billed_seconds(wall), self._limit + self.extra_seconds()
        if not is_over and billed < limit:
            self.deadline = now + limit - billed  # time that was not billed is given back
            return False
        self.deadline = inf
        self.lateness = "machine" if billed < limit else "bot"
        self._late_seconds = billed
        return True

    def _wall(self) -> float:
        return self._clock.now() - self._began

    def _bill(self, wall: float) -> float:
        """Return the seconds billed for an answer that came `wall` seconds after the question."""
        if wall < NEGLIGIBLE_SECONDS or self._gauge is None:
            return wall
        self._add_look(self._look_at_answer(wall))
        billed = self._billed_seconds(wall)
        if wall >= SLOW_SECONDS:
            self._gauge.follow_busiest()
        return billed

    def _billed_seconds(self, wall: float) -> float:
        computed = self._looked_times.computed - self._times.computed
        return min(wall, max(computed, wall - self._taken))

    def _look_at_thinker(self) -> Look:
        """Look at a bot that has not answered yet.

        The runner may have to wait for a CPU anywhere in here, and the bot get on meanwhile. So what is read first is
        what the later readings make up for: a wait that ends after `is_runnable` is in the times, and what the runner
        waits after its delay was read is in the delay at the next look. Whether there is an answer is asked last of
        all, by the caller.
        """
        if self._gauge is None:
            return Look(self._clock.now(), NO_TIMES, 0.0, "asleep")
        self._gauge.read_all()
        state: ThinkerState = "runnable" if self._gauge.is_runnable() else "asleep"
        self._clock.note_times()
        delay, at = self._clock.runner_times.waited, self._clock.now()
        return Look(at, self._gauge.read(), delay, state)

    def _look_at_answer(self, wall: float) -> Look:
        """Look at a bot that answered `wall` seconds after the question."""
        assert self._gauge is not None
        self._clock.note_times()
        at, delay, times = self._began + wall, self._clock.runner_times.waited, self._gauge.read()
        if wall >= SLOW_SECONDS and self._idle_seconds(at, times) > NEGLIGIBLE_SECONDS:
            times = self._gauge.read_all()
        return Look(at, times, delay, "answered")

    def _idle_seconds(self, at: float, times: CpuTimes) -> float:
        return at - self._looked - (times.computed - self._looked_times.computed)

    def _add_look(self, look: Look) -> None:
        """Add to `_taken` what others took since the last look."""
        idle = self._idle_seconds(look.at, look.times)
        if idle > 0.0:
            waited = look.times.waited - self._looked_times.waited
            if look.state == "answered":
                waited = max(waited, look.runner_delay - self._looked_delay)
            elif look.state == "runnable":
                waited = idle  # a wait that lasts: the system counts it when it is over
            self._taken += min(idle, waited)
        self._looked = self._was_read = look.at
        self._looked_times, self._looked_delay = look.times, look.runner_delay
