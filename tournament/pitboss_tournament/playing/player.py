"""A player: a bot in a seat. It is asked, and answers with a choice or with a fault; a fault is a value, and mostly the end of the bot's process."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
import trio

from pitboss.conversation import RunnerEnd, cut
from pitboss.errors import FloodedLine, MalformedLine, OutOfTurn
from pitboss.events import AnyEvent
from pitboss.game import AnyGame, AnyState
from pitboss.record import Decision, Incident
from pitboss.wire import (
    Act,
    Bye,
    ClockName,
    Decide,
    End,
    Fault,
    Faulted,
    FaultKind,
    FromBot,
    FromRunner,
    Hello,
    Ready,
    Start,
    TimeLeft,
)
from pitboss_tournament.planning.plan import Entrant, FaultRules
from pitboss_tournament.processes.logs import ERROR_BYTES, HeadAndTail, Log, WireLog, packed
from pitboss_tournament.processes.process import BotProcess
from pitboss_tournament.processes.room import Room
from pitboss_tournament.processes.trouble import CannotStart, RoomTrouble, about_first_line

_KINDS: Final[dict[type[Exception], FaultKind]] = {MalformedLine: "malformed", FloodedLine: "flooded", OutOfTurn: "out_of_turn"}

FAREWELL_SECONDS: Final = 0.5  # for a bot to end by itself
PATIENCE_SECONDS: Final = 0.1  # for a bot to hear of its fault, or of the end of a game
EXIT_SECONDS: Final = 0.1  # between the end of a bot's output and its exit status


class Answer(NamedTuple):
    """What a bot chose: an index into the legal actions, the microseconds it is billed for, how late the runner was to read it, and its note."""

    choice: int
    us: int
    lag_us: int
    note: str | None


class _Stop(Exception):
    """The bot has done wrong. Never leaves this module: it becomes an `Incident`."""

    def __init__(self, kind: FaultKind, message: str, clock: ClockName | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.clock = clock


class Player:
    """A bot in a seat, over many games. Its process is started when it is first needed, and anew after a fault."""

    def __init__(self, room: Room, entrant: Entrant, game: AnyGame, hello: Hello, rules: FaultRules) -> None:
        self.entrant = entrant
        self.wants_view = self.wants_events = False
        self.told = 0  # how much of the game's log this process has been told
        self._room = room
        self._game = game
        self._hello = hello
        self._rules = rules
        self._process: BotProcess | None = None
        self._wire = RunnerEnd()
        self._start: Start | None = None
        self._has_played = False  # this process, before this game
        self._question = 0
        self._bank_us: int | None = None
        self._substitutions = 0
        self._us = 0  # of the last question
        self._errors = HeadAndTail(ERROR_BYTES)
        self._log = WireLog(0.0)

    async def start(self, start: Start) -> Incident | None:
        """Seat the bot for a new game, starting its process if there is none."""
        clock = self._hello.clock
        self._start = start
        self._has_played = self._process is not None
        self._question = self._substitutions = self.told = 0
        self._bank_us = None if clock.game_ms is None else clock.game_ms * 1000
        self._errors = HeadAndTail(ERROR_BYTES)
        self._log = WireLog(self._room.clock.now())
        if self._process is not None:
            self._process.errors = self._errors
            if not self._process.is_running() and not self._process.held_bytes:
                self._leave()  # it ended between two games, where nothing was asked of it
        try:
            await self._sit_down()
        except _Stop as stop:
            return await self._failed(stop)
        return None

    def carry_on(self, decisions: Sequence[Decision], incidents: Sequence[Incident]) -> None:
        """Take over the numbers of a game that was broken off: of the questions, of the neutral actions, and of the time that is left."""
        clock = self._hello.clock
        self._question = len(decisions)
        self._substitutions = sum(incident.fault.verdict == "substitute" for incident in incidents)
        wrong = {incident.fault.decision: incident.us for incident in incidents}
        for number, decision in enumerate(decisions, 1):
            if self._bank_us is not None:
                self._bank_us = max(0, self._bank_us - wrong.get(number, decision.us)) + clock.increment_ms * 1000

    async def return_to_table(self) -> Incident | None:
        """Make sure that the bot has a process: one that failed in the middle of a game, and has not forfeited it, gets a fresh one."""
        if self._process is not None:
            return None
        self.told = 0
        self._question += 1  # should it fail, it is in place of an answer
        try:
            await self._sit_down()
        except _Stop as stop:
            return await self._failed(stop)
        self._question -= 1
        return None

    def view(self, state: AnyState) -> object:
        """Return the seat's view of a state, if the bot wants one."""
        return state.view(self._hello.seat) if self.wants_view else None

    async def decide(self, phase: str, legal: Sequence[Any], view: object, events: list[AnyEvent]) -> Answer | Incident:
        """Ask the bot for a decision."""
        clock = self._hello.clock
        self._question += 1
        bank = None if self._bank_us is None else self._bank_us // 1000
        question = Decide(
            id=self._question,
            seat=self._hello.seat,
            phase=phase,
            legal=legal,
            view=view,
            events=events,
            clock=TimeLeft(clock.decision_ms, bank),
        )
        is_bank = self._bank_us is not None and self._bank_us < clock.decision_ms * 1000
        limit_us = self._bank_us if is_bank and self._bank_us is not None else clock.decision_ms * 1000
        try:
            act, us, lag_us = await self._ask(question, limit_us, "game" if is_bank else "decision")
            assert isinstance(act, Act)
            return Answer(self._choice(act, legal), us, lag_us, act.note)
        except _Stop as stop:
            return await self._failed(stop)

    async def end(self, end: End) -> None:
        """Tell the bot that the game is over. If it does not listen, it has a fresh process in the next."""
        if self._process is not None:
            is_told = False
            with trio.move_on_after(PATIENCE_SECONDS):
                is_told = await self._say(end)
            if not is_told:
                self._leave()

    def log(self) -> Log:
        """Return what was said in this game, and what the bot wrote to standard error meanwhile."""
        return Log(self._hello.seat, packed(self._errors.text()), packed(self._log.text()))

    async def leave(self) -> None:
        """Say goodbye and end the process."""
        if self._process is not None and self._wire.phase in ("idle", "playing"):
            with trio.move_on_after(FAREWELL_SECONDS):
                if await self._say(Bye()):
                    self._process.hang_up()
                    await self._process.wait_ended()
        self._leave()

    # ---- within

    def _leave(self) -> None:
        if self._process is not None:
            self._room.end(self._process)
            self._process = None

    async def _say(self, message: FromRunner) -> bool:
        """Say something that is no question; tell whether it could be written."""
        assert self._process
        line = self._wire.say(message)
        self._log.said(line, self._room.clock.now())
        return await self._process.send(line)

    async def _greet(self) -> None:
        self._wire = RunnerEnd()
        try:
            self._process = self._room.start(self.entrant, self._errors)
        except CannotStart as wrong:
            raise _Stop("never_started", str(wrong)) from None
        ready, _, _ = await self._exchange(self._hello, self._hello.clock.start_ms * 1000, "start")
        assert isinstance(ready, Ready)
        self._process.measure()
        self.wants_view = ready.want != "events"
        self.wants_events = ready.want != "view"

    async def _sit_down(self) -> None:
        """Tell the bot of the new game, in a process that is there or in a fresh one."""
        if self._process is None:
            await self._greet()
            self._has_played = False
        assert self._process and self._start
        start_ms = self._hello.clock.start_ms
        is_told = False
        with trio.move_on_after(start_ms / 1000) as patience:
            is_told = await self._say(self._start)
        if patience.cancelled_caught:
            raise _Stop("late", f"it did not take the line of a new game for {start_ms} ms: it does not read its input", "start")
        if is_told:
            return
        stop = await self._gone("while it was told of a new game")
        if not self._has_left():
            raise stop
        self._leave()
        await self._sit_down()

    async def _ask(self, question: Decide, limit_us: int, clock: ClockName) -> tuple[FromBot, int, int]:
        """Ask a question; if the bot turns out to have left after its last game, ask a fresh process."""
        assert self._process
        if self._process.has_spoken():
            said = await self._process.receive()
            self._log.heard(said, self._room.clock.now())
            raise _Stop("out_of_turn", f"it spoke before question {self._question} was asked: {cut(said)}")
        try:
            return await self._exchange(question, limit_us, clock)
        except _Stop as stop:
            if stop.kind != "ended_early" or self._question > 1 or not self._has_left():
                raise
        self._leave()
        await self._sit_down()
        return await self._exchange(question, limit_us, clock)

    async def _exchange(self, question: Hello | Decide, limit_us: int, clock: ClockName) -> tuple[FromBot, int, int]:
        """Ask and wait for the answer; return it with the microseconds that the bot is billed for, and those that the runner was late to see it."""
        process, slots = self._process, self._room.slots
        assert process
        line = self._wire.say(question)
        await self._room.clock.take_turns()
        if not slots.try_take(process):
            await slots.take(process)
        try:
            self._log.said(line, self._room.clock.now())
            process.question_put((limit_us + self._hello.clock.margin_ms * 1000) / 1e6)
            message = await self._heard(process) if await process.send(line) else None
        finally:
            seconds, lag = process.question_settled()
            slots.give(process)
            self._us = us = round(seconds * 1e6)
        if clock != "start" and self._bank_us is not None:
            self._bank_us = max(0, self._bank_us - us) + self._hello.clock.increment_ms * 1000
        if process.was_late or (message is not None and us > limit_us + self._hello.clock.margin_ms * 1000):
            raise _Stop("late", self._lateness(us, limit_us, clock), clock)
        if message is None:
            raise await self._gone(f"before it answered {'hello' if clock == 'start' else 'decide'!r}")
        return message, us, round(lag * 1e6)

    async def _heard(self, process: BotProcess) -> FromBot | None:
        """Return the bot's whole message; None at the end of what it says."""
        while part := await process.receive():
            self._log.heard(part, self._room.clock.now())
            try:
                message = self._wire.hear(part)
            except (MalformedLine, FloodedLine, OutOfTurn) as wrong:
                raise _Stop(_KINDS[type(wrong)], str(wrong)) from None
            if message is not None:
                return message
        return None

    def _has_left(self) -> bool:
        """Tell whether the bot took the end of the last game for the end of all, where nothing was asked of it."""
        return self._has_played and self._process is not None and self._process.has_left() and self._wire.is_silent()

    def _lateness(self, us: int, limit_us: int, clock: ClockName) -> str:
        assert self._process
        what = "hello" if clock == "start" else "decide"
        allowed = f"allowed were {limit_us / 1000:.0f} ms"
        if clock == "game":
            allowed += f", what was left of {self._hello.clock.game_ms} ms for the game"
        if self._process.fate_when_late:
            allowed += f"; its process {self._process.fate_when_late}"
        elif self._wire.is_silent() and self._process.was_late:
            allowed += "; it wrote nothing at all: is its output buffered?"
        return f"no whole answer to {what!r} after {us / 1000:.0f} ms; {allowed}"

    async def _gone(self, when: str) -> _Stop:
        """Return why the bot is gone.

        Raises:
            RoomTrouble: its sandbox could not be made.
        """
        process = self._process
        assert process
        with trio.move_on_after(EXIT_SECONDS):
            await process.wait_ended()
        if process.held_bytes:
            held, allowed = process.held_bytes >> 20, self.entrant.limits.memory_mb
            return _Stop("out_of_memory", f"its processes held {held:,} MiB of memory {when}; allowed were {allowed:,} MiB")
        if self._wire.phase == "greeting" and (trouble := process.trouble()):
            raise RoomTrouble(trouble, "no_sandbox")
        if self._wire.phase == "greeting" and process.failed_to_run():
            words = process.last_words().strip().splitlines() or ["no reason is known"]
            program = self.entrant.command[0]
            return _Stop("never_started", f"{program!r} cannot be run: {words[-1]}{about_first_line(program)}")
        return _Stop("ended_early" if process.has_left() else "crashed", f"{process.fate()} {when}")

    def _choice(self, act: Act, legal: Sequence[Any]) -> int:
        """Return the index of the action that was chosen."""
        if act.choose is not None:
            if act.choose < len(legal):
                return act.choose
            raise _Stop("illegal", f"it chose {act.choose}; there were {len(legal)} legal actions, 0..{len(legal) - 1}")
        try:
            return list(legal).index(msgspec.convert(act.action, self._game.Action))
        except (msgspec.ValidationError, ValueError):
            played, allowed = (msgspec.json.encode(what).decode() for what in (act.action, legal))
            raise _Stop("illegal", f"it played {played[:200]}; legal were {allowed[:1000]}") from None

    async def _failed(self, stop: _Stop) -> Incident:
        """Return what happened, and what it means; if that was more than a wrong choice, tell the bot and end it."""
        spared = self._rules.policy == "substitute" and self._question > 0 and stop.kind != "never_started"
        is_substituted = spared and self._substitutions < self._rules.substitutions
        self._substitutions += is_substituted
        fault = Fault(
            kind=stop.kind,
            seat=self._hello.seat,
            decision=self._question,
            message=str(stop),
            clock=stop.clock,
            verdict="substitute" if is_substituted else "forfeit",
        )
        exchange, words = self._log.exchange(), ""
        if self._process is not None:
            process = self._process
            if stop.kind != "illegal" or not is_substituted:
                with trio.move_on_after(PATIENCE_SECONDS):
                    if await self._say(Faulted(fault=fault)):
                        process.hang_up()
                        await process.wait_ended()
                self._leave()
            words = process.last_words()
        return Incident(fault=fault, exchange=exchange, last_words=words, us=self._us)


async def all_leave(players: Iterable[Player]) -> None:
    """Let all of these go at once."""
    async with trio.open_nursery() as leaving:
        for player in players:
            leaving.start_soon(player.leave)
