"""A bot's process without the runner's clocks and verdicts: bytes to its input, lines from its output."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
from msgspec.structs import replace

from pitboss.protocol.connection import quote_line
from pitboss_tournament.bot_checks.bot_under_test import BotUnderTest
from pitboss_tournament.plan.plan import Entrant, SandboxMode
from pitboss_tournament.processes import reaper
from pitboss_tournament.processes.bot_process import BotProcess
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.supervisor import BotSupervisor, open_supervisor
from pitboss_tournament.processes.visible_paths import find_visible_paths

EXIT_SECONDS = 0.3  # between the end of a bot's output and its exit status
STDERR_LINES = 4


@asynccontextmanager
async def open_bot_supervisor(bot: BotUnderTest) -> AsyncIterator[BotSupervisor]:
    """Open a supervisor with the bot's sandbox."""
    async with open_supervisor(bot.sandbox, available_cpus()) as supervisor:
        yield supervisor


class RawConnection:
    """A started bot, and the raw bytes exchanged with it."""

    def __init__(self, supervisor: BotSupervisor, entrant: Entrant) -> None:
        """Start the bot.

        Raises:
            BotStartError: its program cannot be run.
        """
        self._supervisor = supervisor
        self._process: BotProcess = supervisor.start(entrant)
        self._buffer = b""
        self.is_output_closed = False

    @property
    def pid(self) -> int:
        """The process id; in a sandbox that of the sandbox."""
        return self._process.pid

    async def send(self, raw: bytes, within_s: float = 5) -> bool:
        """Write some bytes; return whether the bot took them in time."""
        with trio.move_on_after(within_s):
            return await self._process.send(raw)
        return False

    async def receive_line(self, within_s: float) -> bytes:
        """Return the next line with its newline; the part received so far on timeout or at the end of the output."""
        with trio.move_on_after(within_s):
            while b"\n" not in self._buffer and await self._receive_part():
                pass
        line, newline, self._buffer = self._buffer.partition(b"\n")
        return line + newline

    async def receive_for(self, for_s: float) -> bytes:
        """Return everything that the bot writes within `for_s` seconds."""
        with trio.move_on_after(for_s):
            while await self._receive_part():
                pass
        said, self._buffer = self._buffer, b""
        return said

    async def _receive_part(self) -> bool:
        part = b"" if self.is_output_closed else await self._process.receive()
        self.is_output_closed = not part
        self._buffer += part
        return bool(part)

    def close_input(self) -> None:
        """Close the bot's input."""
        self._process.close_stdin()

    async def wait_ended(self, within_s: float) -> bool:
        """Wait up to `within_s` seconds for the process to exit; return whether it did."""
        with trio.move_on_after(within_s):
            await self._process.wait_exit()
        return not self._process.is_running()

    def has_exited_cleanly(self) -> bool:
        """Whether the process exited with status 0."""
        return self._process.has_exited_cleanly()

    def is_running(self) -> bool:
        """Whether the bot's own process runs."""
        return self._process.is_running()

    def describe_exit(self) -> str:
        """Describe the process as running or by its exit."""
        if self._process.oom_bytes:
            return f"was ended: it held {self._process.oom_bytes >> 20:,} MiB of memory, more than it may"
        return "lives on" if self._process.is_running() else self._process.exit_text()

    def stderr_tail(self) -> str:
        """Return the last lines of its standard error."""
        lines = [line for line in self._process.stderr_tail().splitlines() if line.strip()]
        return "\n".join(line[:300] for line in lines[-STDERR_LINES:])

    def stderr_bytes(self) -> int:
        """Return the length of its standard error."""
        self._process.stderr_tail()  # looks once more
        return self._process.stderr_bytes

    def cpu_seconds(self) -> float:
        """Return the processor time that the bot has used or waited for; 0 where the system does not tell."""
        self._process.attach_gauge()
        return self._process.timer.runnable_seconds()

    def find_leftover_processes(self) -> list[int]:
        """Return the ids of the bot's processes that still run."""
        return reaper.find_marked(f"{self._process.mark}=")

    async def describe_process(self) -> str:
        """Describe the process as running or by its exit; wait briefly for a process that is just exiting."""
        if self.is_output_closed:
            await self.wait_ended(EXIT_SECONDS)
        return f"its process {self.describe_exit()}"

    def terminate(self) -> None:
        """Terminate the bot's processes."""
        self._supervisor.end(self._process)


def wrap_in_shell(entrant: Entrant, sandbox: SandboxMode, script: str) -> Entrant:
    """Return the entrant started through `/bin/sh -c script`, which must end in `exec "$@"`."""
    command, limits = entrant.command, entrant.limits
    if sandbox != "none":  # what the bot's own command would have had shown to it
        seen = find_visible_paths(entrant.command, entrant.folder, limits.read)
        command, limits = seen.command, replace(limits, read=(*limits.read, *map(str, seen.paths)))
        paths = {"PATH": [*seen.program_folders, "$PATH"], "PYTHONPATH": seen.module_folders}
        script = (
            "".join(f'export {name}="{":".join(folders)}"; ' for name, folders in paths.items() if folders) + script
        )
    return replace(entrant, command=("/bin/sh", "-c", script, "sh", *command), limits=limits)


def format_bytes(raw: bytes) -> str:
    """Return raw output in readable form."""
    return quote_line(raw, 200) if raw else "nothing"
