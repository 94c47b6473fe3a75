"""A bot's process without the runner's clocks and verdicts: bytes to its input, lines from its output."""

from __future__ import annotations

from typing import Final

import trio
from msgspec import Struct

from pitboss.protocol.connection import quote_line
from pitboss_tournament.processes.bot_process import BotProcess
from pitboss_tournament.text.fault_advice import excerpt_lines

CHECKED_EXIT_SECONDS = 0.3  # between the end of a bot's output and its exit status
SHORTEST_WAIT_S: Final = 0.001
LOOK_S: Final = 0.1  # between two looks at what a bot has waited for a processor, which begins with the first
FLUSH_WAIT_S = 1.0  # for a bot to flush after its input was closed
MORE_LINES, LINES_AT_ONCE = 3_000, 50  # that a silent bot is sent: more answers than any buffer holds
READ_WAIT_S = 10.0  # for a bot to read them, if it reads on
FIRST_LINES, LAST_LINES, STDERR_WIDTH = 2, 3, 300  # of standard error


class ConnectionEnd(Struct, frozen=True, kw_only=True):
    """What a bot's process has done since it was last sent something, and its state now."""

    is_running: bool
    has_exited_cleanly: bool
    exit_text: str
    memory_excess: str
    waited_s: float
    unread_bytes: int  # of what it was sent
    computed_s: float
    stderr_bytes: int
    takes_more: bool  # it read many more lines at once, and said nothing to them
    said_to_more: bytes  # what it said only when it was sent them
    said_at_close: bytes  # what it said only when its input was closed
    stderr: str


class RawConnection:
    """A started bot, and the raw bytes exchanged with it."""

    def __init__(self, process: BotProcess) -> None:
        self.process = process
        self.is_output_closed = False
        self._buffer = b""
        self._is_measured = False
        self._note_sending()

    async def send(self, raw: bytes, within_s: float = 5) -> bool:
        """Write some bytes; return whether the bot took them in time."""
        self._note_sending()
        with trio.move_on_after(within_s):
            return await self.process.send(raw)
        return False

    async def receive_line(self, within_s: float) -> bytes:
        """Return the next line with its newline; the part received so far on timeout or at the end of the output.

        What the bot waits for a processor is waited for besides, up to twice `within_s`.
        """
        began, waited_before, left_s = trio.current_time(), self.processor_wait_seconds(), within_s
        while left_s > SHORTEST_WAIT_S and b"\n" not in self._buffer and not self.is_output_closed:
            with trio.move_on_after(min(left_s, LOOK_S)):
                while b"\n" not in self._buffer and await self._receive_part():
                    pass
            waited_s = min(self.processor_wait_seconds() - waited_before, 2 * within_s)
            left_s = within_s + waited_s - (trio.current_time() - began)
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
        """Wait up to `within_s` seconds, and what it waits for a processor, for the process to exit; tell if it did."""
        began, waited_before, left_s = trio.current_time(), self.processor_wait_seconds(), within_s
        while left_s > SHORTEST_WAIT_S and self.process.is_running():
            with trio.move_on_after(min(left_s, LOOK_S)):
                await self.process.wait_exit()
            waited_s = self.processor_wait_seconds() - waited_before
            left_s = within_s + waited_s - (trio.current_time() - began)
        return not self.process.is_running()

    async def observe_end(self, more: bytes = b"") -> ConnectionEnd:
        """Return what the process has done.

        A silent bot that runs, and has read all, is sent `more` lines over and over, and its input is closed: from what
        it says then follows why it is silent.
        """
        if self.is_output_closed:
            await self.wait_ended(CHECKED_EXIT_SECONDS)
        process, is_running = self.process, self.process.is_running()
        waited_s, unread = trio.current_time() - self._sent_at, 0
        computed_s, stderr_bytes = (
            self.cpu_seconds() - self._computed_before,
            process.stderr_bytes - self._stderr_before,
        )
        stderr, exit_text = self.stderr_tail(), process.exit_text()
        said_to_more, said_at_close, takes_more = b"", b"", False
        if is_running:
            unread = process.unread_bytes()
            if more and not unread:
                takes_more, said_to_more = await self._ask_more(more)
            if more and not said_to_more:
                process.close_stdin()
                said_at_close = await self.receive_for(FLUSH_WAIT_S)
        return ConnectionEnd(
            is_running=is_running,
            has_exited_cleanly=not is_running and process.has_exited_cleanly(),
            exit_text=exit_text,
            memory_excess=process.memory_excess() or "",
            waited_s=waited_s,
            unread_bytes=unread,
            computed_s=computed_s,
            stderr_bytes=stderr_bytes,
            takes_more=takes_more,
            said_to_more=said_to_more,
            said_at_close=said_at_close,
            stderr=stderr,
        )

    async def _ask_more(self, lines: bytes) -> tuple[bool, bytes]:
        """Send lines until the bot says something; return whether it has read all of them, and what it said."""
        for _ in range(MORE_LINES // LINES_AT_ONCE):
            if not await self.send(lines * LINES_AT_ONCE):
                return False, await self.receive_for(0)
            if said := await self.receive_for(0):
                return False, said
        with trio.move_on_after(READ_WAIT_S):
            while self.process.is_running() and self.process.unread_bytes():  # noqa: ASYNC110 - nothing tells
                await trio.sleep(CHECKED_EXIT_SECONDS / 10)
        said = await self.receive_for(CHECKED_EXIT_SECONDS)
        return self.process.is_running() and not self.process.unread_bytes(), said

    def _note_sending(self) -> None:
        self._sent_at = trio.current_time()
        self._computed_before = self.cpu_seconds()
        self._stderr_before = self.process.stderr_bytes

    def processor_wait_seconds(self) -> float:
        """Return the seconds that the bot has waited for a processor since its start; 0 where they are not told."""
        computed_s = self.computed_seconds()
        return max(0.0, self.process.timer.runnable_seconds() - computed_s)

    def stderr_tail(self) -> str:
        """Return the first and the last lines of its standard error."""
        return shorten_stderr(self.process.stderr_tail())

    def computed_seconds(self) -> float:
        """Return the seconds that the bot has computed; 0 where the system does not tell."""
        if not self._is_measured:  # once: what it has waited counts from here on
            self.process.attach_gauge()
            self._is_measured = True
        return self.process.timer.computed_seconds(exactly=True)

    def cpu_seconds(self) -> float:
        """Return the seconds that the bot has computed or waited for a processor; 0 where the system does not tell."""
        return self.computed_seconds() + self.processor_wait_seconds()


def shorten_stderr(stderr: str) -> str:
    """Return the first and the last lines, cut."""
    return "\n".join(line[:STDERR_WIDTH] for line in excerpt_lines(stderr, FIRST_LINES, LAST_LINES))


def format_bytes(raw: bytes) -> str:
    """Return raw output in readable form."""
    return quote_line(raw, 200) if raw else "nothing"
