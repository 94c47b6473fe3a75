"""The processes of a run: workers, guardians, bots; and the wait until they have gone."""

from __future__ import annotations

import os
import select
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from tests.soak.process_watch import SeenProcess, find_descendants, list_processes

TIMEOUT_S: Final = 20


def run_processes(runner: int) -> list[SeenProcess]:
    """Return all that a runner has started, and what that has started."""
    return find_descendants(runner, list_processes())


def worker_processes(runner: int) -> list[SeenProcess]:
    """Return the worker processes of a runner."""
    return [
        one
        for one in run_processes(runner)
        if one.parent == runner and "pitboss_tournament.playing.worker" in one.command_line
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
