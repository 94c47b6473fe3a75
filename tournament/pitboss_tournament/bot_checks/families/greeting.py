"""Checks of how a bot answers `hello`: most of them judge one handshake."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import perf_counter
from typing import Any, get_args

from msgspec import Struct

from pitboss.bot import MAX_NAME_LENGTH
from pitboss.foreign_input import InputRefused, read_json
from pitboss.protocol.messages import PROTOCOL_VERSION, Ready, Want
from pitboss.testing.framework.check import CheckFailed, check
from pitboss.text import join_words
from pitboss_tournament.bot_checks.check_context import CheckContext, observe_once
from pitboss_tournament.bot_checks.diagnosis import (
    LINE_ADVICE,
    READY_ADVICE,
    START_ADVICE,
    Diagnosis,
    SilenceCause,
    diagnose_silence,
)
from pitboss_tournament.bot_checks.families import program
from pitboss_tournament.bot_checks.raw_connection import ConnectionEnd, format_bytes
from pitboss_tournament.bot_checks.scripted_table import alter_line
from pitboss_tournament.match.fault_causes import find_link_hint, find_start_hint
from pitboss_tournament.text.fault_advice import JSON_ADVICE, NOISE_ADVICE, find_crash_site

NOISE_GRACE_S = 2.0  # to wait for a line of JSON after another line
LATE_GRACE_S = 5.0  # to wait for a late answer
SILENCE_S = 0.15  # to listen for unasked output
BOM = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
SANDBOX_ADVICE = "--sandbox none tells whether it misses a file or the network"
GREETING_WAIT_S = 1.0  # before hello, unless the start takes longer


class Handshake(Struct, frozen=True):
    """The bot's reaction to `hello`."""

    lines: list[bytes]  # with their newlines, if they have one
    ms: float  # from the bot's start to the last of them, without the time in which it had no processor
    said_after: bytes  # output in SILENCE_S after the answer
    end: ConnectionEnd

    def diagnose(self, context: CheckContext) -> Diagnosis | None:
        """Return why nothing came, None if something did."""
        return None if self.lines else diagnose_silence(self.end, "hello", context.flush_advice)

    @property
    def reply(self) -> bytes:
        """The answer: the first line that looks like JSON, else the first line."""
        return next(filter(is_json_like, self.lines), self.lines[0] if self.lines else b"")

    def decode_reply(self) -> dict[str, Any]:
        """Return the answer as an object; raises as `decode_object` does."""
        return decode_object(self.reply.removeprefix(BOM))


def is_json_like(raw: bytes) -> bool:
    """Whether a line begins as a JSON object does, in any encoding."""
    return raw.removeprefix(BOM).lstrip(b" \t\r\n\0\xff\xfe").startswith(b"{")


def is_utf16(raw: bytes) -> bool:
    """Whether a line is the beginning of text in UTF-16."""
    return raw.startswith(UTF16_MARKS) or b"\0" in raw[:4]


@observe_once
async def observe_handshake(context: CheckContext) -> Handshake:
    """Greet the bot; return its reaction."""
    began = perf_counter()
    async with context.open_table() as table:
        connection = table.connection
        lines: list[bytes] = []
        until = began + context.start_s + min(context.start_s, LATE_GRACE_S)
        if await connection.send(table.hello_line()):
            while (left := until - perf_counter()) > 0 and not any(map(is_json_like, lines)):
                said = await connection.receive_line(left)
                if not said:
                    break
                lines.append(said)
                until = min(until, perf_counter() + NOISE_GRACE_S)
        ms = (perf_counter() - began - connection.processor_wait_seconds()) * 1000
        said_after = await connection.receive_for(SILENCE_S) if any(map(is_json_like, lines)) else b""
        return Handshake(lines, ms, said_after, await connection.observe_end(b"" if lines else table.sample_lines()))


def decode_object(line: bytes) -> dict[str, Any]:
    """Return a line as an object; {} if it is another JSON value.

    Raises:
        CheckFailed: the line is not JSON.
    """
    try:
        message = read_json(line, object)
    except InputRefused as wrong:
        raise CheckFailed(f"its answer is not JSON: {wrong}") from None
    return message if isinstance(message, dict) else {}


