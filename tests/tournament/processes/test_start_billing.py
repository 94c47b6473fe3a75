"""What a bot is billed for its start: its own time, and not what the making of its sandbox waits for."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from pitboss_tournament.processes.clocks import WALL_FACTOR, WALL_SECONDS, LoopClock, QuestionTimer
from pitboss_tournament.processes.cpu import NO_TIMES, BotGauge
from pitboss_tournament.processes.process_tree import ProcessTree
from tests.tournament.sandbox_programs import needs_bubblewrap, python_entrant, start_program
from tests.tournament.simulated_time import ManualTime, has_no_output

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells it"),
]


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    """Return a process that sleeps, without a filter of system calls."""
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as popen:
        assert popen.stdin and popen.stdout
        popen.stdin.write(b"!")
        popen.stdin.flush()
        assert popen.stdout.read(1)
        yield popen
        popen.kill()


class SimulatedStart:
    """The question `hello` on simulated time, put to real processes, that are looked at as the watchdog does."""

    def __init__(self, gauge: BotGauge, limit: float) -> None:
        self._time = ManualTime()
        self.timer = QuestionTimer(LoopClock(self._time, lambda: NO_TIMES._replace(computed=self._time.seconds)))
        self.timer.attach_gauge(gauge)
        self.timer.start(limit)

    def is_over_after(self, seconds: float) -> bool:
        """Let time pass, and tell whether the question has ended without an answer."""
        self._time.advance(seconds)
        return self.timer.check_deadline(has_no_output)


def test_a_sandbox_that_is_made_slowly(sleeper: subprocess.Popen[bytes]) -> None:
    """A bot whose sandbox is made slowly is not late: its launchers wait for the kernel, which has others in front; at
    last the game is void.
    """
    tree = ProcessTree(sleeper.pid, layers=1)
    start = SimulatedStart(BotGauge(tree.pids, lambda: 0.0, tree.has_begun), limit=1.0)

    assert not start.is_over_after(1.5)
    assert start.is_over_after(WALL_FACTOR + WALL_SECONDS)
    assert start.timer.lateness == "machine"


def test_a_program_that_sleeps_at_its_start(sleeper: subprocess.Popen[bytes]) -> None:
    """A program that sleeps at its start is billed for its sleep, as at any other question."""
    tree = ProcessTree(sleeper.pid, layers=0)
    gauge = BotGauge(tree.pids, lambda: 0.0, tree.has_begun)
    while gauge.is_runnable():  # it has been started, and may run for a moment
        time.sleep(0.01)
    start = SimulatedStart(gauge, limit=1.0)

    assert start.is_over_after(1.5)
    assert start.timer.lateness == "bot"


@needs_bubblewrap
def test_the_moment_when_a_program_begins() -> None:
    """Once a bot could say anything, its sandbox has been made: from then on its sleep is billed."""
    entrant = python_entrant("import time; print(1, flush=True); time.sleep(600)")
    with start_program(entrant, "bubblewrap") as (popen, _, tree):
        assert popen.stdout
        assert popen.stdout.readline()

        assert tree.has_begun()
        gauge = BotGauge(tree.pids, lambda: 0.0, tree.has_begun)
        while gauge.is_runnable():  # it has spoken, and may run for a moment
            pass
        assert SimulatedStart(gauge, limit=1.0).is_over_after(1.5)


def test_a_process_that_is_gone() -> None:
    """A process that is gone has no start to wait for."""
    with subprocess.Popen(["true"]) as popen:
        tree = ProcessTree(popen.pid, layers=1)
        popen.wait()

    assert tree.has_begun()
