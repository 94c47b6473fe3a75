"""The engine `processes`: workers are processes of this machine, none of which outlives the block of `open_worker`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from math import inf
from typing import Final

import trio

from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.playing import worker_protocol
from pitboss_tournament.playing.engine import AddPlace, Engine, ShowNote, WorkerPlace
from pitboss_tournament.playing.worker_protocol import LineReader, LineWriter, ParentMessage, WorkerMessage, WorkerReady
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.start_errors import MachineError
from pitboss_tournament.text.terminal_text import escape_lines

STOP_SECONDS: Final = 3.0  # for a worker to end by itself: its bots hear their bye
WORKER_EXIT_SECONDS: Final = 1.0  # between the end of its output and its exit status
WORKER_TAIL_BYTES: Final = 1_000  # bytes kept from the end of its standard error

# -P: a file in the current folder must not take the place of a standard module
_COMMAND: Final = (sys.executable, "-P", "-m", "pitboss_tournament.playing.worker")


class WorkerProcess:
    """A worker process."""

    def __init__(self, cpu_slots: int, cpu: int | None) -> None:
        """Start it; raises as `open_worker` does."""
        self.kill_deadline = inf  # by trio's clock: when it is killed; finite once it has been asked to stop
        self._is_ready = False
        self._popen = _spawn_worker(cpu_slots, cpu)
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        with self._popen.stdin as stdin, self._popen.stdout as stdout, self._popen.stderr as stderr:  # opened anew
            self._writer = LineWriter(stdin.fileno())
            self._reader: LineReader[WorkerMessage] = LineReader(stdout.fileno(), worker_protocol.worker_decoder)
            self._stderr = trio.lowlevel.FdStream(os.dup(stderr.fileno()))
        self._stderr_tail = b""
        self._outbox, self._outgoing = trio.open_memory_channel[ParentMessage](inf)

    @property
    def lost_place(self) -> None:
        """None: this machine is there."""

    def send(self, message: ParentMessage) -> None:
        """Queue a message; a worker that does not read blocks nobody."""
        if self.kill_deadline == inf:
            self._outbox.send_nowait(message)

    async def receive(self) -> WorkerMessage | None:
        """Return the worker's next message; None when it has ended.

        Raises:
            WorkerProtocolError: the line is no message.
        """
        message = await self._reader.receive()
        self._is_ready = self._is_ready or isinstance(message, WorkerReady)
        return message

    def request_stop(self) -> None:
        """Ask the worker to stop once it has read its messages."""
        if self.kill_deadline == inf:
            self.kill_deadline = trio.current_time() + STOP_SECONDS
            self._outbox.close()

    def break_off(self) -> None:
        """Ask the worker to stop, in the middle of a game too; kill one that has not begun: it has no bots to warn."""
        self.request_stop()
        if not self._is_ready:
            self._popen.kill()

    def exit_text(self) -> str:
        """Describe how the process ended, with the end of its standard error. Only after the block of `open_worker`."""
        return describe_exit(self._popen.returncode, self._stderr_tail)

    async def forward_messages(self) -> None:
        """Write the queued messages, until the worker is asked to stop."""
        try:
            async for message in self._outgoing:
                await self._writer.send(message)
        except trio.BrokenResourceError:
            pass  # it has died: `receive` will tell
        finally:
            self._writer.close()

    async def drain_stderr(self) -> None:
        """Read standard error, so that the pipe never fills up, and keep its end."""
        async for part in self._stderr:
            self._stderr_tail = (self._stderr_tail + part)[-WORKER_TAIL_BYTES:]

    async def wait_or_kill(self) -> None:
        """Wait until the process has ended; kill it after `kill_deadline`."""
        self.request_stop()
        with trio.move_on_at(self.kill_deadline):
            with suppress(worker_protocol.WorkerProtocolError):
                while await self.receive() is not None:
                    pass
            with suppress(subprocess.TimeoutExpired):
                await self._wait_in_thread(WORKER_EXIT_SECONDS)
        self._popen.kill()
        await self._wait_in_thread(None)
        with suppress(BlockingIOError):  # the last words, which `drain_stderr` may not have seen yet
            self._stderr_tail += os.read(self._stderr.fileno(), worker_protocol.READ_BYTES)

    async def _wait_in_thread(self, seconds: float | None) -> None:
        """Wait for the process in a thread of its own: on a busy machine even killed ones take their time to end."""
        await trio.to_thread.run_sync(self._popen.wait, seconds, limiter=trio.CapacityLimiter(1))

    def close(self) -> None:
        """Give the descriptors back."""
        for stream in (self._reader, self._writer, self._stderr):
            stream.close()


@asynccontextmanager
async def _open_places(plan: Plan, add_place: AddPlace, _: ShowNote) -> AsyncIterator[None]:
    """Context manager: a place for each worker process; this process keeps off their processors meanwhile."""
    cpus = _assign_cpus(plan)
    with _avoid_cpus({cpu for cpu in cpus if cpu is not None}):
        for number, cpu in enumerate(cpus):
            tables = len(range(number, plan.games_at_once, len(cpus)))
            here = partial(open_worker, _count_cpu_slots(plan, cpu), cpu)
            add_place(WorkerPlace(open_worker=here, tables=tables))
        yield


@asynccontextmanager
async def open_worker(cpu_slots: int, cpu: int | None) -> AsyncIterator[WorkerProcess]:
    """Context manager: a worker process, which has ended when the block is left.

    So many of its bots may compute at once, on that processor if one is named.

    Raises:
        MachineError: the machine cannot start any program now.
    """
    worker = WorkerProcess(cpu_slots, cpu)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(worker.forward_messages)
            nursery.start_soon(worker.drain_stderr)
            try:
                yield worker
            finally:
                with trio.CancelScope(shield=True):
                    await worker.wait_or_kill()
                nursery.cancel_scope.cancel()
    finally:
        worker.close()


def _assign_cpus(plan: Plan) -> Sequence[int | None]:
    """Return the processor of each worker, the last ones first; None: any."""
    workers = min(plan.workers, plan.games_at_once)
    if not plan.pinned or not hasattr(os, "sched_setaffinity"):
        return [None] * workers
    ours = sorted(os.sched_getaffinity(0), reverse=True)
    return [ours[number % len(ours)] for number in range(workers)]


def _count_cpu_slots(plan: Plan, cpu: int | None) -> int:
    """Return how many bots of a worker may compute at once: over all workers no more than there are processors."""
    return max(1, available_cpus() // plan.workers) if cpu is None else 1


@contextmanager
def _avoid_cpus(taken: Collection[int]) -> Iterator[None]:
    ours = os.sched_getaffinity(0) if taken else set[int]()
    left = ours.difference(taken)
    if left:
        os.sched_setaffinity(0, left)
    try:
        yield
    finally:
        if left:
            os.sched_setaffinity(0, ours)


def worker_command(cpu_slots: int, cpu: int | None) -> Sequence[str]:
    """Return the command of a worker of this process: so many of its bots may compute at once, on that processor."""
    return [*_COMMAND, *map(str, (os.getpid(), cpu_slots, *([] if cpu is None else [cpu])))]


def describe_exit(code: int, stderr: bytes) -> str:
    """Describe how a worker process ended, with the end of its standard error, for people."""
    how = f"exited with status {code}" if code >= 0 else f"was ended by signal {-code} ({signal.strsignal(-code)})"
    tail = stderr[-WORKER_TAIL_BYTES:].decode("utf-8", "backslashreplace").strip()
    words = " | ".join(escape_lines(tail))
    said = f"; the end of its standard error: {words}" if words else " and wrote nothing to standard error"
    return how + said


def _spawn_worker(cpu_slots: int, cpu: int | None) -> subprocess.Popen[bytes]:
    # Not by trio's `open_process`: that forks in a helper thread, whose end would send the worker its death signal.
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(worker_command(cpu_slots, cpu), bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe)
    except OSError as error:
        raise MachineError(f"a worker process cannot be started: {error.strerror}", "no_process") from None


PROCESSES: Final = Engine(
    takes_newcomers=True,
    name="processes",
    summary="Worker processes of this machine, each with its bots on a processor of its own.",
    open_places=_open_places,
)
