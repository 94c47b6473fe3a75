"""Counts of a league, in memory: what is told of games and bots while a thread computes with them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from threading import Event

import pytest
import trio
from msgspec.structs import replace

from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.live_counts import LiveCounts
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Header, make_header
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.random_results import make_random_plan

BOTS = 4


@pytest.fixture
def header() -> Header:
    """Return the header of a league of four bots."""
    return make_header(make_random_plan("ladder", BOTS, 2, 1, {"overlapping": True}), "1", "0")


def draw_games(count: int, fault: str | None = None) -> list[GameResult]:
    """Return games of all bots; with a `fault` the first seat forfeits each."""
    world = SyntheticTournament(strengths=(0.5,) * BOTS, seats=2)
    games = [replace(game, game_id=number) for number, game in enumerate(world.games(count // 2, Random(1)))]
    return [replace(game, seats=(replace(game.seats[0], fault=fault), *game.seats[1:])) for game in games]


def name_early(header: Header) -> Header:
    """Return the header before the last bot had joined."""
    return replace(header, entries=header.entries[:-1])


async def compute_during(live: LiveCounts, do: Callable[[], None], work: Callable[[Counts], object]) -> None:
    """Let a thread compute; meanwhile `do` something, and afterwards let the thread end with `work`."""
    begun, goes_on = trio.Event(), Event()

    def compute(counts: Counts, _: None) -> object:
        trio.from_thread.run_sync(begun.set)
        goes_on.wait()
        return work(counts)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(live.compute, lambda: None, compute)
        await begun.wait()
        try:
            do()
        finally:
            goes_on.set()


async def test_a_bot_that_joins_while_a_thread_computes(header: Header) -> None:
    """A bot that joins while a thread computes is in the header at once, and is counted when the thread has ended;
    until then it has no games and no faults.
    """
    live = LiveCounts(name_early(header))
    seen: list[object] = []

    def join() -> None:
        live.change_header(header)
        seen.append((len(live.header.entries), len(live.counted_entries)))
        seen.append((live.count_games(BOTS - 1), live.is_disqualified(BOTS - 1), live.list_disqualified()))
        seen.extend(live.tally.faults[number] for number, _ in enumerate(live.counted_entries))

    await compute_during(live, join, lambda counts: seen.append(len(counts.names)))

    assert seen == [(BOTS, BOTS - 1), (0, False, frozenset()), *[{}] * (BOTS - 1), BOTS - 1]
    assert len(live.counted_entries) == len(live.tally.names) == BOTS


async def test_games_that_end_while_a_thread_computes(header: Header) -> None:
    """A thread does not see games that end while it computes; readers of games, forfeits and disqualified bots are told
    them all the same.
    """
    games = draw_games(12, "late")
    strict = replace(header, faults=replace(header.faults, disqualify_after=2))
    live, at_once = LiveCounts(strict), Counts(strict)
    at_once.add_all(games)
    for game in games[:4]:
        live.add(game)

    def end() -> None:
        for game in games[4:]:
            live.add(game)
        assert live.games == at_once.tally.games
        assert live.list_disqualified() == at_once.tally.list_disqualified() != frozenset()
        for bot in range(BOTS):
            assert live.count_games(bot) == at_once.tally.count_games(bot)
            assert live.count_faults(bot) == at_once.tally.faults[bot]
            assert live.is_disqualified(bot) == at_once.tally.is_disqualified(bot)
        assert live.tally.games == 4

    await compute_during(live, end, lambda counts: counts.rate_bots())

    assert live.tally.dump() == at_once.tally.dump()
    assert live.count_faults(0) == at_once.tally.faults[0]


async def test_games_that_are_told_anew_while_a_thread_computes(header: Header) -> None:
    """The counts begin at once, and the thread ends with those that it has."""
    games, live = draw_games(8), LiveCounts(header)
    for game in games:
        live.add(game)
    seen: list[int] = []

    def begin() -> None:
        live.add(games[0])
        live.begin()
        assert live.games == 0
        live.add(games[0])

    await compute_during(live, begin, lambda counts: seen.append(counts.tally.games))

    assert (seen, live.games, live.tally.games, live.beginnings) == ([8], 1, 1, 1)
