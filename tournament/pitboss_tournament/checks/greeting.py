"""Checks of how a bot answers `hello`."""

# ruff: noqa: D401 - the docstring of a check is what a bot promises

from __future__ import annotations

import re
from typing import get_args

from pitboss.wire import PROTOCOL, Ready, Want
from pitboss_tournament.checks import program
from pitboss_tournament.checks.bench import Bench
from pitboss_tournament.checks.check import Broken, check
from pitboss_tournament.checks.cures import flush_cure
from pitboss_tournament.checks.meeting import BOM, QUIET_S, is_json_like, message_of, met
from pitboss_tournament.checks.sitting import fields, line
from pitboss_tournament.checks.visit import shown
from pitboss_tournament.planning.wording import listed

NAME_LENGTH = 80
IN_THE_SANDBOX = "read the end of standard error; --sandbox none tells whether it misses a file or the network"
LONGEST_WAIT_S = 1.0  # before hello


@check(
    "read the end of standard error; start the command by hand in the bot's folder",
    after=(program.can_be_entered, program.interpreter_exists, program.script_has_unix_line_ends),
)
async def stays_up(bench: Bench) -> str:
    """The bot's process is started and lives until it is told to end."""
    meeting = await met(bench)
    if not meeting.lines and not meeting.lives:
        cure = IN_THE_SANDBOX if bench.bot.sandbox != "none" else ""
        raise Broken(f"it ended before it said anything: {meeting.account}", meeting.stderr, cure)
    return ""


@check("flush standard output after every line", after=(stays_up,))
async def flushes_its_output(bench: Bench) -> str:
    """What the bot says is sent at once: it waits in no buffer until the buffer is full or the program ends."""
    meeting = await met(bench)
    if meeting.late:
        seen = f"nothing came in {meeting.ms:,.0f} ms; when its input was closed it said {shown(meeting.late)}"
        raise Broken(seen, meeting.stderr, flush_cure(bench.bot.language, bench.bot.words))
    return ""


@check("read one line from standard input, and when its type is hello print a ready", after=(flushes_its_output,))
async def answers_hello(bench: Bench) -> str:
    """The bot answers `hello` with a line."""
    meeting = await met(bench)
    if not meeting.lines:
        seen = f"it said nothing in {meeting.ms:,.0f} ms; {meeting.account}; is its output buffered?"
        raise Broken(seen, meeting.stderr, flush_cure(bench.bot.language, bench.bot.words) + "; and read line by line")
    return f"after {meeting.ms:,.0f} ms"


@check("print for yourself to standard error: standard output is the wire", after=(answers_hello,))
async def prints_no_noise(bench: Bench) -> str:
    """Nothing but messages comes over standard output."""
    meeting = await met(bench)
    rest = [part for part in meeting.after.splitlines(keepends=True) if part.strip()]
    noise = [raw for raw in (*meeting.lines, *rest) if not is_json_like(raw)]
    if noise:
        raise Broken(f"it printed {shown(noise[0])}", meeting.stderr)
    return ""


@check("end every message with a newline, and flush it", after=(answers_hello, prints_no_noise))
async def ends_its_lines(bench: Bench) -> str:
    """The answer ends with a newline."""
    meeting = await met(bench)
    if not meeting.reply.endswith(b"\n"):
        raise Broken(f"{shown(meeting.reply)} came without a newline", meeting.stderr)
    return ""


@check("write UTF-8 without a byte order mark", after=(ends_its_lines,))
async def speaks_utf8(bench: Bench) -> str:
    """The answer is UTF-8, without a byte order mark."""
    reply = (await met(bench)).reply
    if reply.startswith(BOM):
        raise Broken(
            "its answer begins with a byte order mark, EF BB BF",
            cure="in .NET: new UTF8Encoding(false); in Python: utf-8, not utf-8-sig",
        )
    try:
        reply.decode()
    except UnicodeDecodeError as wrong:
        raise Broken(f"{shown(reply)}: byte {wrong.start} is not UTF-8") from None
    return ""


