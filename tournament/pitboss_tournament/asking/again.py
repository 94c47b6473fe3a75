"""A bot asked again: the recorded game is played through, and the bot in one seat is asked what was asked there, word for word.

The game goes on as it was recorded, whatever the bot answers now.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import msgspec
import trio
from msgspec import Struct
from msgspec.structs import replace

from pitboss.game import AnyGame, AnyState
from pitboss.record import Decision, Incident, replayed
from pitboss.wire import ClockName, Decide, Fault, FromBot, Hello, Start
from pitboss_tournament.asking.recorded import Decided, RecordedGame
from pitboss_tournament.planning.plan import Entrant, FaultRules, SandboxMode
from pitboss_tournament.planning.processors import processors
from pitboss_tournament.playing.player import Answer, Player
from pitboss_tournament.processes.logs import ERROR_BYTES, HeadAndTail, unpacked
from pitboss_tournament.processes.room import Room, open_room
from pitboss_tournament.showing.words import readable

PATIENT_US: Final = 30 * 86_400 * 1_000_000  # without a clock: a month
_EVER_AGAIN: Final = FaultRules(
    policy="substitute", substitutions=1 << 30
)  # whatever it does wrong, it is asked the next question

Pause = Callable[[int], Awaitable[None]]


class Wish(Struct, frozen=True, kw_only=True):
    """What is to be asked, and how."""

    seat: int
    decision: int
    alone: bool = False  # without the questions before it
    timed: bool = True
    sandbox: SandboxMode = "none"


class Asked(Struct, frozen=True, kw_only=True):
    """A question that was asked again: what was played then, and what is answered now."""

    decided: Decided
    phase: str
    legal: list[Any]
    then_choice: int | None  # the index of what was played; None: nothing was answered that could be played
    choice: int | None = None  # None: it does wrong now
    us: int = 0
    note: str | None = None
    fault: Fault | None = None

    @property
    def differs(self) -> bool:
        """Whether the bot now does something else than then."""
        return self.choice is None or self.choice != self.then_choice

    @property
    def action(self) -> Any:  # noqa: ANN401 - the game's own
        """What it does now; None if it does wrong."""
        return None if self.choice is None else self.legal[self.choice]


class Session(Struct, frozen=True, kw_only=True):
    """What came of asking a process: the question, those before it, what it wrote to standard error from the question on, and all lines of the wire."""

    asked: Asked
    earlier: list[Asked]
    errors: str
    wire: str


def sessions(
    game: AnyGame, recorded: RecordedGame, entrant: Entrant, wish: Wish, times: int = 1, pause: Pause | None = None
) -> list[Session]:
    """Ask so many times, each time a fresh process. `pause` is called with the process id just before the question.

    Raises:
        ReplayDiffers: the record does not replay.
        RoomTrouble: the machine has no means to start a bot (in an exception group).
    """
    return trio.run(_sessions, game, recorded, entrant, wish, times, pause)


async def _sessions(
    game: AnyGame, recorded: RecordedGame, entrant: Entrant, wish: Wish, times: int, pause: Pause | None
) -> list[Session]:
    async with open_room(wish.sandbox, processors()) as room:
        return [await _session(room, game, recorded, entrant, wish, pause) for _ in range(times)]


async def _session(
    room: Room, game: AnyGame, recorded: RecordedGame, entrant: Entrant, wish: Wish, pause: Pause | None
) -> Session:
    guest = _Guest(room, entrant, game, recorded, wish)
    asked: list[Asked] = []
    try:
        missing = await guest.start(guest.beginning)  # why it has no process, and is asked nothing more
        wanted = recorded.questions(wish.seat)
        for number, state in zip(range(1, wish.decision + 1), replayed(recorded.record, game), strict=False):
            if number not in wanted:
                continue
            guest.go_to(number)
            is_last = number == wish.decision
            if is_last or not (wish.alone or missing):
                missing = missing or await guest.return_to_table()
                if is_last and not missing:
                    await guest.turn_page(pause)
                asked.append(await _ask(guest, game, state, recorded.decided(number), missing))
    finally:
        with trio.CancelScope(shield=True):
            await guest.leave()
    log = guest.log()
    return Session(asked=asked[-1], earlier=asked[:-1], errors=readable(unpacked(log.errors)), wire=readable(unpacked(log.wire)))


async def _ask(guest: _Guest, game: AnyGame, state: AnyState, decided: Decided, missing: Incident | None) -> Asked:
    """Ask as a match does, unless the bot could not be started."""
    turn, legal = state.turn, list(state.legal())
    assert turn is not None
    answer: Answer | Incident | None = missing
    if answer is None:
        view = guest.view(state)
        events = state.table.events(turn.seat, guest.told) if guest.wants_events else []
        guest.told = len(state.table.log or ())
        answer = await guest.decide(turn.phase, legal, view, events)
    then_choice = None if decided.then.forced else _place(game, decided.then, legal)
    asked = Asked(decided=decided, phase=turn.phase, legal=legal, then_choice=then_choice, us=answer.us)
    if isinstance(answer, Answer):
        return replace(asked, choice=answer.choice, note=answer.note)
    return replace(asked, fault=answer.fault)


def _place(game: AnyGame, then: Decision, legal: Sequence[Any]) -> int:
    return list(legal).index(msgspec.convert(then.action, game.Action))


class _Guest(Player):
    """The bot in the seat: asked with the numbers and the clock of then."""

    def __init__(self, room: Room, entrant: Entrant, game: AnyGame, recorded: RecordedGame, wish: Wish) -> None:
        record, bot = recorded.record, recorded.bots[wish.seat]
        hello = Hello(
            game=record.game,
            options=record.options,
            seats=len(record.players),
            seat=wish.seat,
            seed=bot.process_seed,
            clock=recorded.clock,
        )
        super().__init__(room, entrant, game, hello, _EVER_AGAIN)
        self.beginning = Start(game_id=recorded.game_id, seat=wish.seat, players=record.players, seed=bot.game_seed)
        self._timed = wish.timed
        self._record = record
        self._before: list[Decision] = []  # its own decisions before the question

    def go_to(self, number: int) -> None:
        """Go to a decision of the game."""
        self._before = [one for one in self._record.decisions[: number - 1] if one.seat == self._hello.seat]

    async def turn_page(self, pause: Pause | None) -> None:
        """Keep what it writes to standard error from here on by itself, and wait for a person who wants that."""
        assert self._process is not None
        self._process.last_words()  # takes what is there already
        self._process.errors = self._errors = HeadAndTail(ERROR_BYTES)
        if pause is not None:
            await pause(self._process.pid)

    async def decide(self, phase: str, legal: Sequence[Any], view: object, events: list[Any]) -> Answer | Incident:
        """Ask the bot, with the number and the clocks that the question had."""
        game_ms = self._hello.clock.game_ms
        self._bank_us = None if game_ms is None else game_ms * 1000
        self.carry_on(self._before, [one for one in self._record.incidents if one.fault.seat == self._hello.seat])
        return await super().decide(phase, legal, view, events)

    async def _exchange(self, question: Hello | Decide, limit_us: int, clock: ClockName) -> tuple[FromBot, int, int]:
        return await super()._exchange(question, limit_us if self._timed else PATIENT_US, clock)
