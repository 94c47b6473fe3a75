"""A player: a bot in a seat. It is asked, and answers with a choice or with a fault; a fault is a value, and the bot is stopped."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, Final, NamedTuple

import msgspec
import trio
from msgspec import Struct

from pitboss.conversation import RunnerEnd, cut
from pitboss.errors import FloodedLine, MalformedLine, OutOfTurn
from pitboss.events import AnyEvent
from pitboss.game import AnyGame
from pitboss.wire import Act, Bye, Decide, End, Fault, Faulted, FaultKind, FromBot, Hello, Ready, Start, TimeLeft
from pitboss_tournament.plan import Entrant
from pitboss_tournament.process import BotProcess, CannotStart, Room

_KINDS: Final[dict[type[Exception], FaultKind]] = {MalformedLine: "malformed", FloodedLine: "flooded", OutOfTurn: "out_of_turn"}

FAREWELL_SECONDS: Final = 0.5  # for a bot to hear of the end of a game, or to end by itself
EXIT_SECONDS: Final = 0.1  # between the end of a bot's output and its exit status


class Answer(NamedTuple):
    """What a bot chose: an index into the legal actions, the microseconds it thought, and its note."""

    choice: int
    us: int
    note: str | None


class _Stop(Exception):
    """The bot has done wrong. Never leaves this module: it becomes a `Fault`."""

    def __init__(self, kind: FaultKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Evidence(Struct, frozen=True):
    """A fault with what only the record gets to see: the end of the bot's standard error."""

    fault: Fault
    last_words: str


