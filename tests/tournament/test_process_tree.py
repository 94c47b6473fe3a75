"""What the system tells of a bot's processes, with and without a sandbox."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from pitboss_tournament.plan.limits import MEBIBYTE
from pitboss_tournament.plan.plan import SandboxMode
from pitboss_tournament.processes import process_tree
from pitboss_tournament.processes.cpu import CpuGauge
from tests.tournament.sandbox_programs import needs_bubblewrap, python_entrant, start_program

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells it"),
]

MODES = [pytest.param("bubblewrap", marks=needs_bubblewrap), "none"]
HOLDING_BOT = """
import os, sys, time
held = b"x" * (40 << 20)
for _ in range(3):
    if os.fork() == 0:
        {child}
        print("!", flush=True)
        time.sleep(60)
print("!", flush=True)
time.sleep(60)
"""
EXITED_PID = 4_194_304  # more than a process number can be


def wait_for_lines(popen: subprocess.Popen[str], count: int = 4) -> None:
    """Wait until the bot and its children are ready."""
    assert popen.stdout
    for _ in range(count):
        assert popen.stdout.readline()


@pytest.mark.parametrize("mode", MODES)
def test_shared_memory_counts_once(mode: SandboxMode) -> None:
    """Children that share their parent's memory do not use it up again: near the limit it is counted exactly."""
    with start_program(python_entrant(HOLDING_BOT.format(child="pass")), mode) as (popen, _, tree):
        wait_for_lines(popen)

        assert tree.memory_bytes(10_000 * MEBIBYTE) > 100 * MEBIBYTE
        assert 40 * MEBIBYTE < tree.memory_bytes(50 * MEBIBYTE) < 80 * MEBIBYTE


@pytest.mark.parametrize("mode", MODES)
def test_memory_of_all_processes(mode: SandboxMode) -> None:
    """What each child holds of its own is counted for the bot."""
    with start_program(python_entrant(HOLDING_BOT.format(child="mine = bytearray(b'y' * (30 << 20))")), mode) as (
        popen,
        _,
        tree,
    ):
        wait_for_lines(popen)

        assert tree.memory_bytes(50 * MEBIBYTE) > 130 * MEBIBYTE


@needs_bubblewrap
def test_memory_of_a_daemon() -> None:
    """Nor can it be hidden in a process that has left its parent and its session."""
    child = "os.setsid()\n        if os.fork(): os._exit(0)\n        mine = bytearray(b'y' * (30 << 20))"
    with start_program(python_entrant(HOLDING_BOT.format(child=child))) as (popen, _, tree):
        wait_for_lines(popen)

        assert tree.memory_bytes(50 * MEBIBYTE) > 130 * MEBIBYTE


@needs_bubblewrap
@pytest.mark.parametrize(
    "code",
    [
        pytest.param("open('/tmp/x', 'wb').write(b'x' * (20 << 20))", id="one large file"),
        pytest.param("for n in range(20 << 10): open(f'/tmp/{n}', 'wb').close()", id="many empty files"),
    ],
)
def test_memory_of_files(code: str) -> None:
    """The bot's /tmp is memory too: what lies there counts, and even empty files do."""
    with start_program(python_entrant(f"{code}\nprint(flush=True)\ninput()")) as (popen, _, tree):
        wait_for_lines(popen, 1)

        assert tree.memory_bytes(10_000 * MEBIBYTE) > 20 * MEBIBYTE


@needs_bubblewrap
def test_memory_while_it_starts() -> None:
    """At no moment of its start does a bot seem to hold what lies on our disk."""
    for _ in range(5):
        with start_program(python_entrant("print(flush=True)")) as (popen, _, tree):
            while popen.poll() is None:
                assert tree.memory_bytes(10_000 * MEBIBYTE) < 100 * MEBIBYTE


@pytest.mark.parametrize("mode", MODES)
def test_own_process(mode: SandboxMode) -> None:
    """It is the bot's program, not one of those that started it; it is alone until it starts another."""
    code = "import os\nprint(flush=True)\ninput()\nif os.fork() == 0: os.read(0, 1)\nprint(flush=True)\ninput()"
    with start_program(python_entrant(code), mode) as (popen, _, tree):
        wait_for_lines(popen, 1)
        pid = tree.program_pid()
        assert pid
        assert "python" in Path(f"/proc/{pid}/cmdline").read_text()
        assert Path(f"/proc/{pid}/comm").read_text().startswith("python")

        gauge = CpuGauge(pid)
        assert gauge.is_alone()
        assert popen.stdin
        popen.stdin.write("\n")
        popen.stdin.flush()
        wait_for_lines(popen, 1)
        assert not gauge.is_alone()
        gauge.close()


@pytest.mark.parametrize("mode", MODES)
def test_time_computed(mode: SandboxMode) -> None:
    """A reading is the process's own CPU time, whatever else the machine does; after its end the last value stays."""
    code = "import time\nwhile True:\n    print(time.process_time(), flush=True)\n    input()"
    with start_program(python_entrant(code), mode) as (popen, _, tree):
        assert popen.stdin and popen.stdout
        told = [float(popen.stdout.readline())]
        pid = tree.program_pid()
        assert pid
        gauge = CpuGauge(pid)
        first, _ = gauge.read()
        popen.stdin.write("\n")
        popen.stdin.flush()
        told.append(float(popen.stdout.readline()))
        second, _ = gauge.read()

    readings = [told[0], first, told[1], second, gauge.read()[0]]
    assert all(before <= after + 1e-6 for before, after in pairwise(readings)), readings  # one is rounded
    gauge.close()


def test_process_that_is_gone() -> None:
    """It has no children, no memory and no time, and that is no error."""
    gauge = CpuGauge(EXITED_PID)

    assert (
        process_tree.descendants(EXITED_PID),
        process_tree.child_pids(EXITED_PID),
        process_tree.memory_bytes([EXITED_PID], 0),
        process_tree.tmpfs_bytes(EXITED_PID),
    ) == ([], [], 0, 0)
    assert process_tree.tmpfs_bytes(os.getpid()) == 0
    assert (gauge.read(), gauge.is_alone()) == ((0.0, 0.0), True)
    process_tree.prefer_oom_kill(EXITED_PID)
    tree = process_tree.ProcessTree(EXITED_PID)
    assert (tree.init_pid(), tree.program_pid(), tree.memory_bytes(0)) == (None, None, 0)


def test_descriptors_are_given_back() -> None:
    """A watch over a bot leaves nothing open behind it."""
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    with start_program(python_entrant(HOLDING_BOT.format(child="pass")), "none") as (popen, _, tree):
        wait_for_lines(popen)
        for _ in range(12):
            tree.memory_bytes(MEBIBYTE)

    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
