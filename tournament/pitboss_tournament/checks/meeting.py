"""The first meeting with a bot: hello, and whatever it does then. It happens once, and many checks look at what was seen."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Final

import msgspec
from msgspec import Struct

from pitboss_tournament.checks.bench import Bench
from pitboss_tournament.checks.check import Broken

AFTER_NOISE_S: Final = 2.0  # that a line of JSON is still waited for, once anything else has come
LATER_S: Final = 5.0  # that an answer is waited for when it is late
QUIET_S: Final = 0.15  # to listen for what is said unasked
LATE_S: Final = 1.0  # for a bot to write what it had kept back, once its input is closed
BOM: Final = b"\xef\xbb\xbf"


class Meeting(Struct, frozen=True):
    """What a bot did when it was greeted."""

    lines: list[bytes]  # with their newlines, if they have one
    ms: float  # until the last of them
    after: bytes  # what it said in the time after
    late: bytes  # what it said only when its input was closed
    lives: bool  # its process did then
    account: str  # how it stood, in words
    stderr: str

    @property
    def reply(self) -> bytes:
        """The line that is its answer, if any is: the first that looks like JSON, else the first."""
        return next(filter(is_json_like, self.lines), self.lines[0] if self.lines else b"")


def is_json_like(raw: bytes) -> bool:
    """Tell whether a line begins as a JSON object does."""
    return raw.removeprefix(BOM).lstrip().startswith(b"{")


async def met(bench: Bench) -> Meeting:
    """Meet the bot, or remember the meeting."""
    return await bench.once("meeting", lambda: _meet(bench))


async def _meet(bench: Bench) -> Meeting:
    async with bench.sitting() as sitting:
        visit = sitting.visit
        began = perf_counter()
        lines: list[bytes] = []
        until = began + bench.start_s + min(bench.start_s, LATER_S)
        if await visit.send(sitting.hello()):
            while (left := until - perf_counter()) > 0 and not any(map(is_json_like, lines)):
                said = await visit.hear(left)
                if not said:
                    break
                lines.append(said)
                until = min(until, perf_counter() + AFTER_NOISE_S)
        ms = (perf_counter() - began) * 1000
        after = late = b""
        if any(map(is_json_like, lines)):
            after = await visit.overhear(QUIET_S)
        account, lives = await visit.account(), visit.is_running()
        if not lines and lives:
            visit.hang_up()
            late = await visit.overhear(LATE_S)
        return Meeting(lines, ms, after, late, lives, account, visit.stderr())


def message_of(meeting: Meeting) -> dict[str, Any]:
    """Return the answer as an object.

    Raises:
        Broken: it is none.
    """
    try:
        message = msgspec.json.decode(meeting.reply.removeprefix(BOM))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as wrong:
        raise Broken(f"its answer is not JSON: {wrong}") from None
    return message if isinstance(message, dict) else {}
