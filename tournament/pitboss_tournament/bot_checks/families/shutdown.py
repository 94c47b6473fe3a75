"""Checks of how a bot ends: when it is told to, when its input ends, and what it leaves behind."""

from __future__ import annotations

from time import perf_counter
from typing import Final

from msgspec import Struct

from pitboss.protocol.faults import Fault
from pitboss.protocol.messages import Faulted
from pitboss.testing.framework.check import CheckFailed, CheckNote, NotApplicable, check
from pitboss_tournament.bot_checks.check_context import CheckContext, observe_once
from pitboss_tournament.bot_checks.diagnosis import BUSY_SHARE
from pitboss_tournament.bot_checks.families import greeting, whole_games
from pitboss_tournament.bot_checks.raw_connection import format_bytes
from pitboss_tournament.bot_checks.scripted_table import ScriptedTable, encode_message
from pitboss_tournament.match.bot_link import BYE_SECONDS
from pitboss_tournament.processes import reaper

FAREWELL_S = 5.0  # for a bot to end by itself, and the time of its start besides: large libraries take both
EXIT_ADVICE: Final = "if a library ends slowly: flush, then os._exit(0)"

_GREETED = (greeting.starts_in_time,)
_ANSWERING = (whole_games.plays_a_whole_game,)


class Farewell(Struct, frozen=True):
    """How the bot ended after `bye` and the end of its input."""

    seconds: float
    status_failure: CheckFailed | CheckNote | NotApplicable | None  # None: it ended with status 0


@observe_once
async def observe_farewell(context: CheckContext) -> Farewell:
    """Greet the bot, and say goodbye; return how it ended.

    Raises:
        CheckFailed: it did not end in time.
    """
    async with context.open_table() as table:
        await table.greet()
        await table.say_bye()
        began = perf_counter()
        await _expect_exit(context, table, "`bye` and the end of its input")
        seconds = perf_counter() - began
        is_clean = table.connection.process.has_exited_cleanly()
        return Farewell(seconds, None if is_clean else await table.failure("after `bye` it did not end with status 0"))


@check(
    advice=f"leave your loop at `bye`, and end your threads and children; {EXIT_ADVICE}",
    after=_GREETED,
)
async def ends_at_bye(context: CheckContext) -> str:
    """After `bye` the bot ends by itself."""
    seconds = (await observe_farewell(context)).seconds
    if seconds <= BYE_SECONDS:
        return ""
    return (
        f"it took {seconds:.1f} s; a tournament ends it {BYE_SECONDS:g} s after `bye`, which is no fault; {EXIT_ADVICE}"
    )


@check(advice="end with status 0 when all is well: catch what is raised at the end of the input", after=(ends_at_bye,))
async def ends_with_status_0(context: CheckContext) -> None:
    """A bot that is told to end exits with status 0."""
    if (failure := (await observe_farewell(context)).status_failure) is not None:
        raise failure


@check(advice="say nothing at `bye`", after=(ends_at_bye, *_ANSWERING))
async def says_nothing_at_the_end(context: CheckContext) -> None:
    """The bot answers neither `end` nor `bye`."""
    async with context.open_game() as table:
        await table.end_game()
        await table.say_bye()
        said = await table.connection.receive_for(await _find_farewell_seconds(context))
        if said:
            raise CheckFailed(f"it said {format_bytes(said)}", table.connection.stderr_tail())


@check(advice=f"end when reading brings nothing more: a loop must not go on there; {EXIT_ADVICE}", after=_GREETED)
async def ends_with_its_input(context: CheckContext) -> None:
    """When its input ends without `bye` the bot ends too."""
    async with context.open_table() as table:
        await table.greet()
        await _expect_exit(context, table, "the end of its input")


@check(advice="end when reading brings nothing more, in a game as well", after=(ends_with_its_input, *_ANSWERING))
async def ends_with_its_input_in_a_game(context: CheckContext) -> None:
    """When its input ends in the middle of a game the bot ends too."""
    async with context.open_game(2) as table:
        await _expect_exit(context, table, "the end of its input in a game")


@check(advice="take a last line without a newline for the end of the input", after=(ends_with_its_input, *_ANSWERING))
async def ends_in_the_middle_of_a_line(context: CheckContext) -> None:
    """When its input ends in the middle of a line the bot ends too."""
    async with context.open_game(1) as table:
        raw = table.next_question() or table.hello_line()
        await table.send(raw[: len(raw) // 2])
        await _expect_exit(context, table, "the end of its input in the middle of a line")


@check(advice="write `fault` to your log, and end", after=(ends_with_its_input, *_ANSWERING))
async def ends_after_a_fault(context: CheckContext) -> None:
    """The bot ends after a `fault` of its own and the end of its input."""
    async with context.open_game(1) as table:
        message = "it chose 9; there were 2 legal actions, 0..1"
        fault = Fault(kind="illegal", seat=table.seat, decision=table.question_id, message=message)
        await table.send(encode_message(Faulted(fault=fault)))
        await _expect_exit(context, table, "a `fault`")


@check(
    advice="end what you have started: a child that outlives the bot is killed, and its work lost",
    after=(ends_at_bye, *_ANSWERING),
)
async def leaves_nobody_behind(context: CheckContext) -> None:
    """When the bot has ended, nothing that it started is left."""
    if context.bot.sandbox != "none":
        raise NotApplicable("with the bot its whole sandbox ends; --sandbox none shows what it would leave")
    async with context.open_game(2) as table:
        await table.say_bye()
        await _expect_exit(context, table, "`bye`")
        if left := reaper.find_marked(table.connection.process.mark.__eq__):
            raise CheckFailed(f"{len(left)} of the processes that it started went on without it")


async def _expect_exit(context: CheckContext, table: ScriptedTable, what: str) -> None:
    """Close the input and fail if the bot has not ended in the time that it has; its output is not read."""
    connection, allowed_s = table.connection, await _find_farewell_seconds(context)
    connection.process.close_stdin()
    computed_before = connection.computed_seconds()
    if not await connection.wait_ended(allowed_s):
        computed = connection.computed_seconds() - computed_before
        does = f"it has computed {computed:.1f} s since then" if computed > BUSY_SHARE * allowed_s else "it waits"
        raise CheckFailed(f"it lives {allowed_s:.1f} s after {what}: {does}", connection.stderr_tail())


async def _find_farewell_seconds(context: CheckContext) -> float:
    """Return the seconds that the bot has to end by itself: FAREWELL_S, and as long as its start took."""
    return FAREWELL_S + (await greeting.observe_handshake(context)).ms / 1000
