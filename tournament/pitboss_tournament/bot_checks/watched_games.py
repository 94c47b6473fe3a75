"""Whole games with the runner's own matches: the bot in watched seats, random play in the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn

import trio
from msgspec import Struct
from msgspec.structs import replace

from pitboss.action_range import draw_action
from pitboss.game import AnyState
from pitboss.game_setup import GameSetup
from pitboss.protocol.faults import Fault
from pitboss.protocol.messages import Clock, End, Hello, Start
from pitboss.record import Decision, Incident
from pitboss.table.events import AnyEvent
from pitboss.table.randomness import Random
from pitboss.testing.framework.check import CheckFailed
from pitboss.text import format_count
from pitboss_tournament.bot_checks.advice import FAULT_ADVICE
from pitboss_tournament.bot_checks.bot_under_test import BotUnderTest
from pitboss_tournament.bot_checks.raw_connection import shorten_stderr
from pitboss_tournament.plan.plan import Entrant, FaultRules
from pitboss_tournament.playing.bot_seat import BotSeat, close_all, settle_all
from pitboss_tournament.playing.match import Match
from pitboss_tournament.playing.schedule import draw_bot_seeds
from pitboss_tournament.playing.seat import Answer
from pitboss_tournament.processes.supervisor import BotSupervisor

MARGIN_FACTOR: Final = 3  # multiple of its limit that a bot may take here: lateness is judged by the speed checks
LONGEST_MARGIN_MS: Final = 5_000


class _GameAborted(Exception):
    """Ends a match at the bot's first fault. Caught in this module."""


class WatchedGames(Struct):
    """The bot's decisions, times and first fault over the games at one table."""

    table: GameSetup
    seats: Sequence[int]  # of the bot
    games_played: int = 0  # to their end
    answers: list[tuple[str, int]] = []  # phase and microseconds of each
    fault: Fault | None = None
    stderr: str = ""

    def __str__(self) -> str:
        seats = f"seat {self.seats[0]}" if len(self.seats) == 1 else "all seats"
        return f"{self.table}, {seats}"

    def raise_fault(self) -> None:
        """Raise the bot's first fault, if it committed one, as a failed check."""
        if self.fault is not None:
            when = f"after {format_count(len(self.answers), 'decision')}"
            detail = f"{self}, {when}: {self.fault.kind}: {self.fault.message}"
            raise CheckFailed(detail, self.stderr, FAULT_ADVICE[self.fault.kind])


class WatchedSeat(BotSeat):
    """The bot's seat in whole games. Its answers are counted and timed; its first fault ends the game."""

    def __init__(self, supervisor: BotSupervisor, entrant: Entrant, hello: Hello, watched_games: WatchedGames) -> None:
        super().__init__(supervisor, entrant, watched_games.table.game, hello, FaultRules())
        self._watched_games = watched_games

    async def start(self, start: Start) -> None:
        """Seat the bot for a new game."""
        incident = await super().start(start)
        if incident is not None:
            self._abort_game(incident)

    async def decide(
        self, phase: str, legal: Sequence[Any], view: object, events: list[AnyEvent], together: Sequence[int] = ()
    ) -> Answer:
        """Ask the bot for a decision."""
        answer = await super().decide(phase, legal, view, events, together)
        if not isinstance(answer, Answer):
            self._abort_game(answer)
        self._watched_games.answers.append((phase, answer.us))
        return answer

    def _abort_game(self, incident: Incident) -> NoReturn:
        self._watched_games.fault = incident.fault
        self._watched_games.stderr = shorten_stderr(incident.last_words)
        raise _GameAborted


class RandomSeat:
    """A seat without a process that plays uniformly at random."""

    def __init__(self, seat: int, seed: str) -> None:
        self.entrant = Entrant(name=f"chance-{seat}", command=())
        self.wants_events = False
        self.log_position = 0
        self._random = Random(f"{seed}/chance-{seat}")

    async def start(self, start: Start) -> None:
        """Do nothing."""

    def resume(self, decisions: Sequence[Decision], incidents: Sequence[Incident]) -> None:
        """Do nothing: a random choice does not depend on earlier decisions."""

    async def rejoin(self) -> None:
        """Do nothing: no fault is possible."""

    def observe(self, state: AnyState) -> None:
        """Return no view."""

    async def decide(
        self, phase: str, legal: Sequence[Any], view: object, events: list[AnyEvent], together: Sequence[int] = ()
    ) -> Answer:
        """Choose any legal action."""
        return Answer(draw_action(self._random.choice(legal), self._random.randbelow), 0, 0, None)

    async def end(self, end: End) -> None:
        """Do nothing."""


async def play_watched_games(
    supervisor: BotSupervisor,
    bot: BotUnderTest,
    entrant: Entrant,
    table: GameSetup,
    seats: Sequence[int],
    *,
    games: int = 1,
    clock: Clock | None = None,
) -> WatchedGames:
    """Play games in the same processes, the bot in `seats`, until its first fault or for `bot.longest_game_s`."""
    watched_games = WatchedGames(table, seats)
    players: list[WatchedSeat | RandomSeat] = []
    for seat in range(table.seats):
        hello = make_hello(table, seat, f"{bot.seed}/{table}/{seat}", clock or extend_margin(bot.clock))
        is_watched = seat in seats
        players.append(
            WatchedSeat(supervisor, entrant, hello, watched_games) if is_watched else RandomSeat(seat, hello.seed)
        )
    try:
        with trio.move_on_after(bot.longest_game_s):
            for number in range(games):
                match = Match(table.game, table.options, players, f"{bot.seed}/{table}/{number}")
                await match.play(number, draw_bot_seeds(f"{bot.seed}/{table}/{number}/bots", table.seats))
                watched_games.games_played += 1
                await settle_all(player for player in players if isinstance(player, WatchedSeat))
    except _GameAborted:
        pass
    finally:
        with trio.CancelScope(shield=True):
            await close_all(player for player in players if isinstance(player, WatchedSeat))
    return watched_games


def make_hello(setup: GameSetup, seat: int, seed: str, clock: Clock) -> Hello:
    """Return the greeting of the bot in a seat; its own seed follows from `seed`."""
    [own] = draw_bot_seeds(f"{seed}/hello", 1)
    return Hello(game=setup.game.name, options=setup.options, seats=setup.seats, seat=seat, seed=own, clock=clock)


def extend_margin(clock: Clock) -> Clock:
    """Return the clock with a margin that records slow decisions instead of ending the game."""
    return replace(
        clock, margin_ms=max(clock.margin_ms, min(clock.decision_ms * (MARGIN_FACTOR - 1), LONGEST_MARGIN_MS))
    )
