"""Checks in whole games, played by the runner's own match: every game, number of players, preset and seat."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

import msgspec
import trio

from pitboss.simulation.game_setup import GameSetup
from pitboss.simulation.random_play import choose_from, play_decisions
from pitboss.table.randomness import Random
from pitboss.testing.framework.check import CheckFailed, CheckNote, NotApplicable, check
from pitboss.text import format_count, join_words
from pitboss_tournament.bot_checks.check_context import CheckContext, observe_once
from pitboss_tournament.bot_checks.families import first_answers
from pitboss_tournament.bot_checks.watched_games import WatchedGames, play_watched_games
from pitboss_tournament.statistics.policy_calibration import PolicyCalibration

SEARCH_GAMES = 3  # random games in search of a game's phases
LONGEST_SEARCH_GAME = 3_000  # decisions of such a game
QUESTIONS_PER_PHASE = 3
POLICY_GAMES = 20  # at each table: their draws have to tell chance from a lie
MAX_PHASE_GAMES = 30  # begun in search of these questions
NEAR_LIMIT_SHARE = 0.8  # of a limit, above which a result is a note

LATE_ADVICE = "answer sooner, or ask for more time: decision_ms in the tournament file, -s clock.decision_ms=N here"


@observe_once
async def observe_first_games(context: CheckContext) -> list[WatchedGames]:
    """Play whole games with the fewest players and the defaults, one table for each game that the bot plays."""
    tables = [(setup, [0]) for setup in _smallest_tables(context)]
    return await _watch_tables(context, tables, context.bot.longest_first_game_s)


@check(
    advice=LATE_ADVICE,
    after=(first_answers.reads_several_lines_at_once,),
)
async def decides_in_time(context: CheckContext) -> str:
    """In whole games no decision but a first one takes longer than the time limit of a decision."""
    return check_times(context, await observe_first_games(context))


@check(advice="load and compile what you need before you say `ready`", after=(decides_in_time,))
async def decides_in_time_at_first(context: CheckContext) -> str:
    """The first decision of a fresh process takes no longer than the time limit of a decision."""
    played = await observe_first_games(context)
    first_us = [watched.answers[index][1] for watched in played for index in watched.first_answers]
    if not first_us:
        raise NotApplicable("it was not asked anything")
    slowest, clock = max(first_us) / 1000, context.bot.clock
    if slowest > clock.decision_ms + clock.margin_ms:
        raise CheckFailed(f"its first answer took {slowest:,.0f} ms; allowed are {clock.decision_ms:,} ms")
    return f"{slowest:,.1f} ms"


@check(advice="see what was played, and what was legal", after=(decides_in_time,))
async def plays_a_whole_game(context: CheckContext) -> str:
    """With the fewest players and the game's defaults the bot plays whole games without a fault."""
    results = await observe_first_games(context)
    for watched in results:
        watched.raise_fault()
    seen = _count_games(results)
    if any(watched.answers and not watched.games_played for watched in results):
        raise NotApplicable(f"no game came to its end in time: {seen}; --game-seconds gives it more")
    return seen


@check(advice="see what was played, and what was legal", after=(plays_a_whole_game,))
async def plays_at_every_table(context: CheckContext) -> str:
    """The bot plays whole games with every number of players that the game allows."""
    first = await observe_first_games(context)
    tables = [setup for setup in context.bot.tables() if setup.variant.preset is None]
    others = [setup for setup in tables if setup not in [watched.table for watched in first]]
    return await _play_without_fault(context, [(setup, [setup.seats - 1]) for setup in others], first)


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


@check(advice="look at the phase in the question: each has actions of its own", after=(plays_a_whole_game,))
async def meets_every_phase(context: CheckContext) -> str:
    """The bot answers with a legal action in every phase that random play comes to."""
    met: dict[str, list[str]] = {}
    for setup in context.bot.tables():
        phases = met.setdefault(setup.game.name, [])
        if wanted := [phase for phase in _find_phases(setup, context.bot.seed) if phase not in phases]:
            phases += await _ask_in_phases(context, setup, wanted)
    return "; ".join(f"{game}: {join_words(phases, 'and')}" for game, phases in met.items())


@check(
    advice="state the probabilities of the same draw: which weights did you draw with?",
    after=(plays_a_whole_game,),
)
async def draws_as_it_states(context: CheckContext) -> str:
    """A bot that states policies draws its actions with these probabilities."""
    calibration, count = PolicyCalibration(), 0
    results = await _watch_tables(
        context,
        [(setup, [0]) for setup in _smallest_tables(context)],
        context.bot.longest_first_game_s,
        policy_games=POLICY_GAMES,
    )
    for watched in results:
        watched.raise_fault()
        count += len(watched.policies)
        for policy, action in watched.policies:
            calibration.add(msgspec.to_builtins(policy), msgspec.to_builtins(action))
    if not count:
        raise NotApplicable("it states no policies")
    if fault := calibration.find_fault():
        raise CheckFailed(fault)
    return f"{count:,} policies"


