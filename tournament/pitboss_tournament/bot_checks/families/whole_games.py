"""Checks in whole games, played by the runner's own match: every game, number of players, preset and seat."""

from __future__ import annotations

from collections.abc import Sequence

import trio

from pitboss.game_setup import GameSetup
from pitboss.random_play import choose_from, play_decisions
from pitboss.table.randomness import Random
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.text import format_count, join_words
from pitboss_tournament.bot_checks.check_context import CheckContext
from pitboss_tournament.bot_checks.families import robustness
from pitboss_tournament.bot_checks.watched_games import WatchedGames, play_watched_games
from pitboss_tournament.processes.cpu import available_cpus

SEARCH_GAMES = 3  # random games in search of a game's phases
LONGEST_SEARCH_GAME = 3_000  # decisions of such a game
QUESTIONS_PER_PHASE = 3

_ABLE = (robustness.plays_several_games,)


@check(advice="see what was played, and what was legal", after=_ABLE)
async def plays_a_whole_game(context: CheckContext) -> str:
    """With the fewest players and the game's defaults the bot plays whole games without a fault."""
    return await _play_without_fault(context, [(setup, [0]) for setup in _smallest_tables(context)])


@check(advice="see what was played, and what was legal", after=(plays_a_whole_game,))
async def plays_at_every_table(context: CheckContext) -> str:
    """The bot plays whole games with every number of players that the game allows."""
    tables = [setup for setup in context.bot.tables() if setup.variant.preset is None]
    return await _play_without_fault(context, [(setup, [setup.seats - 1]) for setup in tables])


@check(advice="read `options` in `hello`: they say what is different", after=(plays_a_whole_game,))
async def plays_with_every_preset(context: CheckContext) -> str:
    """The bot plays whole games with every preset."""
    tables = [setup for setup in context.bot.tables() if setup.variant.preset is not None]
    if not tables:
        raise NotApplicable("its games have no presets that differ from the defaults at these tables")
    return await _play_without_fault(context, [(setup, [number % setup.seats]) for number, setup in enumerate(tables)])


@check(
    advice="read your seat in `hello`, `start` or the question; keep no file or port that is there once only",
    after=(plays_a_whole_game,),
)
async def plays_in_every_seat(context: CheckContext) -> str:
    """The bot sits in all seats of a table at once, each a process of its own."""
    return await _play_without_fault(context, [(setup, range(setup.seats)) for setup in _smallest_tables(context)])


@check(advice="look at the phase in the question: each has actions of its own", after=_ABLE)
async def meets_every_phase(context: CheckContext) -> str:
    """The bot answers with a legal action in every phase that random play comes to."""
    met: dict[str, list[str]] = {}
    for setup in context.bot.tables():
        for phase in _find_phases(setup, context.bot.seed):
            phases = met.setdefault(setup.game.name, [])
            if phase not in phases:
                await _ask_in_phase(context, setup, phase)
                phases.append(phase)
    return "; ".join(f"{game}: {join_words(phases, 'and')}" for game, phases in met.items())


async def _play_without_fault(context: CheckContext, tables: Sequence[tuple[GameSetup, Sequence[int]]]) -> str:
    """Play games at each table, the bot in the given seats, as many tables at once as there are processors; return the
    counts of games and decisions.

    Raises:
        CheckFailed: the bot committed a fault; told is that at the first of the tables.
    """
    played: dict[int, WatchedGames] = {}
    free = trio.CapacityLimiter(available_cpus())

    async def play(number: int) -> None:
        async with free:
            played[number] = await play_watched_games(
                context.supervisor, context.bot, context.entrant(), *tables[number], games=context.bot.rounds
            )

    async with trio.open_nursery() as nursery:
        for number in range(len(tables)):
            nursery.start_soon(play, number)
    results = [played[number] for number in range(len(tables))]
    context.watched_games += results
    for watched in results:
        watched.raise_fault()
    decisions = sum(len(watched.answers) for watched in results)
    games = sum(watched.games_played for watched in results)
    cut = sum(watched.games_played < context.bot.rounds for watched in results)
    part = f"; {format_count(cut, 'game')} cut short after {context.bot.longest_game_s:.2g} s" if cut else ""
    return f"{format_count(games, 'game')}, {format_count(decisions, 'decision')} of its own{part}"


def _smallest_tables(context: CheckContext) -> list[GameSetup]:
    """Return for each game its table with the fewest players and the defaults."""
    smallest: dict[str, GameSetup] = {}
    for setup in context.bot.tables():
        smallest.setdefault(setup.game.name, setup)
    return list(smallest.values())


def _find_phases(table: GameSetup, seed: str) -> list[str]:
    """Return the phases in which seat 0 has to decide in SEARCH_GAMES random games."""
    found: dict[str, None] = {}
    for number in range(SEARCH_GAMES):
        state = table.deal(f"{seed}/{number}")
        state.table.stop_logging()
        choose = choose_from(Random(f"{seed}/phases/{number}"))
        turns = (turn for turn, _ in play_decisions(state, choose, LONGEST_SEARCH_GAME))
        found.update((turn.phase, None) for turn in turns if turn.seat == 0)
    return list(found)


async def _ask_in_phase(context: CheckContext, setup: GameSetup, phase: str) -> None:
    async with context.open_table(setup=setup) as table:
        await table.begin_game()
        for _ in range(QUESTIONS_PER_PHASE):
            try:
                await table.ask_questions(1, phase)
            except CheckFailed as broken:
                raise CheckFailed(f"{setup}, phase {phase!r}: {broken.detail}", broken.stderr) from None
