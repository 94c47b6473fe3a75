"""A process beside `league run` that does one job with a bot of a stranger: it is told the job, and reports in lines.

It runs in a group of its own and dies with its parent, so that nothing of a build or of a bot outlives it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import trio

from pitboss_tournament.league.league_folder import League
from pitboss_tournament.plan.limits import MEBIBYTE
from pitboss_tournament.processes.bot_contents import measure_folder

BUILD_LOOK_SECONDS: Final = 0.5  # between looks at how much a build has written
OUTPUT_BYTES: Final = 64 << 10  # that are kept of what a build prints
SHOWN_END: Final = 500  # characters, in a line
LONGEST_LINE: Final = 16 << 20  # of a message of the process


class JobProcess:
    """A running process. What it prints to standard error is kept, the end of it."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        assert popen.stdout is not None
        assert popen.stderr is not None
        self.popen = popen
        self._messages = trio.lowlevel.FdStream(os.dup(popen.stdout.fileno()))
        self._errors = trio.lowlevel.FdStream(os.dup(popen.stderr.fileno()))
        self._rest = b""
        self._tail = b""

    async def receive_line(self) -> bytes | None:
        """Return the next message; None if there is none any more."""
        while b"\n" not in self._rest:
            part = await self._messages.receive_some()
            if not part or len(self._rest) > LONGEST_LINE:
                return None
            self._rest += part
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def take_errors(self) -> None:
        """Take in what was printed before the last message, and has not been read yet."""
        with suppress(BlockingIOError):
            while part := os.read(self._errors.fileno(), OUTPUT_BYTES):
                self._keep(part)

    @property
    def output(self) -> str:
        """The end of what the build printed, and the process itself."""
        return self._tail.decode("utf-8", "replace")

    @property
    def end_text(self) -> str:
        """The end of that, as a line."""
        return " ".join(self.output[-SHOWN_END:].split())

    def _keep(self, part: bytes) -> None:
        self._tail = (self._tail + part)[-OUTPUT_BYTES:]

    async def drain_errors(self) -> None:
        """Read standard error, so that the pipe never fills up, and keep its end."""
        while part := await self._errors.receive_some():
            self._keep(part)

    async def close(self) -> None:
        """End the process, and give the descriptors back."""
        with suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        await trio.to_thread.run_sync(self.popen.wait)
        await self._messages.aclose()
        await self._errors.aclose()
        for pipe in (self.popen.stdin, self.popen.stdout, self.popen.stderr):
            if pipe is not None:
                pipe.close()


@asynccontextmanager
async def open_job(module: str, job: object) -> AsyncIterator[JobProcess]:
    """Context manager: the process of a module of the league, which is told a job as a line of JSON.

    The process has ended when the block is left.
    """
    popen = _start_process(module)
    process = JobProcess(popen)
    try:
        assert popen.stdin is not None
        with suppress(BrokenPipeError):  # it has ended: there will be no message
            popen.stdin.write(msgspec.json.encode(job) + b"\n")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(process.drain_errors)
            yield process
            nursery.cancel_scope.cancel()
    finally:
        with trio.CancelScope(shield=True):
            await process.close()


def _start_process(module: str) -> subprocess.Popen[bytes]:
    """Start the process, in a group of its own, so that nothing of a build outlives it.

    Not by trio's `open_process`: that forks in a helper thread, whose end would send the process its death signal.
    """
    command = [sys.executable, "-m", f"pitboss_tournament.league.{module}", str(os.getpid())]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, process_group=0)


class Growth(NamedTuple):
    """Why a build may not go on: it wrote too much, or the machine has no room."""

    seen: str
    is_of_machine: bool = False


async def watch_growth(league: League, folder: Path) -> Growth:
    """Return, once a build in a folder has written too much, why it may not go on."""
    most = league.file.validation.build_mb
    while True:
        await trio.sleep(BUILD_LOOK_SECONDS)
        if await trio.to_thread.run_sync(measure_folder, folder) > most * MEBIBYTE:
            return Growth(f"the build wrote more than {most} MiB")
        if league.folder.free_mb() < league.file.submissions.free_mb:
            return Growth("there is too little room on the disk", is_of_machine=True)
