"""Checks of how a bot answers `hello`."""

from __future__ import annotations

import re
from typing import get_args

from pitboss.bot import MAX_NAME_LENGTH
from pitboss.protocol.messages import PROTOCOL_VERSION, Ready, Want
from pitboss.testing.framework.check import CheckFailed, check
from pitboss.text import join_words
from pitboss_tournament.bot_checks.advice import advise_flush
from pitboss_tournament.bot_checks.check_context import CheckContext
from pitboss_tournament.bot_checks.families import program
from pitboss_tournament.bot_checks.handshake import BOM, SILENCE_S, decode_reply, is_json_like, observe_handshake
from pitboss_tournament.bot_checks.raw_connection import format_bytes
from pitboss_tournament.bot_checks.scripted_table import decode_fields, encode_line

SANDBOX_ADVICE = "read the end of standard error; --sandbox none tells whether it misses a file or the network"
LONGEST_WAIT_S = 1.0  # before hello


@check(
    advice="read the end of standard error; start the command by hand in the bot's folder",
    after=(program.can_be_entered, program.interpreter_exists, program.script_has_unix_line_ends),
)
async def stays_up(context: CheckContext) -> None:
    """The bot's process is started and lives until it is told to end."""
    handshake = await observe_handshake(context)
    if not handshake.lines and not handshake.is_running:
        cure = SANDBOX_ADVICE if context.bot.sandbox != "none" else ""
        raise CheckFailed(f"it ended before it said anything: {handshake.process_state}", handshake.stderr, cure)


@check(advice="flush standard output after every line", after=(stays_up,))
async def flushes_its_output(context: CheckContext) -> None:
    """What the bot says is sent at once: it waits in no buffer until the buffer is full or the program ends."""
    handshake = await observe_handshake(context)
    if handshake.said_at_close:
        late = format_bytes(handshake.said_at_close)
        seen = f"nothing came in {handshake.ms:,.0f} ms; when its input was closed it said {late}"
        raise CheckFailed(seen, handshake.stderr, advise_flush(context.bot.language, context.bot.command))


@check(
    advice="read one line from standard input, and when its type is hello print a ready", after=(flushes_its_output,)
)
async def answers_hello(context: CheckContext) -> str:
    """The bot answers `hello` with a line."""
    handshake = await observe_handshake(context)
    if not handshake.lines:
        seen = f"it said nothing in {handshake.ms:,.0f} ms; {handshake.process_state}; is its output buffered?"
        raise CheckFailed(
            seen, handshake.stderr, advise_flush(context.bot.language, context.bot.command) + "; and read line by line"
        )
    return f"after {handshake.ms:,.0f} ms"


@check(advice="print for yourself to standard error: standard output is the wire", after=(answers_hello,))
async def prints_no_noise(context: CheckContext) -> None:
    """Nothing but messages comes over standard output."""
    handshake = await observe_handshake(context)
    rest = [part for part in handshake.said_after.splitlines(keepends=True) if part.strip()]
    noise = [raw for raw in (*handshake.lines, *rest) if not is_json_like(raw)]
    if noise:
        raise CheckFailed(f"it printed {format_bytes(noise[0])}", handshake.stderr)


@check(advice="end every message with a newline, and flush it", after=(answers_hello, prints_no_noise))
async def ends_its_lines(context: CheckContext) -> None:
    """The answer ends with a newline."""
    handshake = await observe_handshake(context)
    if not handshake.reply.endswith(b"\n"):
        raise CheckFailed(f"{format_bytes(handshake.reply)} came without a newline", handshake.stderr)


@check(advice="write UTF-8 without a byte order mark", after=(ends_its_lines,))
async def speaks_utf8(context: CheckContext) -> None:
    """The answer is UTF-8, without a byte order mark."""
    reply = (await observe_handshake(context)).reply
    if reply.startswith(BOM):
        raise CheckFailed(
            "its answer begins with a byte order mark, EF BB BF",
            advice="in .NET: new UTF8Encoding(false); in Python: utf-8, not utf-8-sig",
        )
    try:
        reply.decode()
    except UnicodeDecodeError as wrong:
        raise CheckFailed(f"{format_bytes(reply)}: byte {wrong.start} is not UTF-8") from None


