"""The first meeting with a bot: hello, and whatever it does then. It happens once, and many checks look at what was seen."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Final

import msgspec
from msgspec import Struct

from pitboss.testing.framework.check import CheckFailed
from pitboss_tournament.checks.check_context import CheckContext

NOISE_GRACE_S: Final = 2.0  # that a line of JSON is still waited for, once anything else has come
LATE_GRACE_S: Final = 5.0  # that an answer is waited for when it is late
SILENCE_S: Final = 0.15  # to listen for what is said unasked
FLUSH_WAIT_S: Final = 1.0  # for a bot to write what it had kept back, once its input is closed
BOM: Final = b"\xef\xbb\xbf"


class Handshake(Struct, frozen=True):
    """What a bot did when it was greeted."""

    lines: list[bytes]  # with their newlines, if they have one
    ms: float  # until the last of them
    said_after: bytes  # what it said in the time after
    said_at_close: bytes  # what it said only when its input was closed
    is_running: bool  # its process did then
    process_state: str  # how it stood, in words
    stderr: str

    @property
    def reply(self) -> bytes:
        """The line that is its answer, if any is: the first that looks like JSON, else the first."""
        return next(filter(is_json_like, self.lines), self.lines[0] if self.lines else b"")


def is_json_like(raw: bytes) -> bool:
    """Tell whether a line begins as a JSON object does."""
    return raw.removeprefix(BOM).lstrip().startswith(b"{")


async def observe_handshake(context: CheckContext) -> Handshake:
    """Meet the bot, or remember the meeting."""
    return await context.observe_once("meeting", lambda: _perform_handshake(context))


async def _perform_handshake(context: CheckContext) -> Handshake:
    async with context.open_table() as sitting:
        visit = sitting.connection
        began = perf_counter()
        lines: list[bytes] = []
        until = began + context.start_s + min(context.start_s, LATE_GRACE_S)
        if await visit.send(sitting.hello_line()):
            while (left := until - perf_counter()) > 0 and not any(map(is_json_like, lines)):
                said = await visit.receive_line(left)
                if not said:
                    break
                lines.append(said)
                until = min(until, perf_counter() + NOISE_GRACE_S)
        ms = (perf_counter() - began) * 1000
        after = late = b""
        if any(map(is_json_like, lines)):
            after = await visit.receive_for(SILENCE_S)
        account, lives = await visit.describe_process(), visit.is_running()
        if not lines and lives:
            visit.close_input()
            late = await visit.receive_for(FLUSH_WAIT_S)
        return Handshake(lines, ms, after, late, lives, account, visit.stderr_tail())


def decode_reply(handshake: Handshake) -> dict[str, Any]:
    """Return the answer as an object.

    Raises:
        Broken: it is none.
    """
    try:
        message = msgspec.json.decode(handshake.reply.removeprefix(BOM))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as wrong:
        raise CheckFailed(f"its answer is not JSON: {wrong}") from None
    return message if isinstance(message, dict) else {}
