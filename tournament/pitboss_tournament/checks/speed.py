"""Checks of the time and the memory that a bot takes."""

# ruff: noqa: D401 - the docstring of a check is what a bot promises

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import trio
from msgspec.structs import replace

from pitboss_tournament.checks import answering, greeting, playing, understanding
from pitboss_tournament.checks.bench import Bench
from pitboss_tournament.checks.check import Broken, Noted, Skipped, check
from pitboss_tournament.checks.visit import Course, Visit, played
from pitboss_tournament.planning.processors import processors
from pitboss_tournament.planning.wording import counted
from pitboss_tournament.processes import proctree

MEBIBYTE = 1 << 20
WATCHED_S = 0.4  # that a bot's waiting is watched
BUSY_SHARE = 0.5  # of that time: who computes so much while it waits is not waiting
WARMING_GAMES = 60  # short ones, before its memory is measured
LEAK_GAMES = 240
CLOSE = 0.8  # of a limit
GROWTH_BYTES = 8 * MEBIBYTE  # over those games
LONGEST_S = 10.0

_SPIN = "while True: pass"


@check(
    "answer sooner, or ask for more time: decision_ms in the tournament file, --decision-ms here",
    after=(playing.plays_a_whole_game,),
)
async def decides_in_time(bench: Bench) -> str:
    """No decision takes longer than the time for a decision."""
    return _in_time(bench, bench.courses)


@check("load and compile what you need before you say `ready`", after=(answering.answers_questions,))
async def decides_in_time_at_first(bench: Bench) -> str:
    """The first decision of a fresh process takes no longer than the time for a decision."""
    async with bench.sitting() as sitting:
        await sitting.begin()
        raw = sitting.question() or b""
        began = trio.current_time()
        await sitting.say(raw)
        await sitting.answer()
        ms, limit = (trio.current_time() - began) * 1000, bench.bot.clock.decision_ms
    if ms > limit + bench.bot.clock.margin_ms:
        raise Broken(f"its first answer took {ms:,.0f} ms; allowed are {limit:,} ms")
    return f"{ms:,.1f} ms"


@check("spread the time over the game: `clock` in the question says what is left", after=(playing.plays_a_whole_game,))
async def keeps_to_the_game_clock(bench: Bench) -> str:
    """The decisions of a whole game together take no longer than the time for a game."""
    if bench.bot.clock.game_ms is None:
        raise Skipped("games have no limit of time; --game-ms gives them one")
    for setting in (setting for setting in bench.bot.settings() if setting.preset is None):
        course = await played(bench.room, bench.bot, bench.entrant(), setting, [0], clock=bench.bot.clock)
        if course.fault is not None:
            raise playing.faulted(course)
    return f"{bench.bot.clock.game_ms:,} ms"


@check("count on one processor, and on a part of it: fewer threads, and an eye on the clock", after=(decides_in_time,))
async def decides_in_time_at_several_tables(bench: Bench) -> str:
    """With two tables for each processor no decision takes longer than allowed."""
    tables = 2 * processors()
    courses: list[Course] = []

    async def play(number: int) -> None:
        bot = replace(bench.bot, seed=f"{bench.bot.seed}/{number}", game_seconds=min(2.0, bench.bot.game_seconds))
        courses.append(await played(bench.room, bot, bench.entrant(), bot.first_setting(), [0]))

    async with trio.open_nursery() as nursery:
        for number in range(tables):
            nursery.start_soon(play, number)
    for course in courses:
        if course.fault is not None:
            raise playing.faulted(course)
    return f"{counted(tables, 'table')}; {_in_time(bench, courses)}"


@check("keep a reserve: stop thinking well before the limit", after=(decides_in_time,))
async def decides_in_time_on_a_busy_machine(bench: Bench) -> str:
    """With as many busy programs beside it as there are processors, the bot still decides in time."""
    with _busy_machine():
        bot = replace(bench.bot, game_seconds=min(2.0, bench.bot.game_seconds))
        course = await played(bench.room, bot, bench.entrant(), bot.first_setting(), [0])
    if course.fault is not None:
        raise playing.faulted(course)
    return _in_time(bench, [course])


