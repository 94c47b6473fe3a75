"""The engine `processes`: workers are processes of this machine, none of which outlives the block of `open_worker`."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from math import inf
from typing import Final

import trio

from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.pipe_ends import RelayStream, open_reading_stream
from pitboss_tournament.running import worker_protocol
from pitboss_tournament.running.engine import AddPlace, Engine, ShowNote, WorkerPlace
from pitboss_tournament.running.worker_process import WorkerSetup, describe_failed_start, start_worker
from pitboss_tournament.running.worker_protocol import LineReader, LineWriter, ParentMessage, WorkerMessage, WorkerReady
from pitboss_tournament.text.terminal_text import escape_lines

STOP_SECONDS: Final = 3.0  # for a worker to end by itself: its bots hear their bye
WORKER_EXIT_SECONDS: Final = 1.0  # between the end of its output and its exit status
WORKER_TAIL_BYTES: Final = 1_000  # bytes kept from the end of its standard error
EXIT_POLL_SECONDS: Final = 0.002  # between looks whether it has ended: as a rule it has when its output has


class WorkerProcess:
    """A worker process."""

    def __init__(self, setup: WorkerSetup) -> None:
        """Start it; raises as `open_worker` does."""
        self.kill_deadline = inf  # by trio's clock: when it is killed; finite once it has been asked to stop
        self._is_ready = False
        self._process, *pipes = start_worker(setup)
        try:
            stdin, stdout, stderr = pipes
            self._writer = LineWriter(stdin)
            self._reader: LineReader[WorkerMessage] = LineReader(stdout, worker_protocol.worker_decoder)
            self._stderr = open_reading_stream(os.dup(stderr))
        except OSError as error:
            self._process.kill()
            self._process.wait()
            raise describe_failed_start(error) from None
        finally:
            for descriptor in pipes:  # the worker has reopened them
                os.close(descriptor)
        self._stderr_tail = b""
        self._has_drained = trio.Event()
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
            self._process.kill()

    def exit_text(self) -> str:
        """Describe how the process ended, with the end of its standard error. Only after the block of `open_worker`."""
        assert self._process.returncode is not None
        return describe_exit(self._process.returncode, self._stderr_tail)

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
        self._has_drained.set()

    async def wait_or_kill(self) -> None:
        """Wait until the process has ended; kill it after `kill_deadline`."""
        self.request_stop()
        with trio.move_on_at(self.kill_deadline):
            with suppress(worker_protocol.WorkerProtocolError):
                while await self.receive() is not None:
                    pass
            with trio.move_on_after(WORKER_EXIT_SECONDS):
                await self._wait_for_exit()
        self._process.kill()
        await self._wait_for_exit()
        if isinstance(self._stderr, RelayStream):
            with trio.move_on_after(WORKER_EXIT_SECONDS):
                await self._has_drained.wait()
        else:
            with suppress(BlockingIOError):  # the last words, which `drain_stderr` may not have seen yet
                self._stderr_tail += os.read(self._stderr.fileno(), worker_protocol.READ_BYTES)

    async def _wait_for_exit(self) -> None:
        """Wait until the process has ended: on a busy machine even a killed one takes its time."""
        while self._process.poll() is None:  # noqa: ASYNC110 - the loop has no event for this
            await trio.sleep(EXIT_POLL_SECONDS)

    def close(self) -> None:
        """Give the descriptors back."""
        for stream in (self._reader, self._writer, self._stderr):
            stream.close()


@asynccontextmanager
async def _open_places(plan: Plan, add_place: AddPlace, _: ShowNote) -> AsyncIterator[None]:
    """Context manager: a place for each worker process; this process keeps off their processors meanwhile."""
    setups = list_worker_setups(plan)
    with _avoid_cpus({setup.cpu for setup in setups if setup.cpu is not None}):
        for number, setup in enumerate(setups):
            tables = len(range(number, plan.games_at_once, len(setups)))
            add_place(WorkerPlace(open_worker=partial(open_worker, setup), tables=tables))
        yield


@asynccontextmanager
async def open_worker(setup: WorkerSetup) -> AsyncIterator[WorkerProcess]:
    """Context manager: a worker process, which has ended when the block is left.

    Raises:
        MachineError: the machine cannot start any program now.
    """
    worker = WorkerProcess(setup)
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


def list_worker_setups(plan: Plan) -> list[WorkerSetup]:
    """Return what each of the workers of a plan is given of this machine, while no processors are avoided."""
    return [WorkerSetup(_count_cpu_slots(plan, cpu), cpu) for cpu in _assign_cpus(plan)]


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


def describe_exit(code: int, stderr: bytes) -> str:
    """Describe how a worker process ended, with the end of its standard error."""
    how = f"exited with status {code}" if code >= 0 else f"was ended by signal {-code} ({signal.strsignal(-code)})"
    tail = stderr[-WORKER_TAIL_BYTES:].decode("utf-8", "backslashreplace").strip()
    words = " | ".join(escape_lines(tail))
    said = f"; the end of its standard error: {words}" if words else " and wrote nothing to standard error"
    return how + said


PROCESSES: Final = Engine(
    takes_newcomers=True,
    name="processes",
    summary="Worker processes of this machine, each with its bots on a processor of its own.",
    open_places=_open_places,
)
