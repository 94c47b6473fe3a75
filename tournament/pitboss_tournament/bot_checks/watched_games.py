"""Whole games with the runner's own matches: the bot in watched seats, random play in the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn

import trio
from msgspec import Struct
from msgspec.structs import replace

from pitboss.action_range import draw_action
from pitboss.game import AnyState
from pitboss.open_actions import NOTHING_OPEN, OpenChoices
from pitboss.protocol.faults import Fault
from pitboss.protocol.messages import Clock, End, Hello, Start
from pitboss.protocol.policy import Policy
from pitboss.records.record import Decision, Incident
from pitboss.simulation.game_setup import GameSetup
from pitboss.simulation.random_play import OPEN_SHARE
from pitboss.table.events import AnyEvent
from pitboss.table.randomness import Random
from pitboss.testing.framework.check import CheckFailed
from pitboss_tournament.bot_checks.bot_under_test import BotUnderTest
from pitboss_tournament.bot_checks.raw_connection import shorten_stderr
from pitboss_tournament.match.bot_link import BotLink
from pitboss_tournament.match.bot_seat import BotSeat, settle_all
from pitboss_tournament.match.match import Match
from pitboss_tournament.match.seat import Answer
from pitboss_tournament.plan.plan import Entrant, FaultRules
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.supervisor import BotSupervisor
from pitboss_tournament.rounds.schedule import draw_bot_seeds
from pitboss_tournament.text.fault_advice import diagnose_fault

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
    first_answers: set[int] = set()  # indexes of the answers that are the first of their process
    policies: list[tuple[Policy, Any]] = []  # that it stated, each with the action that it played
    late: str = ""  # the question at which another answer came late, which ended the games
    is_cut: bool = False  # the time for these games was up
    fault: Fault | None = None
    asked_until: float = 0.0  # in trio's time; nothing is asked after it
    asked: str = ""  # the question at which the fault was committed
    exchange: list[str] = []  # the last lines, before the fault
    stderr: str = ""

    def __str__(self) -> str:
        seats = f"seat {self.seats[0]}" if len(self.seats) == 1 else "all seats"
        return f"{self.table}, {seats}"

    def describe_fault(self) -> str:
        """Return where the bot's fault happened, and what it was; the bot must have a fault."""
        assert self.fault is not None
        return f"{self}, {self.asked}: {self.fault.kind}: {self.fault.message}"

    def raise_fault(self) -> None:
        """Raise the bot's first fault, if it committed one, as a failed check."""
        if self.fault is not None:
            line = self.exchange[-1].removeprefix("< ").encode() if self.exchange else b""
            where, cure, cause = diagnose_fault(self.fault.kind, self.stderr, line)
            raise CheckFailed(f"{self.describe_fault()}{where}", shorten_stderr(self.stderr), cure, cause)


class WatchedSeat(BotSeat):
    """The bot's seat in whole games. Its answers are counted and timed; its first fault ends the game."""

    def __init__(
        self,
        supervisor: BotSupervisor,
        entrant: Entrant,
        hello: Hello,
        watched_games: WatchedGames,
        limit_us: int,
        longest_s: float,
    ) -> None:
        """Take an answer for late after `limit_us`; a slow start leaves a share of `longest_s` for questions."""
        super().__init__(supervisor, entrant, watched_games.table.game, hello, FaultRules())
        self._watched_games = watched_games
        self._limit_us = limit_us
        self._longest_s = longest_s
        self._is_started = False
        self._needs_policies = hello.policy is True
        self._is_new = True  # it has not answered yet

    async def start(self, start: Start) -> None:
        """Seat the bot for a new game."""
        incident = await super().start(start)
        if incident is not None:
            self._abort_game(incident, "at the start")
        if not self._is_started:  # the tables that are played at a time share this process
            self._is_started = True
            share_until = trio.current_time() + self._longest_s / available_cpus()
            self._watched_games.asked_until = max(self._watched_games.asked_until, share_until)
        if self._needs_policies and not self.states_policies:
            raise _GameAborted

    async def decide(
        self,
        phase: str,
        legal: Sequence[Any],
        view: object,
        events: list[AnyEvent],
        together: Sequence[int] = (),
        beside: OpenChoices = NOTHING_OPEN,
    ) -> Answer:
        """Ask the bot for a decision. A late answer ends the game, except the first of a process: see what follows."""
        watched_games = self._watched_games
        if trio.current_time() > watched_games.asked_until:
            watched_games.is_cut = True
            raise _GameAborted
        answer = await super().decide(phase, legal, view, events, together, beside)
        asked = f"question {self._question_number}, in phase {phase!r}"
        if not isinstance(answer, Answer):
            self._abort_game(answer, asked)
        watched_games.answers.append((phase, answer.us))
        if answer.policy is not None:
            watched_games.policies.append((answer.policy, answer.action))
        if self._is_new:
            watched_games.first_answers.add(len(watched_games.answers) - 1)
        elif answer.us > self._limit_us:
            watched_games.late = asked
            raise _GameAborted
        self._is_new = False
        return answer

    def _abort_game(self, incident: Incident, asked: str) -> NoReturn:
        watched_games = self._watched_games
        watched_games.fault, watched_games.asked = incident.fault, asked
        watched_games.exchange, watched_games.stderr = incident.exchange, incident.last_words
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
        self,
        phase: str,
        legal: Sequence[Any],
        view: object,
        events: list[AnyEvent],
        together: Sequence[int] = (),
        beside: OpenChoices = NOTHING_OPEN,
    ) -> Answer:
        """Choose any legal action, or in some decisions one beside them."""
        if beside.kinds and self._random.randbelow(OPEN_SHARE) == 0 and (proposed := beside.propose(self._random)):
            return Answer(self._random.choice(proposed), 0, 0, None)
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
    longest_s: float | None = None,
    with_policies: bool = False,
) -> WatchedGames:
    """Play games in the same processes, the bot in `seats`, until its first fault or late answer.

    After `longest_s` (by default `bot.longest_game_s`) nothing more is asked; a bot that starts slowly has its share of
    that time after its start. Late answers are waited for: it is seen how late they are. With `with_policies` the bot
    may state policies, and plays no game if it does not agree to.
    """
    longest_s = longest_s or bot.longest_game_s
    watched_games = WatchedGames(table, seats, asked_until=trio.current_time() + longest_s)
    players: list[WatchedSeat | RandomSeat] = []
    limit_us = (bot.clock.decision_ms + bot.clock.margin_ms) * 1000
    for seat in range(table.seats):
        hello = make_hello(table, seat, f"{bot.seed}/{table}/{seat}", clock or extend_margin(bot.clock))
        hello = replace(hello, policy=True) if with_policies else hello
        players.append(
            WatchedSeat(supervisor, entrant, hello, watched_games, limit_us, longest_s)
            if seat in seats
            else RandomSeat(seat, hello.seed)
        )
    try:
        for number in range(games):
            match = Match(table.game, table.options, players, f"{bot.seed}/{table}/{number}")
            await match.play(number, draw_bot_seeds(f"{bot.seed}/{table}/{number}/bots", table.seats))
            watched_games.games_played += 1
            await settle_all([player for player in players if isinstance(player, WatchedSeat)])
    except _GameAborted:
        if watched_games.fault is not None:
            watched_games.asked += f", decision {len(match.decisions) + 1} of the game"
    finally:
        for player in players:
            if isinstance(player, WatchedSeat) and isinstance(player.link, BotLink):
                player.link.end()  # without `bye`, which other checks say: a slow end costs no time here
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
