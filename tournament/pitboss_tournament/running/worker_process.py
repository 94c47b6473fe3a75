"""Worker processes as their parent starts them: forked off it before it runs trio, or else as another Python.

A fork shares the memory of what has been imported, and can play at once. It is only taken of a process that has one
thread, and does not run trio: what it forks is in order. So a run forks its workers first. One that is needed later,
in place of one that has died, is another Python, which imports all that it needs.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple, NoReturn, Protocol

from pitboss.game import AnyGame
from pitboss_tournament.processes.start_errors import MachineError
from pitboss_tournament.running.worker import be_worker

# -P: a file in the current folder must not take the place of a standard module
_COMMAND: Final = (sys.executable, "-P", "-m", "pitboss_tournament.running.worker")
_STREAMS: Final = 3  # standard input, output and error
_ARGUMENTS: Final = slice(45, 47)  # of `stat` behind the name (proc(5)): where the command line begins and ends


class WorkerSetup(NamedTuple):
    """What a worker process is given of the machine."""

    cpu_slots: int  # number of its bots that may compute at once
    cpu: int | None  # its processor; None: any


class ChildProcess(Protocol):
    """A child of this process."""

    @property
    def returncode(self) -> int | None:
        """Its exit status, as `subprocess` has it, once `poll` has found that it has ended."""

    def poll(self) -> int | None:
        """Return its exit status; None as long as it runs."""

    def wait(self) -> int:
        """Wait until it has ended; return its exit status."""

    def kill(self) -> None:
        """Kill it, if it runs."""


class StartedWorker(NamedTuple):
    """A worker process with the descriptors of its pipes, which belong to whoever takes it."""

    process: ChildProcess
    stdin: int  # to write to
    stdout: int  # to read from
    stderr: int


class ForkedProcess:
    """A child that this process has forked, and waits for."""

    def __init__(self, pid: int) -> None:
        self.returncode: int | None = None
        self._pid = pid

    def poll(self) -> int | None:
        """Return its exit status; None as long as it runs."""
        if self.returncode is None:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode

    def wait(self) -> int:
        """Wait until it has ended; return its exit status."""
        if self.returncode is None:
            self.returncode = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        return self.returncode

    def kill(self) -> None:
        """Kill it, if it runs."""
        if self.poll() is None:
            os.kill(self._pid, signal.SIGKILL)


_forked: Final[dict[WorkerSetup, list[StartedWorker]]] = {}  # that nobody has taken yet


@contextmanager
def fork_workers(setups: Sequence[WorkerSetup], game: AnyGame) -> Iterator[None]:
    """Context manager: `start_worker` takes workers that are there already, one for each of these setups.

    To be called before trio runs, and while little is in memory. They play the game as it has been imported. A process
    with several threads does not fork.

    Raises:
        MachineError: the machine cannot start any program now.
    """
    try:
        if hasattr(os, "fork") and threading.active_count() == 1:
            gc.freeze()  # a collection would write to the pages that they share
            for setup in setups:
                _forked.setdefault(setup, []).append(_fork_worker(setup, game))
        yield
    finally:
        for setup in setups:
            for worker in _forked.pop(setup, ()):
                _end_worker(worker)


def start_worker(setup: WorkerSetup) -> StartedWorker:
    """Return a worker process: one that has been forked, or else another Python.

    Raises:
        MachineError: the machine cannot start any program now.
    """
    if there := _forked.get(setup):
        return there.pop()
    # Not by trio's `open_process`: that forks in a helper thread, whose end would send the worker its death signal.
    pipe = subprocess.PIPE
    try:
        popen = subprocess.Popen(worker_command(setup), bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe)
    except OSError as error:
        raise describe_failed_start(error) from None
    assert popen.stdin and popen.stdout and popen.stderr
    with popen.stdin as stdin, popen.stdout as stdout, popen.stderr as stderr:
        return StartedWorker(popen, *(os.dup(stream.fileno()) for stream in (stdin, stdout, stderr)))


def worker_command(setup: WorkerSetup) -> Sequence[str]:
    """Return the command of a worker of this process."""
    cpu = [] if setup.cpu is None else [setup.cpu]
    return [*_COMMAND, *map(str, (os.getpid(), setup.cpu_slots, *cpu))]


def _fork_worker(setup: WorkerSetup, game: AnyGame) -> StartedWorker:
    parent = os.getpid()
    for stream in (sys.stdout, sys.stderr):  # what waits in their buffers would be written twice
        stream.flush()
    with ExitStack() as ours, ExitStack() as theirs:
        try:
            files = [_open_pipe(ours, theirs, is_to_worker=number == 0) for number in range(_STREAMS)]
            pid = os.fork()
        except OSError as error:
            raise describe_failed_start(error) from None
        if not pid:
            _be_forked_worker([there for _, there in files], parent, setup, game)
        ours.pop_all()
    return StartedWorker(ForkedProcess(pid), *(here for here, _ in files))


def _open_pipe(ours: ExitStack, theirs: ExitStack, is_to_worker: bool) -> tuple[int, int]:
    """Return the descriptors of a new pipe, ours and the worker's, which these stacks close."""
    reading, writing = os.pipe()
    here, there = (writing, reading) if is_to_worker else (reading, writing)
    ours.callback(os.close, here)
    theirs.callback(os.close, there)
    return here, there


def _be_forked_worker(files: Sequence[int], parent: int, setup: WorkerSetup, game: AnyGame) -> NoReturn:
    """Be a worker in a process that has just been forked, with these files as standard input, output and error."""
    try:
        copies = [os.dup(file) for file in files]  # one of them may be where another belongs
        for standard, copy in enumerate(copies):
            os.dup2(copy, standard)
        os.closerange(_STREAMS, os.sysconf("SC_OPEN_MAX"))  # locks and pipes that are the parent's
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _change_command_line(f"{be_worker.__module__} {parent}")
        be_worker(parent, setup.cpu_slots, setup.cpu, known=game)
    except Exception:  # noqa: BLE001 - a bug of ours, for the parent to tell
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(1)  # in no case the parent's code goes on here


def _change_command_line(words: str) -> None:
    """Have `ps` show these words for this process, as far as there is room for them, if the system (Linux) lets it."""
    with suppress(OSError):
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        start, end = map(int, fields[_ARGUMENTS])
        if start:
            room = end - start
            ctypes.memmove(start, words.encode()[: room - 1].ljust(room, b"\0"), room)


def _end_worker(worker: StartedWorker) -> None:
    """Kill a worker that nobody has told anything."""
    worker.process.kill()
    worker.process.wait()
    for descriptor in worker[1:]:
        os.close(descriptor)


def describe_failed_start(error: OSError) -> MachineError:
    """Return the error that says why the system has no room for a worker process."""
    return MachineError(f"a worker process cannot be started: {error.strerror}", "no_process")