@check("wait in a read: a loop that looks again and again takes the time of other bots", after=(greeting.says_ready_once,))
async def waits_without_computing(bench: Bench) -> str:
    """While others are on turn the bot takes no processor time."""
    async with bench.sitting() as sitting:
        await sitting.begin()
        await trio.sleep(0.1)  # what it does on its own account at a start
        began, before = trio.current_time(), sitting.visit.seconds_used()
        await sitting.keep_silent(WATCHED_S, "while it was watched")
        share = (sitting.visit.seconds_used() - before) / (trio.current_time() - began)
    if share > BUSY_SHARE:
        raise Broken(f"it computed for {share:.0%} of the time in which it had nothing to do")
    return f"{share:.0%} of the time"


@check(
    "use less, or ask for more: memory_mb under [limits] in the tournament file, --limit memory_mb=N here",
    after=(understanding.plays_several_games,),
)
async def keeps_to_its_memory(bench: Bench) -> str:
    """After many games the bot uses less memory than it may."""
    _, after, _ = await bench.once("memory", lambda: _memory(bench))
    limit = bench.entrant().limits.memory_mb * MEBIBYTE
    seen = f"{after / MEBIBYTE:,.0f} MiB of {limit / MEBIBYTE:,.0f} MiB"
    if after > limit:  # had that been seen before, it would have been ended
        raise Broken(f"it uses {seen}")
    if after > limit * CLOSE:
        raise Noted(f"that was close: {seen}")
    return seen


@check("forget what belongs to the last game when `start` comes", after=(keeps_to_its_memory,))
async def memory_stays_level(bench: Bench) -> str:
    """Game after game in one process, the bot's memory does not grow."""
    before, after, games = await bench.once("memory", lambda: _memory(bench))
    grown = after - before
    seen = f"{grown / MEBIBYTE:+,.1f} MiB in {counted(games, 'game')}"
    if grown > GROWTH_BYTES and grown > before / 4:
        raise Broken(f"{seen} of three decisions: a tournament has thousands")
    return seen


def _in_time(bench: Bench, courses: list[Course]) -> str:
    clock = bench.bot.clock
    answers = sorted((us, phase, str(course)) for course in courses for phase, us in course.answers)
    if not answers:
        raise Skipped("it was not asked anything")
    worst, phase, where = answers[-1]
    median = statistics.median(us for us, _, _ in answers)
    late = sum(us > (clock.decision_ms + clock.margin_ms) * 1000 for us, _, _ in answers)
    seen = f"median {median / 1000:,.2f} ms, worst {worst / 1000:,.1f} ms of {clock.decision_ms:,} ms"
    if late:
        raise Broken(f"{late} of {counted(len(answers), 'decision')} came late; {seen}, in {where}, phase {phase!r}")
    if worst > clock.decision_ms * 1000 * CLOSE:
        raise Noted(f"that was close: {seen}, in {where}, phase {phase!r}")
    return seen


async def _memory(bench: Bench) -> tuple[int, int, int]:
    """Play many short games in one process; return the bytes it uses after the first of them, after all, and how many lay between."""
    async with bench.sitting() as sitting:
        await sitting.greet()
        games, before = 0, 0
        with trio.move_on_after(LONGEST_S):
            for games in range(WARMING_GAMES + LEAK_GAMES):
                if games == WARMING_GAMES:
                    before = _bytes(sitting.visit)
                await sitting.say(sitting.start())
                await sitting.play(3)
                await sitting.say(sitting.end())
        after = _bytes(sitting.visit)
        return before or after, after, max(0, games + 1 - WARMING_GAMES)


def _bytes(visit: Visit) -> int:
    return proctree.memory(proctree.tree(visit.pid))


@contextmanager
def _busy_machine() -> Iterator[None]:
    """Keep every processor busy for the length of a block."""
    others = [subprocess.Popen([sys.executable, "-I", "-S", "-c", _SPIN]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()
