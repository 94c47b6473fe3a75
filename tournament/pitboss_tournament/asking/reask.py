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
from pitboss.protocol.messages import ClockName, Decide, Fault, FromBot, Hello, Start
from pitboss.record import Decision, Incident, replay_states
from pitboss_tournament.asking.recorded_game import RecordedDecision, RecordedGame
from pitboss_tournament.plan.plan import Entrant, FaultRules, SandboxMode
from pitboss_tournament.playing.bot_seat import Answer, BotSeat
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.logs import STDERR_BYTES, HeadTailBuffer, decompress_text
from pitboss_tournament.processes.supervisor import BotSupervisor, open_supervisor
from pitboss_tournament.text.terminal import decode_text

UNTIMED_US: Final = 30 * 86_400 * 1_000_000  # without a clock: a month
_NEVER_FORFEIT: Final = FaultRules(
    policy="substitute", substitutions=1 << 30
)  # whatever it does wrong, it is asked the next question

Pause = Callable[[int], Awaitable[None]]


class ReaskRequest(Struct, frozen=True, kw_only=True):
    """What is to be asked, and how."""

    seat: int
    decision: int
    alone: bool = False  # without the questions before it
    timed: bool = True
    sandbox: SandboxMode = "none"


class ReaskedDecision(Struct, frozen=True, kw_only=True):
    """A question that was asked again: what was played then, and what is answered now."""

    original: RecordedDecision
    phase: str
    legal: list[Any]
    original_choice: int | None  # the index of what was played; None: nothing was answered that could be played
    choice: int | None = None  # None: it does wrong now
    us: int = 0
    note: str | None = None
    fault: Fault | None = None

    @property
    def differs(self) -> bool:
        """Whether the bot now does something else than then."""
        return self.choice is None or self.choice != self.original_choice

    @property
    def action(self) -> Any:  # noqa: ANN401 - the game's own
        """What it does now; None if it does wrong."""
        return None if self.choice is None else self.legal[self.choice]


class ReaskResult(Struct, frozen=True, kw_only=True):
    """What came of asking a process: the question, those before it, what it wrote to standard error from the question on, and all lines of the wire."""

    asked: ReaskedDecision
    earlier: list[ReaskedDecision]
    errors: str
    wire: str


def reask_bot(
    game: AnyGame,
    recorded: RecordedGame,
    entrant: Entrant,
    request: ReaskRequest,
    times: int = 1,
    pause: Pause | None = None,
) -> list[ReaskResult]:
    """Ask so many times, each time a fresh process. `pause` is called with the process id just before the question.

    Raises:
        ReplayDiffers: the record does not replay.
        RoomTrouble: the machine has no means to start a bot (in an exception group).
    """
    return trio.run(_reask_times, game, recorded, entrant, request, times, pause)


async def _reask_times(
    game: AnyGame, recorded: RecordedGame, entrant: Entrant, request: ReaskRequest, times: int, pause: Pause | None
) -> list[ReaskResult]:
    async with open_supervisor(request.sandbox, available_cpus()) as room:
        return [await _reask_once(room, game, recorded, entrant, request, pause) for _ in range(times)]


async def _reask_once(
    supervisor: BotSupervisor,
    game: AnyGame,
    recorded: RecordedGame,
    entrant: Entrant,
    request: ReaskRequest,
    pause: Pause | None,
) -> ReaskResult:
    guest = _ReaskedSeat(supervisor, entrant, game, recorded, request)
    asked: list[ReaskedDecision] = []
    try:
        missing = await guest.start(guest.start_message)  # why it has no process, and is asked nothing more
        wanted = recorded.decisions_asked(request.seat)
        for number, state in zip(range(1, request.decision + 1), replay_states(recorded.record, game), strict=False):
            if number not in wanted:
                continue
            guest.go_to_decision(number)
            is_last = number == request.decision
            if is_last or not (request.alone or missing):
                missing = missing or await guest.rejoin()
                if is_last and not missing:
                    await guest.begin_last_question(pause)
                asked.append(await _ask_question(guest, game, state, recorded.recorded_decision(number), missing))
    finally:
        with trio.CancelScope(shield=True):
            await guest.close()
    log = guest.log()
    return ReaskResult(
        asked=asked[-1],
        earlier=asked[:-1],
        errors=decode_text(decompress_text(log.errors)),
        wire=decode_text(decompress_text(log.wire)),
    )


async def _ask_question(
    seat: _ReaskedSeat, game: AnyGame, state: AnyState, original: RecordedDecision, missing: Incident | None
) -> ReaskedDecision:
    """Ask as a match does, unless the bot could not be started."""
    turn, legal = state.turn, list(state.legal())
    assert turn is not None
    answer: Answer | Incident | None = missing
    if answer is None:
        view = seat.observe(state)
        events = state.table.events(turn.seat, seat.log_position) if seat.wants_events else []
        seat.log_position = len(state.table.log or ())
        answer = await seat.decide(turn.phase, legal, view, events)
    then_choice = None if original.then.forced else _index_of_action(game, original.then, legal)
    asked = ReaskedDecision(original=original, phase=turn.phase, legal=legal, original_choice=then_choice, us=answer.us)
    if isinstance(answer, Answer):
        return replace(asked, choice=answer.choice, note=answer.note)
    return replace(asked, fault=answer.fault)


def _index_of_action(game: AnyGame, then: Decision, legal: Sequence[Any]) -> int:
    return list(legal).index(msgspec.convert(then.action, game.Action))


class _ReaskedSeat(BotSeat):
    """The bot in the seat: asked with the numbers and the clock of then."""

    def __init__(
        self, supervisor: BotSupervisor, entrant: Entrant, game: AnyGame, recorded: RecordedGame, request: ReaskRequest
    ) -> None:
        record, bot = recorded.record, recorded.bots[request.seat]
        hello = Hello(
            game=record.game,
            options=record.options,
            seats=len(record.players),
            seat=request.seat,
            seed=bot.process_seed,
            clock=recorded.clock,
        )
        super().__init__(supervisor, entrant, game, hello, _NEVER_FORFEIT)
        self.start_message = Start(
            game_id=recorded.game_id, seat=request.seat, players=record.players, seed=bot.game_seed
        )
        self._is_timed = request.timed
        self._record = record
        self._earlier_decisions: list[Decision] = []  # its own decisions before the question

    def go_to_decision(self, number: int) -> None:
        """Go to a decision of the game."""
        self._earlier_decisions = [one for one in self._record.decisions[: number - 1] if one.seat == self._hello.seat]

    async def begin_last_question(self, pause: Pause | None) -> None:
        """Keep what it writes to standard error from here on by itself, and wait for a person who wants that."""
        assert self._process is not None
        self._process.stderr_tail()  # takes what is there already
        self._process.stderr = self._stderr = HeadTailBuffer(STDERR_BYTES)
        if pause is not None:
            await pause(self._process.pid)

    async def decide(self, phase: str, legal: Sequence[Any], view: object, events: list[Any]) -> Answer | Incident:
        """Ask the bot, with the number and the clocks that the question had."""
        game_ms = self._hello.clock.game_ms
        self._bank_us = None if game_ms is None else game_ms * 1000
        self.resume(
            self._earlier_decisions, [one for one in self._record.incidents if one.fault.seat == self._hello.seat]
        )
        return await super().decide(phase, legal, view, events)

    async def _exchange(self, question: Hello | Decide, limit_us: int, clock: ClockName) -> tuple[FromBot, int, int]:
        return await super()._exchange(question, limit_us if self._is_timed else UNTIMED_US, clock)
