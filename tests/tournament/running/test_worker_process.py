"""Worker processes that are forked before a run: in order, alone with their pipes, and gone when nobody needs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests import ROOT
from tests.tournament.command_line import TIMEOUT_S

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what a process has open is read in /proc"),
]

BEGIN: Final = """
import os, subprocess, sys, threading, time
from pathlib import Path
from pitboss.plugins.registry import Registry
from pitboss_tournament.running.worker_process import WorkerSetup, fork_workers, start_worker
from tests.soak.process_watch import WORKER, find_descendants, list_processes

ONE, OTHER = WorkerSetup(1, None), WorkerSetup(2, None)
magpie = Registry().find_game("magpie")

def list_children():
    return find_descendants(os.getpid(), list_processes())

def wait_for_workers(number):
    while len(found := [one for one in list_children() if one.command_line.startswith(WORKER)]) < number:
        time.sleep(0.01)
    return found
"""


def run_script(code: str, *words: str) -> str:
    """Return what a program of its own prints: pytest may have threads, and a process that has some does not fork."""
    command = [sys.executable, "-c", BEGIN + code, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=TIMEOUT_S)
    assert done.stderr == ""
    return done.stdout.strip()


@pytest.mark.long
def test_a_worker_that_is_there_is_taken_once() -> None:
    """A worker that is there is taken once, for its own setup only; the next one for that setup is another Python. Both
    end with their standard input.
    """
    taken = """
with fork_workers([ONE], magpie):
    wait_for_workers(1)
    for setup in (OTHER, ONE, ONE):
        worker = start_worker(setup)
        os.close(worker.stdin)
        print(type(worker.process).__name__, worker.process.wait())
"""

    assert run_script(taken).splitlines() == ["Popen 0", "ForkedProcess 0", "Popen 0"]


def test_a_forked_worker_has_nothing_else_open(tmp_path: Path) -> None:
    """A forked worker has neither a file open that its parent has locked nor the pipes of another worker, which would
    never end.
    """
    files = """
with open(sys.argv[1], "w"), fork_workers([ONE, OTHER], magpie):
    for worker in wait_for_workers(2):
        print(*{os.readlink(file).split(":")[0] for file in Path(f"/proc/{worker.pid}/fd").iterdir()} & {sys.argv[1]})
    first = start_worker(ONE)
    os.close(first.stdin)
    print(first.process.wait())
"""

    assert run_script(files, str(tmp_path / "locked")).split() == ["0"]


def test_a_worker_that_nobody_needs_ends_with_the_block() -> None:
    """A worker that nobody needs gets no message, and is no child any more after the block."""
    unneeded = """
with fork_workers([ONE, OTHER], magpie):
    wait_for_workers(2)
print(len(list_children()))
"""

    assert run_script(unneeded) == "0"


def test_a_process_with_threads_forks_no_workers() -> None:
    """A process with threads forks no workers: a lock that another thread holds would be held for ever in the fork."""
    threads = """
held = threading.Event()
threading.Thread(target=held.wait).start()
with fork_workers([ONE], magpie):
    print(len(list_children()))
held.set()
"""

    assert run_script(threads) == "0"