class Player:
    """A bot in a seat, over many games. Its process is started when it is first needed, and anew after a fault."""

    def __init__(self, room: Room, entrant: Entrant, game: AnyGame, hello: Hello) -> None:
        self.entrant = entrant
        self.wants_view = self.wants_events = False
        self._room = room
        self._game = game
        self._hello = hello
        self._process: BotProcess | None = None
        self._wire = RunnerEnd()
        self._start: Start | None = None
        self._has_played = False  # this process, before this game
        self._question = 0
        self._bank_us: int | None = None

    async def start(self, start: Start) -> Evidence | None:
        """Seat the bot for a new game, starting its process if there is none."""
        clock = self._hello.clock
        self._start = start
        self._has_played = self._process is not None
        self._question = 0
        self._bank_us = None if clock.game_ms is None else clock.game_ms * 1000
        if self._process is not None and not self._process.is_running():
            self._leave()  # it ended between two games, where nothing was asked of it
        try:
            await self._sit_down()
        except _Stop as stop:
            return await self._faulted(stop)
        return None

    async def decide(self, phase: str, legal: Sequence[Any], view: object, events: list[AnyEvent]) -> Answer | Evidence:
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
        try:
            limit_us = clock.decision_ms * 1000 if self._bank_us is None else min(clock.decision_ms * 1000, self._bank_us)
            act, us = await self._ask(question, limit_us)
            assert isinstance(act, Act)
            if self._bank_us is not None:
                self._bank_us -= us
            return Answer(self._choice(act, legal), us, act.note)
        except _Stop as stop:
            return await self._faulted(stop)

    async def end(self, end: End) -> None:
        """Tell the bot that the game is over. If it does not listen, it has a fresh process in the next."""
        if self._process is not None:
            is_told = False
            with trio.move_on_after(FAREWELL_SECONDS):
                is_told = await self._process.send(self._wire.say(end))
            if not is_told:
                self._leave()

    async def leave(self) -> None:
        """Say goodbye and end the process."""
        if self._process is not None and self._wire.phase in ("idle", "playing"):
            with trio.move_on_after(FAREWELL_SECONDS):
                if await self._process.send(self._wire.say(Bye())):
                    self._process.hang_up()
                    await self._process.wait_ended()
        self._leave()

    # ---- within

    def _leave(self) -> None:
        if self._process is not None:
            self._room.end(self._process)
            self._process = None

    async def _greet(self) -> None:
        self._wire = RunnerEnd()
        try:
            self._process = self._room.start(self.entrant)
        except CannotStart as wrong:
            raise _Stop("never_started", str(wrong)) from None
        ready, _ = await self._exchange(self._wire.say(self._hello), self._hello.clock.start_ms * 1000, "hello")
        assert isinstance(ready, Ready)
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
            is_told = await self._process.send(self._wire.say(self._start))
        if patience.cancelled_caught:
            raise _Stop("late", f"it did not take the line of a new game for {start_ms} ms: it does not read its input")
        if is_told:
            return
        stop = await self._gone("while it was told of a new game")
        if not self._has_left():
            raise stop
        self._leave()
        await self._sit_down()

    async def _ask(self, question: Decide, limit_us: int) -> tuple[FromBot, int]:
        """Ask a question; if the bot turns out to have left after its last game, ask a fresh process."""
        assert self._process
        if self._process.has_spoken():
            said = await self._process.receive()
            raise _Stop("out_of_turn", f"it spoke before question {self._question} was asked: {cut(said)}")
        try:
            return await self._exchange(self._wire.say(question), limit_us, "decide")
        except _Stop as stop:
            if stop.kind != "crashed" or self._question > 1 or not self._has_left():
                raise
        self._leave()
        await self._sit_down()
        return await self._exchange(self._wire.say(question), limit_us, "decide")

    def _has_left(self) -> bool:
        """Tell whether the bot took the end of the last game for the end of all, where nothing was asked of it."""
        return self._has_played and self._process is not None and self._process.has_left() and self._wire.is_silent()

    async def _exchange(self, line: bytes, limit_us: int, what: str) -> tuple[FromBot, int]:
        """Send a line and wait for the answer; return it with the microseconds it took."""
        process, clock, wire = self._process, self._room.clock, self._wire
        assert process
        await clock.take_turns()
        began = clock.now()
        process.due = began + limit_us / 1e6
        message = None
        if await process.send(line):
            while message is None and (part := await process.receive()):
                try:
                    message = wire.hear(part)
                except (MalformedLine, FloodedLine, OutOfTurn) as wrong:
                    raise _Stop(_KINDS[type(wrong)], str(wrong)) from None
        us = int((clock.now() - began) * 1e6)
        process.due = inf
        if process.was_late or (message is not None and us > limit_us):
            raise _Stop("late", self._lateness(us, limit_us, what))
        if message is None:
            raise await self._gone(f"before it answered {what!r}")
        return message, us

    def _lateness(self, us: int, limit_us: int, what: str) -> str:
        assert self._process
        allowed = f"allowed were {limit_us / 1000:.0f} ms"
        if what == "decide" and limit_us != self._hello.clock.decision_ms * 1000:
            allowed += f", what was left of {self._hello.clock.game_ms} ms for the game"
        if self._process.fate_when_late:
            allowed += f"; its process {self._process.fate_when_late}"
        elif self._wire.is_silent() and self._process.was_late:
            allowed += "; it wrote nothing at all: is its output buffered?"
        return f"no whole answer to {what!r} after {us / 1000:.0f} ms; {allowed}"

    async def _gone(self, when: str) -> _Stop:
        assert self._process
        with trio.move_on_after(EXIT_SECONDS):
            await self._process.wait_ended()
        return _Stop("crashed", f"{self._process.fate()} {when}")

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

    async def _faulted(self, stop: _Stop) -> Evidence:
        """Tell the bot what it did wrong, end it, and return the fault."""
        message = str(stop)
        fault = Fault(kind=stop.kind, seat=self._hello.seat, decision=self._question, message=message)
        words = ""
        if self._process is not None:
            process = self._process
            with trio.move_on_after(FAREWELL_SECONDS):
                if await process.send(self._wire.say(Faulted(fault=fault))):
                    process.hang_up()
                    await process.wait_ended()
            self._leave()
            words = process.last_words()
        return Evidence(fault, words)
