"""A bot's process without the runner's clocks and verdicts: bytes to its input, lines from its output."""

from __future__ import annotations

import trio
from msgspec import Struct

from pitboss.protocol.connection import quote_line
from pitboss_tournament.processes.bot_process import BotProcess
from pitboss_tournament.text.error_excerpt import excerpt_lines

EXIT_SECONDS = 0.3  # between the end of a bot's output and its exit status
FLUSH_WAIT_S = 1.0  # for a bot to flush after its input was closed
FIRST_LINES, LAST_LINES, STDERR_WIDTH = 2, 3, 300  # of standard error


class ConnectionEnd(Struct, frozen=True):
    """The state of a bot's process after the last question."""

    is_running: bool
    process_state: str  # in words
    said_at_close: bytes  # what it said only when its input was closed
    stderr: str


class RawConnection:
    """A started bot, and the raw bytes exchanged with it."""

    def __init__(self, process: BotProcess) -> None:
        self.process = process
        self.is_output_closed = False
        self._buffer = b""

    async def send(self, raw: bytes, within_s: float = 5) -> bool:
        """Write some bytes; return whether the bot took them in time."""
        with trio.move_on_after(within_s):
            return await self.process.send(raw)
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
        part = b"" if self.is_output_closed else await self.process.receive()
        self.is_output_closed = not part
        self._buffer += part
        return bool(part)

    async def wait_ended(self, within_s: float) -> bool:
        """Wait up to `within_s` seconds for the process to exit; return whether it did."""
        with trio.move_on_after(within_s):
            await self.process.wait_exit()
        return not self.process.is_running()

    async def describe_process(self) -> str:
        """Describe the process as running or by its exit; wait briefly for a process that is just exiting."""
        if self.is_output_closed:
            await self.wait_ended(EXIT_SECONDS)
        if excess := self.process.memory_excess():
            return f"it was ended: its processes {excess}, more than they may"
        return f"its process {'lives on' if self.process.is_running() else self.process.exit_text()}"

    async def observe_end(self, *, is_silent: bool) -> ConnectionEnd:
        """Return the state of the process; close the input of a running bot that `is_silent`, in case it flushes."""
        process_state, is_running = await self.describe_process(), self.process.is_running()
        said_at_close = b""
        if is_silent and is_running:
            self.process.close_stdin()
            said_at_close = await self.receive_for(FLUSH_WAIT_S)
        return ConnectionEnd(is_running, process_state, said_at_close, self.stderr_tail())

    def stderr_tail(self) -> str:
        """Return the first and the last lines of its standard error."""
        return shorten_stderr(self.process.stderr_tail())

    def cpu_seconds(self) -> float:
        """Return the seconds that the bot has computed or waited for a processor; 0 where the system does not tell."""
        self.process.attach_gauge()
        return self.process.timer.runnable_seconds()


def shorten_stderr(stderr: str) -> str:
    """Return the first and the last lines, cut."""
    return "\n".join(line[:STDERR_WIDTH] for line in excerpt_lines(stderr, FIRST_LINES, LAST_LINES))


def format_bytes(raw: bytes) -> str:
    """Return raw output in readable form."""
    return quote_line(raw, 200) if raw else "nothing"