@check(
    advice="read its standard error; start the command by hand in the bot's folder",
    after=(program.can_be_entered, program.interpreter_exists, program.script_has_unix_line_ends),
)
async def stays_up(context: CheckContext) -> None:
    """The bot's process is started and lives until it is told to end."""
    handshake = await observe_handshake(context)
    diagnosis = handshake.diagnose(context)
    if diagnosis and not handshake.end.is_running:
        is_inside = context.bot.sandbox != "none"
        link = find_link_hint(context.bot.base) if is_inside and context.bot.source == "folder" else ""
        sandbox = SANDBOX_ADVICE if is_inside and find_crash_site(handshake.end.stderr) is None else ""
        hints = (link, find_start_hint(context.entrant().command), diagnosis.cure, sandbox)
        cure = "; ".join(filter(None, hints))
        raise CheckFailed(f"it said nothing: {diagnosis.seen}", handshake.end.stderr, cure, diagnosis.key)


@check(advice="flush standard output after every line", after=(stays_up,))
async def flushes_its_output(context: CheckContext) -> None:
    """The bot's output is sent at once: it does not wait in a buffer until the buffer is full or the program ends."""
    await _fail_silence(context, lambda cause: cause == "does not flush")


@check(advice=LINE_ADVICE, after=(flushes_its_output,))
async def reads_line_by_line(context: CheckContext) -> None:
    """The bot reads a line as it comes: it does not wait for the end of its input."""
    await _fail_silence(context, lambda cause: cause == "reads to the end")


@check(advice=READY_ADVICE, after=(reads_line_by_line,))
async def answers_hello(context: CheckContext) -> str:
    """The bot answers `hello` with a line."""
    await _fail_silence(context, lambda cause: True)
    return f"after {(await observe_handshake(context)).ms:,.0f} ms"


async def _fail_silence(context: CheckContext, is_judged: Callable[[SilenceCause], bool]) -> None:
    """Raise `CheckFailed` if the bot was silent for a cause that is judged."""
    handshake = await observe_handshake(context)
    diagnosis = handshake.diagnose(context)
    if diagnosis and is_judged(diagnosis.cause):
        seen = f"nothing came in {handshake.ms:,.0f} ms: {diagnosis.seen}"
        raise CheckFailed(seen, handshake.end.stderr, diagnosis.cure, diagnosis.key)


@check(advice=NOISE_ADVICE, after=(answers_hello,))
async def prints_no_noise(context: CheckContext) -> None:
    """The bot prints nothing but messages to standard output."""
    handshake = await observe_handshake(context)
    rest = [part for part in handshake.said_after.splitlines(keepends=True) if part.strip()]
    noise = [raw for raw in (*handshake.lines, *rest) if not is_json_like(raw) and not is_utf16(raw)]
    if noise:
        advice = "print no prompt: in Python input() without a text" if b"{" in noise[0] else ""
        advice = find_start_hint(context.entrant().command) or advice
        raise CheckFailed(f"it printed {format_bytes(noise[0])}", handshake.end.stderr, advice)


@check(advice="end every message with a newline, and flush it", after=(answers_hello, prints_no_noise))
async def ends_its_lines(context: CheckContext) -> None:
    """The answer ends with a newline."""
    handshake = await observe_handshake(context)
    if not handshake.reply.endswith((b"\n", b"\n\0")):
        raise CheckFailed(f"{format_bytes(handshake.reply)} came without a newline", handshake.end.stderr)


@check(advice="write UTF-8 without a byte order mark", after=(ends_its_lines,))
async def speaks_utf8(context: CheckContext) -> None:
    """The answer is UTF-8, without a byte order mark."""
    reply = (await observe_handshake(context)).reply
    if reply.startswith(BOM):
        raise CheckFailed(
            "its answer begins with a byte order mark, EF BB BF",
            advice="in .NET: new UTF8Encoding(false); in Python: utf-8, not utf-8-sig",
        )
    if is_utf16(reply):
        raise CheckFailed(
            f"its answer is UTF-16: {format_bytes(reply)}",
            advice="in PowerShell: [Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)",
        )
    try:
        reply.decode()
    except UnicodeDecodeError as wrong:
        raise CheckFailed(f"{format_bytes(reply)}: byte {wrong.start} is not UTF-8") from None


