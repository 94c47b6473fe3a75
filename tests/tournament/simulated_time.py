"""Simulated time: a clock that a test advances, and gauges that show what the test says."""

from __future__ import annotations

from pitboss_tournament.processes.clocks import LoopClock, QuestionTimer


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
    """CPU times of a process that does not exist."""

    def __init__(self) -> None:
        self.computed = self.waited = 0.0
        self.has_child = False
        self.is_closed = False

    def read(self) -> tuple[float, float]:
        """Return the seconds computed and waited."""
        return self.computed, self.waited

    def is_alone(self) -> bool:
        """Tell whether the process has no running child."""
        return not self.has_child

    def close(self) -> None:
        """Note that the gauge is not needed any more."""
        self.is_closed = True


class SimulatedQuestion:
    """A bot and its runner on simulated time. The bot has just been asked."""

    def __init__(self, limit: float = 1.0, has_gauge: bool = True) -> None:
        self.time = ManualTime()
        self.bot = SteppedGauge()
        self.runner = SteppedGauge()
        self.clock = LoopClock(self.time, self.runner)
        self.timer = QuestionTimer(self.clock)
        self.timer.attach_gauge(self.bot if has_gauge else None)
        self.wait_in_loop(0.5)  # the process has been running for a while
        self.timer.start(limit)

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
