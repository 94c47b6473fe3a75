"""What a failing bot costs the other tables of its worker: two tables in one room, on one processor, as a worker has
them.

At the first two good bots play without a pause. At the second a game begins each second, with fresh processes, and one
of its bots is good,
or fails. The loss is what the first table plays less in the second case.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Final

import msgspec
import trio

from pitboss.game import AnyGame, resolve_options
from pitboss.protocol.messages import Clock, Hello
from pitboss_tournament.match.bot_seat import BotSeat
from pitboss_tournament.match.match import Match
from pitboss_tournament.plan.plan import Entrant, FaultRules, SandboxLevel
from pitboss_tournament.processes.supervisor import BotSupervisor, open_supervisor
from tests.tournament.small_tournaments import load_magpie

CLOCK: Final = Clock(start_ms=10_000, decision_ms=200)
GAME_INTERVAL_S: Final = 1.0


class NeighbourTables:
    """Both tables; `other` is who plays a good bot at the second one."""

    def __init__(self, first: tuple[Entrant, Entrant], good: Entrant, sandbox: SandboxLevel) -> None:
        self._first = first
        self._good = good
        self._sandbox = sandbox
        self._game: AnyGame = load_magpie()
        self._options = resolve_options(self._game, 2, overrides={"turns": 5})

    def measure_rate(self, other: Entrant, seconds: float) -> float:
        """Return how many games a second the first table plays beside the other bot."""
        with pin_to_one_processor():
            return trio.run(self._measure_rate, other, seconds)

    async def _measure_rate(self, other: Entrant, seconds: float) -> float:
        games = 0
        async with open_supervisor(self._sandbox, cpu_slots=1) as room, trio.open_nursery() as nursery:
            nursery.start_soon(self._run_failing_table, room, other)
            players = self._seat_players(room, *self._first)
            await self._play_game(players, 0)
            began = trio.current_time()
            while trio.current_time() < began + seconds:
                games += 1
                await self._play_game(players, games)
            took = trio.current_time() - began
            nursery.cancel_scope.cancel()
        return games / took

    async def _run_failing_table(self, room: BotSupervisor, other: Entrant) -> None:
        due = trio.current_time()
        for number in range(1_000_000):
            players = self._seat_players(room, self._good, other)
            await self._play_game(players, number)
            for player in players:
                await player.close()
            due += GAME_INTERVAL_S
            await trio.sleep_until(due)

    def _seat_players(self, room: BotSupervisor, *entrants: Entrant) -> list[BotSeat]:
        options = msgspec.to_builtins(self._options)
        return [
            BotSeat(
                room,
                entrant,
                self._game,
                Hello(game=self._game.name, options=options, seats=2, seat=seat, seed="s", clock=CLOCK),
                FaultRules(),
            )
            for seat, entrant in enumerate(entrants)
        ]

    async def _play_game(self, players: list[BotSeat], number: int) -> None:
        await Match(self._game, self._options, players, f"neighbours/{number}").play(number, ("s", "s"))


def measure_loss(
    tables: NeighbourTables, good: Entrant, failing: Entrant, repeats: int, seconds: float
) -> tuple[float, float]:
    """Return the share of games that the first table loses while `failing` fails, the median of pairs of runs; and the
    good rate.
    """
    pairs = []
    for repeat in range(repeats):
        order = (good, failing) if repeat % 2 else (failing, good)  # what changes slowly weighs on both
        rates = {bot.name: tables.measure_rate(bot, seconds) for bot in order}
        pairs.append((rates[good.name], rates[failing.name]))
    return median(1 - failed / calm for calm, failed in pairs), median(calm for calm, _ in pairs)


@contextmanager
def pin_to_one_processor() -> Iterator[None]:
    """Keep this process, and what it starts, on one processor for the length of a block."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
