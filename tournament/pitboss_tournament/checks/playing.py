"""Checks in whole games, led by the real runner's match: every game, number of players, preset and seat."""

# ruff: noqa: D401 - the docstring of a check is what a bot promises

from __future__ import annotations

from collections.abc import Sequence

from pitboss.randomness import Random
from pitboss_tournament.checks import understanding
from pitboss_tournament.checks.bench import Bench
from pitboss_tournament.checks.check import Broken, Skipped, check
from pitboss_tournament.checks.cures import FAULT_CURES
from pitboss_tournament.checks.subject import Setting
from pitboss_tournament.checks.visit import Course, played
from pitboss_tournament.planning.wording import counted, listed

SEARCHED = 3  # games of chance in search of a game's phases
LONGEST = 3_000  # decisions of such a game
OF_EACH_PHASE = 3  # questions

_ABLE = (understanding.plays_several_games,)


@check("see what was played, and what was legal", after=_ABLE)
async def plays_a_whole_game(bench: Bench) -> str:
    """With the fewest players and the game's defaults the bot plays whole games without a fault."""
    smallest = [_of_game(bench, game.name)[0] for game in bench.bot.games]
    return await _without_fault(bench, [(setting, [0]) for setting in smallest])


@check("see what was played, and what was legal", after=(plays_a_whole_game,))
async def plays_at_every_table(bench: Bench) -> str:
    """The bot plays whole games with every number of players that the game allows."""
    tables = [setting for setting in bench.bot.settings() if setting.preset is None]
    return await _without_fault(bench, [(setting, [setting.seats - 1]) for setting in tables])


@check("read `options` in `hello`: they say what is different", after=(plays_a_whole_game,))
async def plays_with_every_preset(bench: Bench) -> str:
    """The bot plays whole games with every preset."""
    tables = [setting for setting in bench.bot.settings() if setting.preset is not None]
    if not tables:
        raise Skipped("its games have no presets that differ from the defaults at these tables")
    return await _without_fault(bench, [(setting, [number % setting.seats]) for number, setting in enumerate(tables)])


@check(
    "read your seat in `hello`, `start` or the question; keep no file or port that is there once only",
    after=(plays_a_whole_game,),
)
async def plays_in_every_seat(bench: Bench) -> str:
    """The bot sits in all seats of a table at once, each a process of its own."""
    smallest = [_of_game(bench, game.name)[0] for game in bench.bot.games]
    return await _without_fault(bench, [(setting, range(setting.seats)) for setting in smallest])


@check("look at the phase in the question: each has actions of its own", after=_ABLE)
async def meets_every_phase(bench: Bench) -> str:
    """In every phase that play at random comes to the bot answers with a legal action."""
    met: dict[str, list[str]] = {}
    for game in bench.bot.games:
        for setting in _of_game(bench, game.name):
            for phase in _phases(setting, bench.bot.seed):
                if phase not in met.setdefault(game.name, []):
                    await _ask_in(bench, setting, phase)
                    met[game.name].append(phase)
    return "; ".join(f"{game}: {listed(phases, 'and')}" for game, phases in met.items())


async def _without_fault(bench: Bench, tables: Sequence[tuple[Setting, Sequence[int]]]) -> str:
    """Play games at these tables, the bot in these seats of them."""
    courses: list[Course] = []
    for setting, seats in tables:
        course = await played(bench.room, bench.bot, bench.entrant(), setting, seats, games=bench.bot.rounds)
        bench.courses.append(course)
        courses.append(course)
        if course.fault is not None:
            raise faulted(course)
    decisions = sum(len(course.answers) for course in courses)
    games = sum(course.games for course in courses)
    cut = sum(course.games < bench.bot.rounds for course in courses)
    part = f"; {counted(cut, 'game')} cut short after {bench.bot.game_seconds:g} s" if cut else ""
    return f"{counted(games, 'game')}, {counted(decisions, 'decision')} of its own{part}"


def faulted(course: Course) -> Broken:
    """Return what a bot did wrong in a game."""
    fault = course.fault
    assert fault is not None
    phase = f"after {counted(len(course.answers), 'decision')}"
    return Broken(f"{course}, {phase}: {fault.kind}: {fault.message}", course.stderr, FAULT_CURES[fault.kind])


def _of_game(bench: Bench, name: str) -> list[Setting]:
    return [setting for setting in bench.bot.settings() if setting.game.name == name]


def _phases(setting: Setting, seed: str) -> list[str]:
    """Return the phases in which seat 0 has to decide in some games of chance."""
    found: dict[str, None] = {}
    for number in range(SEARCHED):
        luck = Random(f"{seed}/phases/{number}")
        state = setting.game.deal(setting.seats, setting.options, Random(f"{seed}/{number}"))
        state.table.quiet()
        for _ in range(LONGEST):
            if (turn := state.turn) is None:
                break
            if turn.seat == 0:
                found.setdefault(turn.phase)
            state.play(luck.choice(state.legal()))
    return list(found)


async def _ask_in(bench: Bench, setting: Setting, phase: str) -> None:
    async with bench.sitting(setting=setting) as sitting:
        await sitting.begin()
        for _ in range(OF_EACH_PHASE):
            try:
                await sitting.play(1, phase)
            except Broken as broken:
                raise Broken(f"{setting}, phase {phase!r}: {broken.seen}", broken.stderr) from None