@check(advice="write one JSON object on one line; a JSON library does it best", after=(speaks_utf8,))
async def speaks_json(context: CheckContext) -> None:
    """The answer is one JSON object on one line."""
    handshake = await observe_handshake(context)
    try:
        decode_reply(handshake)
    except CheckFailed as broken:
        part = " (a message may not go over several lines)" if handshake.said_after else ""
        raise CheckFailed(f"{format_bytes(handshake.reply)}: {broken.detail}{part}") from None


@check(advice='answer hello with {"type":"ready"}', after=(speaks_json,))
async def says_ready(context: CheckContext) -> None:
    """The answer to `hello` is a `ready`."""
    handshake = await observe_handshake(context)
    if decode_reply(handshake).get("type") != "ready":
        raise CheckFailed(f"it answered {format_bytes(handshake.reply)}")


@check(
    advice="`ready` has the keys type, name, version and want; put everything else into your log", after=(says_ready,)
)
async def adds_no_keys_to_ready(context: CheckContext) -> None:
    """`ready` has no keys that the protocol does not know."""
    known = ["type", *Ready.__struct_fields__]
    more = [key for key in decode_reply(await observe_handshake(context)) if key not in known]
    if more:
        raise CheckFailed(f"`ready` has {join_words(map(repr, more), 'and')}; it may have {join_words(known, 'and')}")


@check(advice="leave `want` out, and questions bring the view", after=(says_ready,))
async def wants_what_there_is(context: CheckContext) -> str:
    """What the bot wants of a question is the view, the events or both."""
    want = decode_reply(await observe_handshake(context)).get("want", "view")
    if want not in get_args(Want):
        raise CheckFailed(f"`want` is {want!r}; it may be {join_words(map(repr, get_args(Want)))}")
    return str(want)


@check(advice=f"give a text of at most {MAX_NAME_LENGTH} characters, or leave it out", after=(says_ready,))
async def has_a_fitting_name(context: CheckContext) -> str:
    """The name and the version in `ready` are short texts."""
    message = decode_reply(await observe_handshake(context))
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
        raise CheckFailed(f"after `ready` it said {format_bytes(handshake.said_after)}, unasked", handshake.stderr)


@check(
    advice="load faster, or later; or ask for more time: start_ms in the tournament file, --start-ms here",
    after=(says_ready,),
)
async def starts_in_time(context: CheckContext) -> str:
    """From its start to its `ready` the bot takes less than the time for that."""
    handshake, limit = await observe_handshake(context), context.bot.clock.start_ms
    if handshake.ms > limit:
        raise CheckFailed(f"it took {handshake.ms:,.0f} ms; allowed are {limit:,} ms")
    return f"{handshake.ms:,.0f} ms of {limit:,} ms"


@check(advice="wait for the first line before you print anything", after=(says_ready,))
async def waits_for_hello(context: CheckContext) -> None:
    """The bot says nothing before it is greeted."""
    wait_s = min(LONGEST_WAIT_S, SILENCE_S + 2 * (await observe_handshake(context)).ms / 1000)
    async with context.open_table() as table:
        await table.expect_silence(wait_s, "before `hello`")
        await table.greet()


@check(advice="answer `ready` all the same, or print why not to standard error and end", after=(says_ready,))
async def meets_another_protocol(context: CheckContext) -> str:
    """Greeted by a runner of a later protocol, the bot answers or ends; it does not hang."""
    async with context.open_table() as table:
        connection = table.connection
        hello = decode_fields(table.hello_line())
        await connection.send(encode_line({**hello, "protocol": PROTOCOL_VERSION + 98, "later": [1, {"than": "you"}]}))
        said = await connection.receive_line(context.start_s)
        if not said and not connection.is_output_closed:
            raise CheckFailed(f"it neither answered nor ended in {context.start_s:g} s", connection.stderr_tail())
        return "it answers" if re.search(rb'"ready"', said) else "it ends"
