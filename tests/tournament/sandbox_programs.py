"""Programs that run in the sandbox as bots do, for its tests."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import pytest

from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import Entrant, SandboxLevel
from pitboss_tournament.processes import reaper
from pitboss_tournament.processes.bot_launch import BotLaunch
from pitboss_tournament.processes.cgroups import ControlGroup
from pitboss_tournament.processes.process_tree import ProcessTree
from pitboss_tournament.processes.sandbox import build_launch
from pitboss_tournament.processes.sandbox_probe import probe_bubblewrap, probe_landlock

SYSTEM_PYTHON: Final = "/usr/bin/python3"
PYTHONS: Final = [
    pytest.param(sys.executable, id="our Python"),
    pytest.param(
        SYSTEM_PYTHON,
        id="the system's Python",
        marks=pytest.mark.skipif(not Path(SYSTEM_PYTHON).exists(), reason=f"there is no {SYSTEM_PYTHON}"),
    ),
]
TIMEOUT_S: Final = 600

needs_bubblewrap = pytest.mark.skipif(probe_bubblewrap().problem is not None, reason=probe_bubblewrap().sentence)
needs_landlock = pytest.mark.skipif(probe_landlock().problem is not None, reason=probe_landlock().sentence)


class ProgramResult(NamedTuple):
    """How a program in the sandbox ended, and what it wrote."""

    status: int
    out: str
    err: str


def make_mark() -> str:
    """Return the mark of a bot. No other test has it: whatever carries a mark may be killed."""
    return reaper.make_mark("test")


def make_entrant(
    *command: str, folder: Path | None = None, limits: Limits | None = None, hidden: tuple[Path, ...] = ()
) -> Entrant:
    """Return a bot that is started by this command."""
    return Entrant(name="bot", command=command, folder=folder, limits=limits or Limits(), hidden=hidden)


def python_entrant(
    code: str, program: str = sys.executable, folder: Path | None = None, limits: Limits | None = None
) -> Entrant:
    """Return a bot that is but this code."""
    return make_entrant(program, "-S", "-c", code, folder=folder, limits=limits)


@contextmanager
def start_program(
    entrant: Entrant,
    mode: SandboxLevel = "bubblewrap",
    *,
    group: ControlGroup | None = None,
    has_filter: bool = True,
) -> Iterator[tuple[subprocess.Popen[str], BotLaunch, ProcessTree]]:
    """Start a bot as the runner does, and end it after the block; on request without the filter of system calls."""
    launch = build_launch(entrant, make_mark(), mode, group)
    if not has_filter:
        launch = msgspec.structs.replace(launch, filter=b"")
    with (
        launch.isolate() as (words, files),
        subprocess.Popen(
            [*launch.join, *words],
            env=launch.env,
            cwd=launch.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=files,
            start_new_session=True,
            text=True,
        ) as popen,
    ):
        tree = ProcessTree(popen.pid, launch.layers)
        try:
            yield popen, launch, tree
        finally:
            tree.kill_init()
            popen.kill()
            launch.remove_temporary()


def run_program(
    entrant: Entrant,
    mode: SandboxLevel = "bubblewrap",
    *,
    group: ControlGroup | None = None,
    has_filter: bool = True,
) -> ProgramResult:
    """Run a bot to its end."""
    with start_program(entrant, mode, group=group, has_filter=has_filter) as (popen, launch, _):
        out, err = popen.communicate(timeout=TIMEOUT_S)
        return ProgramResult(launch.bot_status(popen.returncode), out, err)


def run_for_output(
    entrant: Entrant,
    mode: SandboxLevel = "bubblewrap",
    *,
    group: ControlGroup | None = None,
    has_filter: bool = True,
) -> str:
    """Run a bot to its end; return what it said, without the last line end. It must have ended well."""
    done = run_program(entrant, mode, group=group, has_filter=has_filter)
    assert (done.status, done.err) == (0, ""), done
    return done.out.rstrip("\n")
