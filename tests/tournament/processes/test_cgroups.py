"""Control groups of this machine: what is done to a group is done to all processes in it."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from pitboss_tournament.plan.limits import MEBIBYTE
from pitboss_tournament.processes import reaper
from pitboss_tournament.processes.cgroups import ControlGroup, find_group_parents
from tests.tournament.sandbox_programs import make_mark

pytestmark = pytest.mark.once


@pytest.fixture
def group() -> Iterator[ControlGroup]:
    """Return an empty control group."""
    if not find_group_parents().folders:
        pytest.skip("this user can make no control groups here")
    group = ControlGroup(make_mark(), find_group_parents())
    try:
        yield group
    finally:
        group.remove()


def start_python(group: ControlGroup, code: str) -> subprocess.Popen[str]:
    """Start a program in Python in a group."""
    command = [*group.join_args(), sys.executable, "-I", "-S", "-c", code]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_computing_of_reaped_children(group: ControlGroup) -> None:
    """The computing of a child is counted when the child has been reaped."""
    code = "import os, time\nif os.fork() == 0:\n    while time.process_time() < 0.2: pass\nelse: os.wait()"
    start_python(group, code).communicate()

    computed = group.computed_seconds()
    if computed is None:
        pytest.skip("cgroup v2 is not mounted")
    assert computed >= 0.2


def test_frozen_group(group: ControlGroup) -> None:
    """A frozen process goes on when it is thawed; a frozen process can be killed."""
    if not group.can_freeze:
        pytest.skip("cgroup v2 is not mounted")
    with start_python(group, "import os\nwhile True: os.write(1, os.read(0, 1))") as echo:
        assert echo.stdin and echo.stdout
        group.set_frozen(True)
        while not group.is_frozen():
            pass
        group.set_frozen(False)
        echo.stdin.write("x")
        echo.stdin.flush()

        assert echo.stdout.read(1) == "x"

        group.set_frozen(True)
        group.kill()
        assert echo.wait() == -signal.SIGKILL


def test_group_out_of_memory(group: ControlGroup) -> None:
    """Memory that no process has mapped counts: the system ends the process that asks for more than the limit."""
    if not group.limits_memory:
        pytest.skip("no memory controller")
    group.limit_memory(64 * MEBIBYTE)
    code = "import os\nfile = os.memfd_create('x')\nfor _ in range(200): os.write(file, bytes(1 << 20))"

    assert not group.has_run_out_of_memory()
    with start_python(group, code) as bot:
        assert bot.wait() == -signal.SIGKILL
    assert group.has_run_out_of_memory()


def test_killed_runner() -> None:
    """The reaper ends what is in the groups of a dead runner, removes them, and leaves those of others alone."""
    parents = find_group_parents()
    if not parents.folders:
        pytest.skip("this user can make no control groups here")
    mark, other = reaper.make_mark("secret"), reaper.make_mark("another's")
    group, spared = ControlGroup(mark, parents), ControlGroup(other, parents)
    with start_python(group, "input()") as bot:
        command = [sys.executable, "-I", "-S", reaper.__file__, *map(str, parents.folders)]
        subprocess.run(command, input=b"secret\n", check=True)

        assert bot.wait() == -signal.SIGKILL
        assert not [name for folder in parents.folders for name in folder.glob(f"pitboss-{mark}")]
    assert [name for folder in parents.folders for name in folder.glob(f"pitboss-{other}")]
    spared.remove()
