"""Simulated time: a clock that a test advances, and gauges that show what the test says."""

from __future__ import annotations

from collections.abc import Callable

from pitboss_tournament.processes.clocks import Billing, LoopClock, QuestionTimer
from pitboss_tournament.processes.cpu import CpuTimes


class ManualTime:
    """Time in seconds that stands still until it is advanced."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.seconds

    def advance(self, seconds: float) -> None:
        """Let some time pass."""
        self.seconds += seconds


class SteppedGauge:
    """CPU times of a bot that does not exist."""

    def __init__(self) -> None:
        self.computed = self.waited = self.unseen = 0.0
        self.has_runnable_thread = False
        self.is_closed = False
        self.readings = 0
        self.before_look: Callable[[], None] = lambda: None  # what happens before each look at the bot

    def read(self) -> CpuTimes:
        """Return the seconds computed and waited, without `unseen`."""
        self.before_look()
        self.readings += 1
        return CpuTimes(self.computed, self.waited)

    def read_all(self) -> CpuTimes:
        """Return the seconds computed and waited; from now on `unseen` is seen."""
        self.computed += self.unseen
        self.unseen = 0.0
        return self.read()

    def read_exactly(self) -> CpuTimes:
        """Return the seconds computed and waited, as `read_all`."""
        return self.read_all()

    def is_runnable(self) -> bool:
        """Tell what the test says."""
        self.before_look()
        return self.has_runnable_thread

    def follow_busiest(self) -> None:
        """Do nothing: there is one thread."""

    def close(self) -> None:
        """Note that the gauge is not needed any more."""
        self.is_closed = True


class SimulatedQuestion:
    """A bot and its runner on simulated time. The bot has just been asked."""

    def __init__(self, limit: float = 1.0, has_gauge: bool = True) -> None:
        self.time = ManualTime()
        self.bot = SteppedGauge()
        self.runner_delay = 0.0
        self._stood_still = 0.0
        self.clock = LoopClock(self.time, self._runner_times)
        self.timer = QuestionTimer(self.clock)
        self.timer.attach_gauge(self.bot if has_gauge else None)
        self.wait_in_loop(0.5)  # the process has been running for a while
        self.timer.start(limit)

    def settle(self, has_waited: bool) -> Billing:
        """End the question: the runner has its answer now."""
        return self.timer.settle(self.clock.now(), has_waited)

    def stand_still(self, seconds: float, computed: float = 0.0) -> None:
        """Let time pass in which the runner is stopped, while the bot computes, or is stopped too."""
        self._stood_still += seconds
        self.pass_time(seconds, computed)

    def _runner_times(self) -> CpuTimes:
        """Return the CPU times of a runner that is busy whenever it neither stands still nor lacks a CPU."""
        return CpuTimes(self.time() - self._stood_still - self.runner_delay, self.runner_delay)

    def wait_in_loop(self, seconds: float, computed: float = 0.0, waited: float = 0.0) -> None:
        """Let the loop wait, during which the bot computes and waits for a CPU."""
        self.clock.before_io_wait(0.0)
        self.pass_time(seconds, computed, waited)
        self.clock.after_io_wait(0.0)

    def pass_time(self, seconds: float, computed: float = 0.0, waited: float = 0.0) -> None:
        """Let time pass while the runner is busy, during which the bot computes and waits for a CPU."""
        self.time.advance(seconds)
        self.bot.computed += computed
        self.bot.waited += waited


def has_output() -> bool:
    """Tell that an answer is in the pipe."""
    return True


def has_no_output() -> bool:
    """Tell that the pipe is empty."""
    return False