async def _play_without_fault(
    context: CheckContext, tables: Sequence[tuple[GameSetup, Sequence[int]]], played: Sequence[WatchedGames] = ()
) -> str:
    """Play games at each table, the bot in the given seats; return the counts of these games and of those `played`.

    Raises:
        CheckFailed: the bot committed a fault or was late; told is that at the first of the tables.
        CheckNote: an answer was nearly late.
    """
    results = [*played, *await _watch_tables(context, tables, context.bot.longest_game_s)]
    if any(watched.answers for watched in results):
        check_times(context, results, LATE_ADVICE)
    for watched in results:
        watched.raise_fault()
    return _count_games(results)


async def _watch_tables(
    context: CheckContext,
    tables: Sequence[tuple[GameSetup, Sequence[int]]],
    longest_s: float,
    *,
    policy_games: int = 0,
) -> list[WatchedGames]:
    """Play games at each table, the bot in the given seats, as many tables at once as there are processors.

    With `policy_games`, this number of games is played in which the bot may state policies.
    """
    played: dict[int, WatchedGames] = {}

    async def play(number: int) -> None:
        async with context.free_tables:
            played[number] = await play_watched_games(
                context.supervisor,
                context.bot,
                context.entrant(),
                *tables[number],
                games=policy_games or context.bot.rounds,
                longest_s=longest_s,
                with_policies=policy_games > 0,
            )

    async with trio.open_nursery() as nursery:
        for number in range(len(tables)):
            nursery.start_soon(play, number)
    results = [played[number] for number in range(len(tables))]
    context.watched_games += results
    return results


def _count_games(results: Sequence[WatchedGames]) -> str:
    decisions = sum(len(watched.answers) for watched in results)
    games = sum(watched.games_played for watched in results)
    cut = sum(watched.is_cut for watched in results)
    part = f"; {format_count(cut, 'game')} cut short" if cut else ""
    return f"{format_count(games, 'game')}, {format_count(decisions, 'decision')} of its own{part}"


def check_times(context: CheckContext, played: Sequence[WatchedGames], advice: str = "") -> str:
    """Return how long decisions took. `advice` replaces that of the check.

    Raises:
        CheckFailed: one was late, the first of each process aside.
        CheckNote: one was nearly late.
        NotApplicable: there was none.
    """
    clock = context.bot.clock
    for watched in played:
        if watched.fault is not None and watched.fault.kind == "late":
            raise CheckFailed(watched.describe_fault(), watched.stderr, advice, "late")
    answers = sorted(
        (us, phase, str(watched))
        for watched in played
        for index, (phase, us) in enumerate(watched.answers)
        if index not in watched.first_answers
    )
    if not answers:
        raise NotApplicable("it was not asked twice")
    worst, phase, where = answers[-1]
    median = statistics.median(us for us, _, _ in answers)
    seen = f"median {median / 1000:,.2f} ms, worst {worst / 1000:,.1f} ms of {clock.decision_ms:,} ms"
    if late := [f"{watched}, {watched.late}" for watched in played if watched.late]:
        number = sum(us > (clock.decision_ms + clock.margin_ms) * 1000 for us, _, _ in answers)
        raise CheckFailed(
            f"{number} of {format_count(len(answers), 'decision')} came late; {seen}; {late[0]}",
            advice=advice,
            cause="late",
        )
    if worst > clock.decision_ms * 1000 * NEAR_LIMIT_SHARE:
        raise CheckNote(f"that was close: {seen}, in {where}, phase {phase!r}", advice)
    return seen


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


async def _ask_in_phases(context: CheckContext, setup: GameSetup, phases: Sequence[str]) -> list[str]:
    """Ask QUESTIONS_PER_PHASE questions in each phase, in one process; return the phases that came."""
    met = []
    async with context.open_table(setup=setup) as table:
        await table.begin_game()
        for phase in phases:
            asked = 0
            for _ in range(MAX_PHASE_GAMES):
                try:
                    asked += await table.ask_questions(1, phase)
                except CheckFailed as broken:
                    raise CheckFailed(f"{setup}, phase {phase!r}: {broken.detail}", broken.stderr) from None
                if asked == QUESTIONS_PER_PHASE:
                    break
            if asked:
                met.append(phase)
    return met