@check("write one JSON object on one line; a JSON library does it best", after=(speaks_utf8,))
async def speaks_json(bench: Bench) -> str:
    """The answer is one JSON object on one line."""
    meeting = await met(bench)
    try:
        message_of(meeting)
    except Broken as broken:
        part = " (a message may not go over several lines)" if meeting.after else ""
        raise Broken(f"{shown(meeting.reply)}: {broken.seen}{part}") from None
    return ""


@check('answer hello with {"type":"ready"}', after=(speaks_json,))
async def says_ready(bench: Bench) -> str:
    """The answer to `hello` is a `ready`."""
    meeting = await met(bench)
    if message_of(meeting).get("type") != "ready":
        raise Broken(f"it answered {shown(meeting.reply)}")
    return ""


@check("`ready` has the keys type, name, version and want; put everything else into your log", after=(says_ready,))
async def adds_no_keys_to_ready(bench: Bench) -> str:
    """`ready` has no keys that the protocol does not know."""
    known = ["type", *Ready.__struct_fields__]
    more = [key for key in message_of(await met(bench)) if key not in known]
    if more:
        raise Broken(f"`ready` has {listed(map(repr, more), 'and')}; it may have {listed(known, 'and')}")
    return ""


@check("leave `want` out, and questions bring the view", after=(says_ready,))
async def wants_what_there_is(bench: Bench) -> str:
    """What the bot wants of a question is the view, the events or both."""
    want = message_of(await met(bench)).get("want", "view")
    if want not in get_args(Want):
        raise Broken(f"`want` is {want!r}; it may be {listed(map(repr, get_args(Want)))}")
    return str(want)


@check(f"give a text of at most {NAME_LENGTH} characters, or leave it out", after=(says_ready,))
async def has_a_fitting_name(bench: Bench) -> str:
    """The name and the version in `ready` are short texts."""
    message = message_of(await met(bench))
    for key in ("name", "version"):
        value = message.get(key, "")
        if not isinstance(value, str) or len(value) > NAME_LENGTH:
            raise Broken(f"`{key}` is {shown(str(value).encode())}")
    return str(message.get("name", ""))


@check("say nothing more until the first `decide`: `start` wants no answer", after=(says_ready,))
async def says_ready_once(bench: Bench) -> str:
    """After `ready` the bot is silent until it is asked."""
    meeting = await met(bench)
    if meeting.after:
        raise Broken(f"after `ready` it said {shown(meeting.after)}, unasked", meeting.stderr)
    return ""


@check("load faster, or later; or ask for more time: start_ms in the tournament file, --start-ms here", after=(says_ready,))
async def starts_in_time(bench: Bench) -> str:
    """From its start to its `ready` the bot takes less than the time for that."""
    meeting, limit = await met(bench), bench.bot.clock.start_ms
    if meeting.ms > limit:
        raise Broken(f"it took {meeting.ms:,.0f} ms; allowed are {limit:,} ms")
    return f"{meeting.ms:,.0f} ms of {limit:,} ms"


@check("wait for the first line before you print anything", after=(says_ready,))
async def waits_for_hello(bench: Bench) -> str:
    """The bot says nothing before it is greeted."""
    wait_s = min(LONGEST_WAIT_S, QUIET_S + 2 * (await met(bench)).ms / 1000)
    async with bench.sitting() as sitting:
        await sitting.keep_silent(wait_s, "before `hello`")
        await sitting.greet()
    return ""


@check("answer `ready` all the same, or print why not to standard error and end", after=(says_ready,))
async def meets_another_protocol(bench: Bench) -> str:
    """Greeted by a runner of a later protocol, the bot answers or ends; it does not hang."""
    async with bench.sitting() as sitting:
        visit = sitting.visit
        hello = fields(sitting.hello())
        await visit.send(line({**hello, "protocol": PROTOCOL + 98, "later": [1, {"than": "you"}]}))
        said = await visit.hear(bench.start_s)
        if not said and not visit.is_at_end:
            raise Broken(f"it neither answered nor ended in {bench.start_s:g} s", visit.stderr())
        return "it answers" if re.search(rb'"ready"', said) else "it ends"
