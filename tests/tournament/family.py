"""The processes of a run: workers, guardians, bots; and the wait until they have gone."""

from __future__ import annotations

import os
import select
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from tests.soak.watch import Process, descendants, processes

PATIENCE_S: Final = 20


def family(runner: int) -> list[Process]:
    """Return all that a runner has started, and what that has started."""
    return descendants(runner, processes())


def workers(runner: int) -> list[Process]:
    """Return the worker processes of a runner."""
    return [one for one in family(runner) if one.parent == runner and "pitboss_tournament.playing.worker" in one.words]


def bots(runner: int, named: str = "/zoo/") -> list[Process]:
    """Return the bots of a runner: those in whose command line this stands."""
    return [one for one in family(runner) if named in one.words]


def wait_gone(gone: Iterable[Process]) -> None:
    """Wait until processes have ended."""
    for process in gone:
        with suppress(ProcessLookupError):
            descriptor = os.pidfd_open(process.pid)
            readable = process not in processes().values() or select.select([descriptor], [], [], PATIENCE_S)[0]
            os.close(descriptor)
            assert readable, f"{process} lives on"
