"""The processes of a run: workers, reapers, bots; and the wait until they have gone."""

from __future__ import annotations

import fcntl
import os
import select
import subprocess
from collections.abc import Callable, Iterable
from contextlib import suppress
from time import monotonic, sleep
from typing import Final, TypeVar

from tests.soak.process_watch import SeenProcess, find_descendants, list_processes

TIMEOUT_S: Final = 600  # only a run that hangs is ever waited for so long
LOOK_S: Final = 0.01
PIPE_BYTES: Final = 4_096  # about fifteen lines of JSON

T = TypeVar("T")


def limit_lead(runner: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    """Make the pipe of a run short: the run waits when it is some games ahead of what is read of it."""
    assert runner.stdout
    fcntl.fcntl(runner.stdout, fcntl.F_SETPIPE_SZ, PIPE_BYTES)


def wait_for(condition: Callable[[], T | None], runner: subprocess.Popen[str] | subprocess.Popen[bytes]) -> T:
    """Look again and again until something is so, and return it; the runner must go on meanwhile."""
    until = monotonic() + TIMEOUT_S
    while not (found := condition()):
        assert runner.poll() is None, "the run has ended"
        assert monotonic() < until, "it did not come to that"
        sleep(LOOK_S)
    return found


def run_processes(runner: int) -> list[SeenProcess]:
    """Return all that a runner has started, and what that has started."""
    return find_descendants(runner, list_processes())


def worker_processes(runner: int) -> list[SeenProcess]:
    """Return the worker processes of a runner."""
    return [
        one
        for one in run_processes(runner)
        if one.parent == runner and "pitboss_tournament.running.worker" in one.command_line
    ]


def bot_processes(runner: int, marker: str = "/zoo/") -> list[SeenProcess]:
    """Return the bots of a runner: those in whose command line this stands."""
    return [one for one in run_processes(runner) if marker in one.command_line]


def wait_exited(exiting: Iterable[SeenProcess]) -> None:
    """Wait until processes have ended."""
    for process in exiting:
        with suppress(ProcessLookupError):
            descriptor = os.pidfd_open(process.pid)
            readable = process not in list_processes().values() or select.select([descriptor], [], [], TIMEOUT_S)[0]
            os.close(descriptor)
            assert readable, f"{process} lives on"
