"""The crew: worker processes as their parent sees them. None outlives the block in which it was opened."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from math import inf
from typing import Final

import trio

from pitboss_tournament.planning.plan import Plan
from pitboss_tournament.planning.processors import processors
from pitboss_tournament.playing import lanes
from pitboss_tournament.playing.desk import Handed
from pitboss_tournament.playing.lanes import Ear, FromParent, FromWorker, Mouth
from pitboss_tournament.processes.trouble import RoomTrouble
from pitboss_tournament.showing.words import harmless_lines

STOP_SECONDS: Final = 5.0  # for a worker to end by itself: its bots hear their bye
EXIT_SECONDS: Final = 1.0  # between the end of its output and its exit status
LAST_WORDS: Final = 1_000  # bytes kept from the end of its standard error

# -P: a file in the current folder that is called as a module of Python's must not take its place
_COMMAND: Final = (sys.executable, "-P", "-m", "pitboss_tournament.playing.worker")


class Worker:
    """A worker process, and what it has been given."""

    def __init__(self, core: int | None, tables: int) -> None:
        """Start it.

        Raises:
            RoomTrouble: the machine cannot start any program now.
        """
        self.core = core
        self.tables = tables
        self.handed: dict[int, Handed] = {}
        self.is_ready = False
        self.stops_at = inf  # by trio's clock: when it is killed if it has not ended; it has been told to
        self._popen = _started()
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self._ear: Ear[FromWorker] = Ear(self._popen.stdout.fileno(), lanes.from_worker)
        self._mouth = Mouth(self._popen.stdin.fileno())
        self._errors = self._popen.stderr.fileno()
        os.set_blocking(self._errors, False)
        self._words = b""
        self._to_say, self._said = trio.open_memory_channel[FromParent](inf)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._popen.pid

    @property
    def was_told_to_stop(self) -> bool:
        """Whether it is to end."""
        return self.stops_at < inf

    def tell(self, message: FromParent) -> None:
        """Say something as soon as the worker listens; one that does not holds nobody up."""
        if not self.was_told_to_stop:
            self._to_say.send_nowait(message)

    async def hear(self) -> FromWorker | None:
        """Return what the worker says next; None when it has ended.

        Raises:
            LaneBroken: it is no message.
        """
        return await self._ear.hear()

    def hang_up(self) -> None:
        """Let the worker end when it has heard what it was told."""
        if not self.was_told_to_stop:
            self.stops_at = trio.current_time() + STOP_SECONDS
            self._to_say.close()

    def fate(self) -> str:
        """Say how the process ended, in words, with the end of what it wrote to standard error. Only after the block."""
        code = self._popen.returncode
        how = f"exited with status {code}" if code >= 0 else f"was ended by signal {-code} ({signal.strsignal(-code)})"
        words = " | ".join(harmless_lines(self._words.decode("utf-8", "backslashreplace").strip()))
        return f"{how}; the end of its standard error: {words}" if words else f"{how} and wrote nothing to standard error"

    async def keep_telling(self) -> None:
        """Pass on what it is told, until it is to end."""
        assert self._popen.stdin
        try:
            async for message in self._said:
                await self._mouth.say(message)
        except BrokenPipeError:
            pass  # it has died: whoever listens to it will notice
        finally:
            self._popen.stdin.close()

    async def keep_errors(self) -> None:
        """Read standard error as it comes, so that it never fills up, and keep its end."""
        while self._read_errors():
            await trio.lowlevel.wait_readable(self._errors)

    async def end(self) -> None:
        """Wait until the process has ended, and end it when its time is over."""
        self.hang_up()
        with trio.move_on_at(self.stops_at):
            with suppress(lanes.LaneBroken):
                while await self.hear() is not None:
                    pass
            with suppress(subprocess.TimeoutExpired):
                await trio.to_thread.run_sync(self._popen.wait, EXIT_SECONDS)
        self._popen.kill()
        self._popen.wait()
        self._read_errors()

    def close(self) -> None:
        """Give the descriptors back."""
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if stream:
                stream.close()

    def _read_errors(self) -> bool:
        """Take what there is of standard error; tell whether more may come."""
        try:
            part = os.read(self._errors, lanes.READ_BYTES)
        except BlockingIOError:
            return True
        self._words = (self._words + part)[-LAST_WORDS:]
        return bool(part)


@asynccontextmanager
async def open_worker(core: int | None, tables: int) -> AsyncIterator[Worker]:
    """Start a worker; it has ended when the block is left, however that is.

    Raises:
        RoomTrouble: the machine cannot start any program now.
    """
    worker = Worker(core, tables)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(worker.keep_telling)
            nursery.start_soon(worker.keep_errors)
            try:
                yield worker
            finally:
                with trio.CancelScope(shield=True):
                    await worker.end()
                nursery.cancel_scope.cancel()
    finally:
        worker.close()


def cores_for(plan: Plan) -> Sequence[int | None]:
    """Return the processor of each worker, the last ones first; None: wherever the system likes."""
    workers = min(plan.workers, plan.games_at_once)
    if not plan.pinned or not hasattr(os, "sched_setaffinity"):
        return [None] * workers
    ours = sorted(os.sched_getaffinity(0), reverse=True)
    return [ours[number % len(ours)] for number in range(workers)]


def thinkers(plan: Plan, core: int | None) -> int:
    """Return how many bots of a worker may think at once: no more in all than there are processors."""
    return max(1, processors() // plan.workers) if core is None else 1


@contextmanager
def kept_off(cores: Sequence[int | None]) -> Iterator[None]:
    """Keep this process off the workers' processors, if there are others."""
    taken = {core for core in cores if core is not None}
    ours = os.sched_getaffinity(0) if taken else set[int]()
    if ours - taken:
        os.sched_setaffinity(0, ours - taken)
    try:
        yield
    finally:
        if ours - taken:
            os.sched_setaffinity(0, ours)


def _started() -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen([*_COMMAND, str(os.getpid())], bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe)
    except OSError as wrong:
        raise RoomTrouble(f"a worker process cannot be started: {wrong.strerror}", "no_process") from None
