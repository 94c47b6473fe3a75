"""The handshake with a bot: `hello`, and its reaction. Performed once, judged by many checks."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Final

import msgspec
from msgspec import Struct

from pitboss.testing.framework.check import CheckFailed
from pitboss_tournament.bot_checks.check_context import CheckContext

NOISE_GRACE_S: Final = 2.0  # to wait for a line of JSON after another line
LATE_GRACE_S: Final = 5.0  # to wait for a late answer
SILENCE_S: Final = 0.15  # to listen for unasked output
FLUSH_WAIT_S: Final = 1.0  # for a bot to flush after its input was closed
BOM: Final = b"\xef\xbb\xbf"


class Handshake(Struct, frozen=True):
    """The bot's reaction to `hello`."""

    lines: list[bytes]  # with their newlines, if they have one
    ms: float  # until the last of them
    said_after: bytes  # what it said in the time after
    said_at_close: bytes  # what it said only when its input was closed
    is_running: bool  # its process, at the end
    process_state: str  # in words
    stderr: str

    @property
    def reply(self) -> bytes:
        """The answer: the first line that looks like JSON, else the first line."""
        return next(filter(is_json_like, self.lines), self.lines[0] if self.lines else b"")


def is_json_like(raw: bytes) -> bool:
    """Whether a line begins as a JSON object does."""
    return raw.removeprefix(BOM).lstrip().startswith(b"{")


async def observe_handshake(context: CheckContext) -> Handshake:
    """Return the handshake, performing it on the first call."""
    return await context.observe_once("meeting", lambda: _perform_handshake(context))


async def _perform_handshake(context: CheckContext) -> Handshake:
    async with context.open_table() as table:
        connection = table.connection
        began = perf_counter()
        lines: list[bytes] = []
        until = began + context.start_s + min(context.start_s, LATE_GRACE_S)
        if await connection.send(table.hello_line()):
            while (left := until - perf_counter()) > 0 and not any(map(is_json_like, lines)):
                said = await connection.receive_line(left)
                if not said:
                    break
                lines.append(said)
                until = min(until, perf_counter() + NOISE_GRACE_S)
        ms = (perf_counter() - began) * 1000
        after = said_at_close = b""
        if any(map(is_json_like, lines)):
            after = await connection.receive_for(SILENCE_S)
        process_state, is_running = await connection.describe_process(), connection.is_running()
        if not lines and is_running:
            connection.close_input()
            said_at_close = await connection.receive_for(FLUSH_WAIT_S)
        return Handshake(lines, ms, after, said_at_close, is_running, process_state, connection.stderr_tail())


def decode_reply(handshake: Handshake) -> dict[str, Any]:
    """Return the answer as an object.

    Raises:
        CheckFailed: it is not JSON.
    """
    try:
        message = msgspec.json.decode(handshake.reply.removeprefix(BOM))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as wrong:
        raise CheckFailed(f"its answer is not JSON: {wrong}") from None
    return message if isinstance(message, dict) else {}
