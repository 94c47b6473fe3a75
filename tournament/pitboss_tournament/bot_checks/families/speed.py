"""Checks of the time and the memory that a bot takes."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import trio
from msgspec.structs import replace

from pitboss.simulation.game_setup import GameSetup
from pitboss.testing.framework.check import CheckFailed, CheckNote, NotApplicable, check
from pitboss.text import format_count
from pitboss_tournament.bot_checks.check_context import CheckContext, observe_once
from pitboss_tournament.bot_checks.families import first_answers, robustness, whole_games
from pitboss_tournament.bot_checks.families.whole_games import NEAR_LIMIT_SHARE, check_times
from pitboss_tournament.bot_checks.scripted_table import ScriptedTable
from pitboss_tournament.bot_checks.watched_games import WatchedGames, play_watched_games
from pitboss_tournament.match.game_length import MAX_SECONDS, MAX_TIMED_DECISIONS, count_random_decisions
from pitboss_tournament.plan.limits import MEBIBYTE
from pitboss_tournament.processes import process_tree
from pitboss_tournament.processes.cpu import available_cpus

CROWDED_GAME_S = 2.0  # for a game at several tables or beside busy programs
IDLE_WATCH_S = 0.4  # for which a waiting bot is measured
WAITING_BUSY_SHARE = 0.5  # of processor time, above which a waiting bot counts as busy
WARMUP_GAMES = 60  # short ones, before its memory is measured
LEAK_GAMES = 240
GROWTH_BYTES = 8 * MEBIBYTE  # that memory may grow in LEAK_GAMES
LONGEST_LEAK_TEST_S = 10.0

_BUSY_LOOP = "while True: pass"


@check(
    advice="spread the time over the game: `clock` in the question says what is left",
    after=(whole_games.plays_a_whole_game,),
)
async def keeps_to_the_game_clock(context: CheckContext) -> str:
    """The decisions of a whole game together take no longer than the time limit of a game."""
    if context.bot.clock.game_ms is None:
        raise NotApplicable("games have no limit of time; -s clock.game_ms=N gives them one")
    for setup in (setup for setup in context.bot.tables() if setup.variant.preset is None):
        watched = await play_watched_games(
            context.supervisor, context.bot, context.entrant(), setup, [0], clock=context.bot.clock
        )
        watched.raise_fault()
    return f"{context.bot.clock.game_ms:,} ms"


@check(
    advice="answer sooner, or ask for more: cpu_s under [limits], also in the tournament file; -s limits.cpu_s=N here",
    after=(whole_games.plays_a_whole_game,),
)
async def keeps_to_its_processor_time(context: CheckContext) -> str:
    """At the pace of its answers, the bot computes in no game longer than its limit."""
    limit = context.entrant().limits.cpu_s
    paces = [
        (statistics.fmean(us for _, us in one.answers) / 1e6, one.table) for one in context.watched_games if one.answers
    ]
    may_exceed = [(pace, table) for pace, table in paces if pace * MAX_TIMED_DECISIONS > limit]
    if not paces:
        raise NotApplicable("it was not asked anything")
    if not may_exceed:
        return f"{max(pace for pace, _ in paces) * 1000:,.2f} ms a decision"
    seconds, where = max((_estimate_game_seconds(pace, table), str(table)) for pace, table in may_exceed)
    seen = f"{seconds:,.0f} s of {limit:,} s for a game of random play, in {where}"
    if seconds > limit:
        raise CheckFailed(seen)
    if seconds > limit * NEAR_LIMIT_SHARE:
        raise CheckNote(f"that was close: {seen}")
    return seen


@check(
    advice="count on one processor, and on a part of one: fewer threads, and an eye on the clock",
    after=(whole_games.plays_a_whole_game,),
)
async def decides_in_time_at_several_tables(context: CheckContext) -> str:
    """With two tables for each processor no decision takes longer than the time limit of a decision."""
    tables = 2 * available_cpus()
    results: list[WatchedGames] = []

    async def play(number: int) -> None:
        results.append(await _play_briefly(context, f"{context.bot.seed}/{number}"))

    async with trio.open_nursery() as nursery:
        for number in range(tables):
            nursery.start_soon(play, number)
    for watched in results:
        watched.raise_fault()
    return f"{format_count(tables, 'table')}; {check_times(context, results)}"


@check(advice="keep a reserve: stop thinking well before the limit", after=(whole_games.plays_a_whole_game,))
async def decides_in_time_on_a_busy_machine(context: CheckContext) -> str:
    """With as many busy programs beside the bot as processors, no decision takes longer than its time limit."""
    with _keep_processors_busy():
        watched = await _play_briefly(context, context.bot.seed)
    watched.raise_fault()
    return check_times(context, [watched])


@check(
    advice="wait in a read: a loop that looks again and again takes the time of other bots",
    after=(first_answers.answers_questions,),
)
async def waits_without_computing(context: CheckContext) -> str:
    """While others are on turn the bot takes no processor time."""
    async with context.open_game() as table:
        await trio.sleep(0.1)  # the bot may compute at the start of a game
        began, before = trio.current_time(), table.connection.cpu_seconds()
        await table.expect_silence(IDLE_WATCH_S, "while it was watched")
        share = (table.connection.cpu_seconds() - before) / (trio.current_time() - began)
    if share > WAITING_BUSY_SHARE:
        raise CheckFailed(f"it computed for {share:.0%} of the time in which it had nothing to do")
    return f"{share:.0%} of the time"


@check(
    advice="use less, or ask for more: memory_mb under [limits] in the tournament file, -s limits.memory_mb=N here",
    after=(robustness.plays_several_games,),
)
async def keeps_to_its_memory(context: CheckContext) -> str:
    """After many games the bot uses no more memory than its limit."""
    _, after, _ = await _measure_memory(context)
    limit = context.entrant().limits.memory_mb * MEBIBYTE
    seen = f"{after / MEBIBYTE:,.0f} MiB of {limit / MEBIBYTE:,.0f} MiB"
    if after > limit:  # the memory watch samples: it may have missed this peak
        raise CheckFailed(f"it uses {seen}")
    if after > limit * NEAR_LIMIT_SHARE:
        raise CheckNote(f"that was close: {seen}")
    return seen


@check(advice="forget what belongs to the last game when `start` comes", after=(keeps_to_its_memory,))
async def memory_stays_level(context: CheckContext) -> str:
    """The memory of the bot does not grow from game to game in one process."""
    before, after, games = await _measure_memory(context)
    grown = after - before
    seen = f"{grown / MEBIBYTE:+,.1f} MiB in {format_count(games, 'game')}"
    if grown > GROWTH_BYTES and grown > before / 4:
        raise CheckFailed(f"{seen} of three decisions: a tournament has thousands")
    return seen


async def _play_briefly(context: CheckContext, seed: str) -> WatchedGames:
    bot = replace(context.bot, seed=seed, game_seconds=min(CROWDED_GAME_S, context.bot.longest_game_s))
    return await play_watched_games(context.supervisor, bot, context.entrant(), bot.first_table(), [0])


def _estimate_game_seconds(pace: float, table: GameSetup) -> float:
    """Return how long one seat's answers take in a game of random play, at a number of seconds for each."""
    decisions, _ = count_random_decisions(table.game, table.seats, table.options, MAX_SECONDS)
    return pace * decisions / table.seats


@observe_once
async def _measure_memory(context: CheckContext) -> tuple[int, int, int]:
    """Play short games in one process; return its bytes after WARMUP_GAMES and after all, and the games between."""
    async with context.open_table() as table:
        await table.greet()
        games, before = 0, 0
        with trio.move_on_after(LONGEST_LEAK_TEST_S):
            for games in range(WARMUP_GAMES + LEAK_GAMES):
                if games == WARMUP_GAMES:
                    before = _memory_bytes(table)
                await table.send(table.start_game())
                await table.ask_questions(3)
                await table.end_game()
        after = _memory_bytes(table)
        return before or after, after, max(0, games + 1 - WARMUP_GAMES)


def _memory_bytes(table: ScriptedTable) -> int:
    return process_tree.memory_bytes(process_tree.descendants(table.connection.process.pid))


@contextmanager
def _keep_processors_busy() -> Iterator[None]:
    """Keep every processor busy for the length of a block."""
    others = [subprocess.Popen([sys.executable, "-I", "-S", "-c", _BUSY_LOOP]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()
