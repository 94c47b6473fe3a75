"""Checks of how a bot ends: when it is told to, when its input ends, and what it leaves behind."""

# ruff: noqa: D401 - the docstring of a check is what a bot promises

from __future__ import annotations

from pitboss_tournament.checks import answering, greeting
from pitboss_tournament.checks.bench import Bench
from pitboss_tournament.checks.check import Broken, Skipped, check
from pitboss_tournament.checks.sitting import Sitting
from pitboss_tournament.checks.visit import shown

FAREWELL_S = 0.5  # that the runner gives a bot to end by itself

_SEATED = (greeting.says_ready,)
_ABLE = (answering.answers_with_act,)


@check("leave your loop at `bye`; work that is left to do at the end must be short", after=_SEATED)
async def ends_at_bye(bench: Bench) -> str:
    """After `bye` the bot ends within half a second."""
    async with bench.sitting() as sitting:
        await sitting.greet()
        await sitting.part()
        await _ended(sitting, "`bye` and the end of its input")
    return ""


@check("end with status 0 when all is well: catch what is raised at the end of the input", after=(ends_at_bye,))
async def ends_with_status_0(bench: Bench) -> str:
    """The bot that is told to end says with its exit status that all is well."""
    async with bench.sitting() as sitting:
        await sitting.greet()
        await sitting.part()
        await _ended(sitting, "`bye`")
        if not sitting.visit.has_left():
            raise await sitting.trouble("after `bye` it did not end with status 0")
    return ""


@check("say nothing at `bye`", after=(ends_at_bye,))
async def says_nothing_at_the_end(bench: Bench) -> str:
    """The bot answers neither `end` nor `bye`."""
    async with bench.sitting() as sitting:
        await sitting.greet()
        await sitting.say(sitting.start())
        await sitting.say(sitting.end())
        await sitting.part()
        said = await sitting.visit.overhear(FAREWELL_S)
        if said:
            raise Broken(f"it said {shown(said)}", sitting.visit.stderr())
    return ""


@check("end when reading brings nothing more: a loop that goes on there burns a processor", after=_SEATED)
async def ends_with_its_input(bench: Bench) -> str:
    """When its input ends without `bye` the bot ends too."""
    async with bench.sitting() as sitting:
        await sitting.greet()
        sitting.visit.hang_up()
        await _ended(sitting, "the end of its input")
    return ""


@check("end when reading brings nothing more, in a game as well", after=(ends_with_its_input, *_ABLE))
async def ends_with_its_input_in_a_game(bench: Bench) -> str:
    """When its input ends in the middle of a game the bot ends too."""
    async with bench.sitting() as sitting:
        await sitting.begin(2)
        sitting.visit.hang_up()
        await _ended(sitting, "the end of its input in a game")
    return ""


@check("take a last line without a newline for the end of the input", after=(ends_with_its_input, *_ABLE))
async def ends_in_the_middle_of_a_line(bench: Bench) -> str:
    """When its input ends in the middle of a line the bot ends too."""
    async with bench.sitting() as sitting:
        await sitting.begin(1)
        raw = sitting.question() or sitting.hello()
        await sitting.say(raw[: len(raw) // 2])
        sitting.visit.hang_up()
        await _ended(sitting, "the end of its input in the middle of a line")
    return ""


@check("write `fault` to your log, and end", after=(ends_with_its_input, *_ABLE))
async def ends_after_a_fault(bench: Bench) -> str:
    """Told of a fault of its own, and with its input closed, the bot ends."""
    async with bench.sitting() as sitting:
        await sitting.begin(1)
        await sitting.blame("it chose 9; there were 2 legal actions, 0..1")
        await _ended(sitting, "a `fault`")
    return ""


@check("end what you have started: a child that outlives the bot is killed, and its work lost", after=(ends_at_bye, *_ABLE))
async def leaves_nobody_behind(bench: Bench) -> str:
    """When the bot has ended, nothing that it started is left."""
    if bench.bot.sandbox != "none":
        raise Skipped("with the bot its whole sandbox ends; --sandbox none shows what it would leave")
    async with bench.sitting() as sitting:
        await sitting.begin(2)
        await sitting.part()
        await _ended(sitting, "`bye`")
        if left := sitting.visit.companions():
            raise Broken(f"{len(left)} of the processes that it started went on without it")
    return ""


async def _ended(sitting: Sitting, what: str) -> None:
    """Wait until the bot has ended; what it says meanwhile is of no interest."""
    if not await sitting.visit.has_ended(FAREWELL_S):
        raise Broken(f"it lives {FAREWELL_S:g} s after {what}", sitting.visit.stderr())