@check(advice=JSON_ADVICE, after=(speaks_utf8,))
async def speaks_json(context: CheckContext) -> None:
    """The answer is one JSON object on one line."""
    handshake = await observe_handshake(context)
    try:
        handshake.decode_reply()
    except CheckFailed as broken:
        part = " (a message may not go over several lines)" if handshake.said_after else ""
        raise CheckFailed(f"{format_bytes(handshake.reply)}: {broken.detail}{part}") from None


@check(advice='answer hello with {"type":"ready"}', after=(speaks_json,))
async def says_ready(context: CheckContext) -> None:
    """The answer to `hello` is a `ready`."""
    handshake = await observe_handshake(context)
    if handshake.decode_reply().get("type") != "ready":
        raise CheckFailed(f"it answered {format_bytes(handshake.reply)}")


@check(
    advice="`ready` has the keys type, name, version and want; put everything else into your log", after=(says_ready,)
)
async def adds_no_keys_to_ready(context: CheckContext) -> None:
    """`ready` has no keys that the protocol does not know."""
    known = ["type", *Ready.__struct_fields__]
    more = [key for key in (await observe_handshake(context)).decode_reply() if key not in known]
    if more:
        raise CheckFailed(f"`ready` has {join_words(map(repr, more), 'and')}; it may have {join_words(known, 'and')}")


@check(advice="leave `want` out, and questions bring the view", after=(says_ready,))
async def wants_what_there_is(context: CheckContext) -> str:
    """The part of a question that the bot wants is the view, the events or both."""
    want = (await observe_handshake(context)).decode_reply().get("want", "view")
    if want not in get_args(Want):
        raise CheckFailed(f"`want` is {want!r}; it may be {join_words(map(repr, get_args(Want)))}")
    return str(want)


@check(advice=f"give a text of at most {MAX_NAME_LENGTH} characters, or leave it out", after=(says_ready,))
async def has_a_fitting_name(context: CheckContext) -> str:
    """The name and the version in `ready` are short texts."""
    message = (await observe_handshake(context)).decode_reply()
    for key in ("name", "version"):
        value = message.get(key, "")
        if not isinstance(value, str) or len(value) > MAX_NAME_LENGTH:
            raise CheckFailed(f"`{key}` is {format_bytes(str(value).encode())}")
    return str(message.get("name", ""))


@check(advice="say nothing more until the first `decide`: `start` wants no answer", after=(says_ready,))
async def says_ready_once(context: CheckContext) -> None:
    """After `ready` the bot is silent until it is asked."""
    handshake = await observe_handshake(context)
    if handshake.said_after:
        raise CheckFailed(f"after `ready` it said {format_bytes(handshake.said_after)}, unasked", handshake.end.stderr)


@check(advice=START_ADVICE, after=(says_ready,))
async def starts_in_time(context: CheckContext) -> str:
    """From its start to its `ready` the bot takes no longer than the time limit of a start."""
    handshake, limit = await observe_handshake(context), context.bot.clock.start_ms
    if handshake.ms > limit:
        raise CheckFailed(f"it took {handshake.ms:,.0f} ms; allowed are {limit:,} ms")
    return f"{handshake.ms:,.0f} ms of {limit:,} ms"


@check(advice="wait for the first line before you print anything", after=(starts_in_time,))
async def waits_for_hello(context: CheckContext) -> None:
    """The bot says nothing before it is greeted."""
    start_s = (await observe_handshake(context)).ms / 1000
    wait_s = SILENCE_S + max(start_s, min(GREETING_WAIT_S, 2 * start_s))
    async with context.open_table() as table:
        await table.expect_silence(wait_s, "before `hello`")
        await table.greet()


@check(advice="answer `ready` all the same, or print why not to standard error and end", after=(starts_in_time,))
async def meets_another_protocol(context: CheckContext) -> str:
    """Greeted by a runner of a later protocol, the bot answers or ends; it does not hang."""
    async with context.open_table() as table:
        connection, version = table.connection, PROTOCOL_VERSION + 98
        await connection.send(alter_line(table.hello_line(), protocol=version, later=[1, {"than": "you"}]))
        said = await connection.receive_line(context.start_s)
        if not said and not connection.is_output_closed:
            raise CheckFailed(f"it neither answered nor ended in {context.start_s:g} s", connection.stderr_tail())
        return "it answers" if re.search(rb'"ready"', said) else "it ends"
