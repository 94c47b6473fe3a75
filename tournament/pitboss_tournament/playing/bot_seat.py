"""A player: a bot in a seat. It is asked, and answers with a choice or with a fault; a fault is a value, and mostly the end of the bot's process."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
import trio

from pitboss.errors import FloodedLine, MalformedLine, OutOfTurn
from pitboss.game import AnyGame, AnyState
from pitboss.protocol.connection import RunnerConnection, quote_line
from pitboss.protocol.messages import (
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
from pitboss.record import Decision, Incident
from pitboss.table.events import AnyEvent
from pitboss_tournament.plan.plan import Entrant, FaultRules
from pitboss_tournament.processes.bot_process import BotProcess
from pitboss_tournament.processes.logs import STDERR_BYTES, HeadTailBuffer, SeatLog, WireLog, compress_text
from pitboss_tournament.processes.start_errors import BotStartError, MachineError, shebang_hint
from pitboss_tournament.processes.supervisor import BotSupervisor

_FAULT_KINDS: Final[dict[type[Exception], FaultKind]] = {
    MalformedLine: "malformed",
    FloodedLine: "flooded",
    OutOfTurn: "out_of_turn",
}

BYE_SECONDS: Final = 0.5  # for a bot to end by itself
NOTICE_SECONDS: Final = 0.1  # for a bot to hear of its fault, or of the end of a game
EXIT_SECONDS: Final = 0.1  # between the end of a bot's output and its exit status


class Answer(NamedTuple):
    """What a bot chose: an index into the legal actions, the microseconds it is billed for, how late the runner was to read it, and its note."""

    choice: int
    us: int
    lag_us: int
    note: str | None


class _FaultFound(Exception):
    """The bot has done wrong. Never leaves this module: it becomes an `Incident`."""

    def __init__(self, kind: FaultKind, message: str, clock: ClockName | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.clock = clock


class BotSeat:
    """A bot in a seat, over many games. Its process is started when it is first needed, and anew after a fault."""

    def __init__(self, room: BotSupervisor, entrant: Entrant, game: AnyGame, hello: Hello, rules: FaultRules) -> None:
        self.entrant = entrant
        self.wants_view = self.wants_events = False
        self.log_position = 0  # how much of the game's log this process has been told
        self._supervisor = room
        self._game = game
        self._hello = hello
        self._fault_rules = rules
        self._process: BotProcess | None = None
        self._connection = RunnerConnection()
        self._start: Start | None = None
        self._has_finished_game = False  # this process, before this game
        self._question_number = 0
        self._bank_us: int | None = None
        self._substitutions = 0
        self._last_us = 0  # of the last question
        self._stderr = HeadTailBuffer(STDERR_BYTES)
        self._wire_log = WireLog(0.0)

    async def start(self, start: Start) -> Incident | None:
        """Seat the bot for a new game, starting its process if there is none."""
        clock = self._hello.clock
        self._start = start
        self._has_finished_game = self._process is not None
        self._question_number = self._substitutions = self.log_position = 0
        self._bank_us = None if clock.game_ms is None else clock.game_ms * 1000
        self._stderr = HeadTailBuffer(STDERR_BYTES)
        self._wire_log = WireLog(self._supervisor.clock.now())
        if self._process is not None:
            self._process.stderr = self._stderr
            if not self._process.is_running() and not self._process.oom_bytes:
                self._end_process()  # it ended between two games, where nothing was asked of it
        try:
            await self._announce_game()
        except _FaultFound as stop:
            return await self._handle_fault(stop)
        return None

    def resume(self, decisions: Sequence[Decision], incidents: Sequence[Incident]) -> None:
        """Take over the numbers of a game that was broken off: of the questions, of the neutral actions, and of the time that is left."""
        clock = self._hello.clock
        self._question_number = len(decisions)
        self._substitutions = sum(incident.fault.verdict == "substitute" for incident in incidents)
        wrong = {incident.fault.decision: incident.us for incident in incidents}
        for number, decision in enumerate(decisions, 1):
            if self._bank_us is not None:
                self._bank_us = max(0, self._bank_us - wrong.get(number, decision.us)) + clock.increment_ms * 1000

    async def rejoin(self) -> Incident | None:
        """Make sure that the bot has a process: one that failed in the middle of a game, and has not forfeited it, gets a fresh one."""
        if self._process is not None:
            return None
        self.log_position = 0
        self._question_number += 1  # should it fail, it is in place of an answer
        try:
            await self._announce_game()
        except _FaultFound as stop:
            return await self._handle_fault(stop)
        self._question_number -= 1
        return None

    def observe(self, state: AnyState) -> object:
        """Return the seat's view of a state, if the bot wants one."""
        return state.view(self._hello.seat) if self.wants_view else None

    async def decide(self, phase: str, legal: Sequence[Any], view: object, events: list[AnyEvent]) -> Answer | Incident:
        """Ask the bot for a decision."""
        clock = self._hello.clock
        self._question_number += 1
        bank = None if self._bank_us is None else self._bank_us // 1000
        question = Decide(
            id=self._question_number,
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
            act, us, lag_us = await self._ask_question(question, limit_us, "game" if is_bank else "decision")
            assert isinstance(act, Act)
            return Answer(self._find_choice(act, legal), us, lag_us, act.note)
        except _FaultFound as stop:
            return await self._handle_fault(stop)

    async def end(self, end: End) -> None:
        """Tell the bot that the game is over. If it does not listen, it has a fresh process in the next."""
        if self._process is not None:
            is_told = False
            with trio.move_on_after(NOTICE_SECONDS):
                is_told = await self._send(end)
            if not is_told:
                self._end_process()

    def log(self) -> SeatLog:
        """Return what was said in this game, and what the bot wrote to standard error meanwhile."""
        return SeatLog(
            self._hello.seat, compress_text(self._stderr.to_bytes()), compress_text(self._wire_log.to_bytes())
        )

    async def close(self) -> None:
        """Say goodbye and end the process."""
        if self._process is not None and self._connection.phase in ("idle", "playing"):
            with trio.move_on_after(BYE_SECONDS):
                if await self._send(Bye()):
                    self._process.close_stdin()
                    await self._process.wait_exit()
        self._end_process()

    # ---- within

    def _end_process(self) -> None:
        if self._process is not None:
            self._supervisor.end(self._process)
            self._process = None

    async def _send(self, message: FromRunner) -> bool:
        """Say something that is no question; tell whether it could be written."""
        assert self._process
        line = self._connection.send(message)
        self._wire_log.log_sent(line, self._supervisor.clock.now())
        return await self._process.send(line)

    async def _start_process(self) -> None:
        self._connection = RunnerConnection()
        try:
            self._process = self._supervisor.start(self.entrant, self._stderr)
        except BotStartError as wrong:
            raise _FaultFound("never_started", str(wrong)) from None
        ready, _, _ = await self._exchange(self._hello, self._hello.clock.start_ms * 1000, "start")
        assert isinstance(ready, Ready)
        self._process.attach_gauge()
        self.wants_view = ready.want != "events"
        self.wants_events = ready.want != "view"

    async def _announce_game(self) -> None:
        """Tell the bot of the new game, in a process that is there or in a fresh one."""
        if self._process is None:
            await self._start_process()
            self._has_finished_game = False
        assert self._process and self._start
        start_ms = self._hello.clock.start_ms
        is_told = False
        with trio.move_on_after(start_ms / 1000) as patience:
            is_told = await self._send(self._start)
        if patience.cancelled_caught:
            raise _FaultFound(
                "late", f"it did not take the line of a new game for {start_ms} ms: it does not read its input", "start"
            )
        if is_told:
            return
        stop = await self._explain_exit("while it was told of a new game")
        if not self._has_exited_between_games():
            raise stop
        self._end_process()
        await self._announce_game()

    async def _ask_question(self, question: Decide, limit_us: int, clock: ClockName) -> tuple[FromBot, int, int]:
        """Ask a question; if the bot turns out to have left after its last game, ask a fresh process."""
        assert self._process
        if self._process.has_output():
            said = await self._process.receive()
            self._wire_log.log_received(said, self._supervisor.clock.now())
            raise _FaultFound(
                "out_of_turn", f"it spoke before question {self._question_number} was asked: {quote_line(said)}"
            )
        try:
            return await self._exchange(question, limit_us, clock)
        except _FaultFound as stop:
            if stop.kind != "ended_early" or self._question_number > 1 or not self._has_exited_between_games():
                raise
        self._end_process()
        await self._announce_game()
        return await self._exchange(question, limit_us, clock)

    async def _exchange(self, question: Hello | Decide, limit_us: int, clock: ClockName) -> tuple[FromBot, int, int]:
        """Ask and wait for the answer; return it with the microseconds that the bot is billed for, and those that the runner was late to see it."""
        process, slots = self._process, self._supervisor.slots
        assert process
        line = self._connection.send(question)
        await self._supervisor.clock.yield_turn()
        if not slots.try_acquire(process.timer):
            await slots.acquire(process.timer)
        try:
            self._wire_log.log_sent(line, self._supervisor.clock.now())
            process.timer.start((limit_us + self._hello.clock.margin_ms * 1000) / 1e6)
            message = await self._receive_message(process) if await process.send(line) else None
        finally:
            seconds, lag = process.timer.settle(process.has_waited)
            slots.release(process.timer)
            self._last_us = us = round(seconds * 1e6)
        if clock != "start" and self._bank_us is not None:
            self._bank_us = max(0, self._bank_us - us) + self._hello.clock.increment_ms * 1000
        if process.timer.is_late or (message is not None and us > limit_us + self._hello.clock.margin_ms * 1000):
            raise _FaultFound("late", self._lateness_text(us, limit_us, clock), clock)
        if message is None:
            raise await self._explain_exit(f"before it answered {'hello' if clock == 'start' else 'decide'!r}")
        return message, us, round(lag * 1e6)

    async def _receive_message(self, process: BotProcess) -> FromBot | None:
        """Return the bot's whole message; None at the end of what it says."""
        while part := await process.receive():
            self._wire_log.log_received(part, self._supervisor.clock.now())
            try:
                message = self._connection.receive(part)
            except (MalformedLine, FloodedLine, OutOfTurn) as wrong:
                raise _FaultFound(_FAULT_KINDS[type(wrong)], str(wrong)) from None
            if message is not None:
                return message
        return None

    def _has_exited_between_games(self) -> bool:
        """Tell whether the bot took the end of the last game for the end of all, where nothing was asked of it."""
        return (
            self._has_finished_game
            and self._process is not None
            and self._process.has_exited_cleanly()
            and self._connection.is_silent()
        )

    def _lateness_text(self, us: int, limit_us: int, clock: ClockName) -> str:
        assert self._process
        what = "hello" if clock == "start" else "decide"
        allowed = f"allowed were {limit_us / 1000:.0f} ms"
        if clock == "game":
            allowed += f", what was left of {self._hello.clock.game_ms} ms for the game"
        if self._process.exit_before_deadline:
            allowed += f"; its process {self._process.exit_before_deadline}"
        elif self._connection.is_silent() and self._process.timer.is_late:
            allowed += "; it wrote nothing at all: is its output buffered?"
        return f"no whole answer to {what!r} after {us / 1000:.0f} ms; {allowed}"

    async def _explain_exit(self, when: str) -> _FaultFound:
        """Return why the bot is gone.

        Raises:
            RoomTrouble: its sandbox could not be made.
        """
        process = self._process
        assert process
        with trio.move_on_after(EXIT_SECONDS):
            await process.wait_exit()
        if process.oom_bytes:
            held, allowed = process.oom_bytes >> 20, self.entrant.limits.memory_mb
            return _FaultFound(
                "out_of_memory", f"its processes held {held:,} MiB of memory {when}; allowed were {allowed:,} MiB"
            )
        if self._connection.phase == "greeting" and (trouble := process.sandbox_error()):
            raise MachineError(trouble, "no_sandbox")
        if self._connection.phase == "greeting" and process.has_exec_failed():
            words = process.stderr_tail().strip().splitlines() or ["no reason is known"]
            program = self.entrant.command[0]
            return _FaultFound("never_started", f"{program!r} cannot be run: {words[-1]}{shebang_hint(program)}")
        return _FaultFound(
            "ended_early" if process.has_exited_cleanly() else "crashed", f"{process.exit_text()} {when}"
        )

    def _find_choice(self, act: Act, legal: Sequence[Any]) -> int:
        """Return the index of the action that was chosen."""
        if act.choose is not None:
            if act.choose < len(legal):
                return act.choose
            raise _FaultFound(
                "illegal", f"it chose {act.choose}; there were {len(legal)} legal actions, 0..{len(legal) - 1}"
            )
        try:
            return list(legal).index(msgspec.convert(act.action, self._game.Action))
        except (msgspec.ValidationError, ValueError):
            played, allowed = (msgspec.json.encode(what).decode() for what in (act.action, legal))
            raise _FaultFound("illegal", f"it played {played[:200]}; legal were {allowed[:1000]}") from None

    async def _handle_fault(self, stop: _FaultFound) -> Incident:
        """Return what happened, and what it means; if that was more than a wrong choice, tell the bot and end it."""
        spared = self._fault_rules.policy == "substitute" and self._question_number > 0 and stop.kind != "never_started"
        is_substituted = spared and self._substitutions < self._fault_rules.substitutions
        self._substitutions += is_substituted
        fault = Fault(
            kind=stop.kind,
            seat=self._hello.seat,
            decision=self._question_number,
            message=str(stop),
            clock=stop.clock,
            verdict="substitute" if is_substituted else "forfeit",
        )
        exchange, words = self._wire_log.last_lines(), ""
        if self._process is not None:
            process = self._process
            if stop.kind != "illegal" or not is_substituted:
                with trio.move_on_after(NOTICE_SECONDS):
                    if await self._send(Faulted(fault=fault)):
                        process.close_stdin()
                        await process.wait_exit()
                self._end_process()
            words = process.stderr_tail()
        return Incident(fault=fault, exchange=exchange, last_words=words, us=self._last_us)


async def close_all(seats: Iterable[BotSeat]) -> None:
    """Let all of these go at once."""
    async with trio.open_nursery() as leaving:
        for player in seats:
            leaving.start_soon(player.close)
