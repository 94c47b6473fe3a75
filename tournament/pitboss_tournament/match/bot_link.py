"""The link to a bot: its process, the conversation with it, and the log of both. Faults are raised as `BotFaulted`.

In place of the names of the others at its table a bot may be told pseudonyms, new ones in each game. They follow from
the seed that the bot is told in `start`, and from the seats. So they tell it nothing that it does not know, no two bots
are told the same ones, and whoever plays the game again (`ask`, `verify`) tells them again. The number of the game that
it is told follows from that seed too: the true one tells which table it is, and so who may sit there.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

import trio
from msgspec import UNSET
from msgspec.structs import replace

from pitboss.protocol.connection import RunnerConnection, quote_line
from pitboss.protocol.faults import ClockName, Fault
from pitboss.protocol.messages import Bye, Decide, End, Faulted, FromBot, FromRunner, Hello, Ready, Start
from pitboss_tournament.match.fault_causes import (
    describe_lateness,
    describe_overload,
    describe_start,
    explain_exit,
    refuse_start,
)
from pitboss_tournament.match.fault_policy import PROTOCOL_FAULTS, BotFaulted
from pitboss_tournament.match.model_link import ModelLink
from pitboss_tournament.plan.plan import Entrant, Opponents
from pitboss_tournament.processes.bot_process import BotProcess
from pitboss_tournament.processes.clocks import WALL_FACTOR, WALL_SECONDS
from pitboss_tournament.processes.logs import STDERR_BYTES, HeadTailBuffer, SeatLog, WireLog, compress_text
from pitboss_tournament.processes.start_errors import BotStartError, MachineError
from pitboss_tournament.processes.supervisor import BotSupervisor

BYE_SECONDS: Final = 0.5  # for a bot to end by itself
NOTICE_SECONDS: Final = 0.1  # for a bot to read of its fault, or of the end of a game
MAX_FAILED_STARTS: Final = 3
UNTIMED_US: Final = 30 * 86_400 * 1_000_000  # the limit of a bot without a clock: a month

NAME_BYTES: Final = 4  # of a digest, in each pseudonym
NUMBER_BYTES: Final = 6  # of a digest: fewer than the whole numbers that JSON keeps exactly


class BotLink:
    """Link to one bot. It is open while the bot has a process, and may be opened again after that has ended."""

    def __init__(
        self,
        supervisor: BotSupervisor,
        entrant: Entrant,
        hello: Hello,
        *,
        is_timed: bool = True,
        opponents: Opponents = "names",
    ) -> None:
        self.last_us = 0  # microseconds billed for the last question
        self.last_lag_us = 0  # microseconds the runner was late to read its answer
        self._supervisor = supervisor
        self._entrant = entrant
        self._hello = hello
        self._is_timed = is_timed
        self._opponents = opponents
        self.game_seed = hello.seed  # of the bot in this game
        self._margin_us = hello.clock.margin_ms * 1000
        self.table = UNSET  # the bot plays one game at a time
        self.model = (
            None if entrant.model is None else ModelLink(entrant, supervisor.ask_model, supervisor.note_own_choice)
        )
        self._process: BotProcess | None = None
        self._connection = RunnerConnection()
        self._ended_game: int | None = None  # the last game whose end this process was told of
        self._is_settled = False  # it has taken in the end of the last game
        self._sent_before = 0  # bytes that this process had been sent then
        self._stderr = HeadTailBuffer(STDERR_BYTES)
        self._wire_log = WireLog(0.0)

    @property
    def is_open(self) -> bool:
        """Whether the bot has a process."""
        return self._process is not None

    @property
    def name(self) -> str:
        """The bot's name."""
        return self._entrant.name

    @property
    def seat(self) -> int:
        """The seat that the bot was greeted in."""
        return self._hello.seat

    @property
    def process(self) -> BotProcess:
        """The process; the link must be open."""
        assert self._process
        return self._process

    @property
    def connection(self) -> RunnerConnection:
        """The conversation with the process."""
        return self._connection

    @property
    def game_logs(self) -> tuple[WireLog, HeadTailBuffer]:
        """The logs of this game: the conversation, and standard error."""
        return self._wire_log, self._stderr

    def use_logs(self, wire_log: WireLog, stderr: HeadTailBuffer) -> None:
        """Write to the logs of a game that has begun; the link must not be open."""
        self._wire_log, self._stderr = wire_log, stderr

    @property
    def pid(self) -> int:
        """The process id; the link must be open."""
        assert self._process
        return self._process.pid

    @property
    def held_bytes(self) -> int:
        """The memory that the bot held when the watchdog looked last; 0 without a process."""
        return self._process.held_bytes if self._process else 0

    def begin_game(self, seed: str) -> None:
        """Begin the logs of a new game; close the link if the process has ended since the last game.

        `seed`: of the bot in this game; that of `hello` too, for a bot that has a process for each game.
        """
        self.game_seed = seed
        if self._entrant.process == "game":
            self._hello = replace(self._hello, seed=seed)
        self._wire_log = WireLog(self._supervisor.clock.now())
        self._stderr = HeadTailBuffer(STDERR_BYTES)
        if self._process is not None:
            self._process.stderr = self._stderr
            if not self._is_settled:
                self._leave_if_exited()
        if self._process is not None:
            self._process.begin_game()
        self._is_settled = False

    def split_stderr(self) -> None:
        """Keep only what the bot writes to standard error from here on; the link must be open."""
        assert self._process
        self._process.stderr_tail()  # reads what was written before
        self._process.stderr = self._stderr = HeadTailBuffer(STDERR_BYTES)

    async def open(self) -> Ready:
        """Start the bot's process and greet it; one that was never ready in MAX_FAILED_STARTS is not started again.

        Raises:
            BotFaulted: it does not start, or does not answer as it should.
            MachineError: the machine cannot start it.
        """
        name, supervisor = self._entrant.name, self._supervisor
        if name in supervisor.ready_bots:
            return await self._start_and_greet()
        failed = supervisor.failed_starts.setdefault(name, [])
        if len(failed) >= MAX_FAILED_STARTS:
            self.last_us = 0
            raise refuse_start(failed)
        try:
            ready = await self._start_and_greet()
        except BotFaulted as fault:
            failed.append(fault)
            raise
        supervisor.ready_bots.add(name)
        return ready

    async def _start_and_greet(self) -> Ready:
        self._connection = RunnerConnection()
        self._ended_game = None
        try:
            serve = None if self.model is None else self.model.serve
            self._process = self._supervisor.start(self._entrant, self._stderr, serve)
        except BotStartError as error:
            raise BotFaulted("never_started", str(error)) from None
        ready = await self.ask(self._hello, self._hello.clock.start_ms * 1000, "start")
        assert isinstance(ready, Ready)
        self._process.attach_gauge()
        self._process.attach_memory_folder()
        return ready

    def check_files(self) -> None:
        """Check that the bot's files are still those that are to play; raises as `ContentsGuard.check`."""
        self._supervisor.contents.check(self._entrant)

    async def announce(self, start: Start) -> bool:
        """Send the line of a new game; False if the bot has left after its last game, which is allowed.

        Raises:
            BotFaulted: it does not take the line, or its memory folder holds more than it may.
            MachineError: the machine did not give it the time to take the line.
        """
        assert self._process
        if self.model is not None:
            self.model.begin_game(start.game_id)
        if excess := self._process.folder_excess():
            raise BotFaulted("crashed", f"{excess}, and it was ended before the game")
        process, start_ms = self._process, self._hello.clock.start_ms
        process.timer.start(start_ms / 1000)
        try:
            is_sent = await self._send(hide_players(start) if self._opponents == "pseudonyms" else start)
        finally:
            billed = process.timer.settle(self._supervisor.clock.now(), has_waited=True).billed
        if is_sent:
            process.rest.begin()
            return True
        if process.timer.lateness == "machine":
            seconds = WALL_FACTOR * start_ms / 1000 + WALL_SECONDS
            text = describe_overload(self._entrant.name, seconds, round(billed * 1e6), start_ms * 1000)
            raise MachineError(text, "overloaded")
        if process.timer.lateness:
            raise BotFaulted(
                "late", f"it did not take the line of a new game for {start_ms} ms: it does not read its input", "start"
            )
        fault = await self.explain_exit("while it was told of a new game")
        if not self.has_left_between_games():
            raise fault
        return False

    async def ask(self, question: Hello | Decide, limit_us: int, clock: ClockName) -> FromBot:
        """Ask a question and wait for the reply, for which the bot must have a CPU slot.

        Raises:
            BotFaulted: there is no reply in time, or a wrong one.
            MachineError: the bot's sandbox cannot be made, or its model cannot be reached.
        """
        process, runner_clock, slots = self._process, self._supervisor.clock, self._supervisor.slots
        assert process
        timer, model, stderr_before = process.timer, self.model, process.stderr_bytes
        if not self._is_timed:
            limit_us = UNTIMED_US
        allowed_us = limit_us + self._margin_us
        line = self._connection.send(question)
        if runner_clock.is_turn_over():
            # A quick bot's answer is there without waiting: other tables and the screen would never have their turn.
            await trio.lowlevel.checkpoint()
        if not slots.try_acquire(timer):
            await slots.acquire(timer)
        message = None
        if model is not None and isinstance(question, Decide):
            model.begin(question)
        began = at = timer.start(allowed_us / 1e6)
        try:
            self._wire_log.log_sent(line, began)
            left = process.send_now(line)
            is_sent = await process.send(left) if left else left is not None
            part = process.receive_soon() if is_sent else b""
            if part is None:
                part = await process.receive()
            at = runner_clock.now()
            while part and (message := self._take_part(part, at)) is None:
                part = await process.receive()
                at = runner_clock.now()
        finally:
            if model is not None:
                model.end()
            billed, lag = timer.settle(at, process.has_waited)
            slots.release(timer)
            process.note_answer(at - began, is_alone=slots.count == 1)
            process.rest.begin()
            self.last_us = us = round(billed * 1e6)
            self.last_lag_us = round(lag * 1e6) if lag else 0
        if model is not None:
            model.check_reached()
        if timer.lateness == "machine":
            seconds = runner_clock.now() - began
            raise MachineError(describe_overload(self._entrant.name, seconds, us, limit_us), "overloaded")
        is_over = us > allowed_us and us > allowed_us + timer.extra_seconds() * 1e6
        if timer.lateness or (message is not None and is_over):
            allowed = f"{limit_us / 1000:.0f} ms"
            if clock == "game":
                allowed += f", what was left of {self._hello.clock.game_ms} ms for the game"
            is_silent, written = self._connection.is_silent(), process.stderr_bytes - stderr_before
            text = describe_lateness(process, us, allowed, clock, is_silent=is_silent, stderr_bytes=written)
            raise BotFaulted("late", text, clock)
        if message is None:
            raise await self.explain_exit(f"before it answered {'hello' if clock == 'start' else 'decide'!r}")
        if model is not None:
            model.check_answered()
        return message

    def find_interjection(self, question_number: int) -> BotFaulted | None:
        """Return the fault of a bot that has written something since its last answer; the link must be open."""
        assert self._process
        if not self._process.has_output():
            return None
        output = self._process.receive_now() or b""
        self._wire_log.log_received(output, self._supervisor.clock.now())
        return BotFaulted("out_of_turn", f"it spoke before question {question_number} was asked: {quote_line(output)}")

    def has_left_between_games(self) -> bool:
        """Tell whether a bot that is gone left after its last game: with status 0, or without having read on."""
        process = self._process
        return (
            process is not None
            and self._ended_game is not None
            and self._connection.is_silent()
            and (process.has_exited_cleanly() or process.sent_bytes - process.unread_bytes() <= self._sent_before)
        )

    def leave(self) -> None:
        """End the process of a bot that has left after its last game, and note that in the log."""
        assert self._process
        note = f"[ended after game {self._ended_game}: {self._process.exit_text()}]\n"
        self.end()
        is_within_line = self._stderr.tail(1) not in (b"", b"\n")
        self._stderr.append(f"{chr(10) * is_within_line}{note}".encode())

    async def end_game(self, end: End) -> None:
        """Tell the bot the result of a game; close the link if it does not read that."""
        if self._process is not None:
            is_sent = False
            told = end
            if self._opponents == "pseudonyms":
                told = hide_others_at_end(end, self._hello.seat, self.game_seed)
            with trio.move_on_after(NOTICE_SECONDS):
                is_sent = await self._send(told)
            if is_sent:
                self._process.rest.begin(has_news=True)
                self._ended_game, self._sent_before = end.game_id, self._process.sent_bytes
            else:
                self.end()

    def give_moment(self) -> None:
        """Leave the processor to a quick bot for the moment that it needs to take in a line."""
        if self._process is not None and self._process.is_quick:
            self._process.stand_still()

    async def wait_settled(self) -> None:
        """Wait until the bot has taken in the end of a game: what it writes then belongs to that game."""
        if self._process is not None:
            await self._process.wait_settled()
            self._leave_if_exited()
            self._is_settled = True  # one that ends before its next game has left, as `announce` finds

    async def report_fault(self, fault: Fault, *, is_last: bool) -> str:
        """Return the end of the bot's standard error. If the fault is its last, send it first, and end the process."""
        process = self._process
        if process is None:
            return ""
        if is_last:
            await self._send_last(Faulted(fault=fault), NOTICE_SECONDS)
        return process.stderr_tail()

    async def close(self) -> None:
        """Say goodbye, wait a moment for the bot to exit, and end its process."""
        if self._process is not None and self._connection.phase in ("idle", "playing"):
            await self._send_last(Bye(), BYE_SECONDS)
        self.end()

    def end(self) -> None:
        """End the bot's process."""
        if self._process is not None:
            self._supervisor.end(self._process)
            self._process = None

    def last_lines(self) -> list[str]:
        """Return the last lines exchanged in this game."""
        return self._wire_log.last_lines()

    def log(self) -> SeatLog:
        """Return the conversation of this game, and what the bot wrote to standard error meanwhile."""
        return make_seat_log(self._hello.seat, self._stderr, self._wire_log)

    # ---- within

    def _leave_if_exited(self) -> None:
        process = self._process
        if (
            process is not None
            and not process.is_running()
            and not (process.memory_excess() or process.folder_excess())
        ):
            self.leave()  # it had no question between two games

    async def _send(self, message: FromRunner) -> bool:
        """Send a message that is no question; tell whether it could be written."""
        assert self._process
        line = self._connection.send(message)
        self._wire_log.log_sent(line, self._supervisor.clock.now())
        return await self._process.send(line)

    async def _send_last(self, message: Bye | Faulted, within_s: float) -> None:
        """Send a message, wait so long for the bot to exit, and end its process."""
        assert self._process
        with trio.move_on_after(within_s):
            if await self._send(message):
                self._process.close_stdin()
                await self._process.wait_exit()
        self.end()

    async def explain_exit(self, when: str) -> BotFaulted:
        """Return the fault of a bot that is gone; raises as `fault_causes.explain_exit`. The link must be open."""
        assert self._process
        return await explain_exit(self._process, self._entrant, when, is_greeted=self._connection.phase != "greeting")

    def _take_part(self, part: bytes, now: float) -> FromBot | None:
        """Return the message that a part of the bot's output completes, if it does.

        Raises:
            BotFaulted: it is against the protocol.
        """
        self._wire_log.log_received(part, now)
        is_greeted = self._connection.phase != "greeting"
        try:
            return self._connection.receive(part)
        except tuple(PROTOCOL_FAULTS) as error:
            hint = "" if is_greeted else describe_start(self._entrant)
            raise BotFaulted(PROTOCOL_FAULTS[type(error)], f"{error}{hint}") from None


def make_seat_log(seat: int, stderr: HeadTailBuffer, wire_log: WireLog) -> SeatLog:
    """Return the logs of a seat in a game, as they are stored."""
    return SeatLog(seat, compress_text(stderr.to_bytes()), compress_text(wire_log.to_bytes()))


def hide_players(start: Start) -> Start:
    """Return the start of a game as a bot is told: its own name, pseudonyms of the others, and a number in disguise."""
    token = _digest(start.seed, "players", NAME_BYTES).hex()
    told = [name if seat == start.seat else f"player-{seat}-{token}" for seat, name in enumerate(start.players)]
    return replace(start, game_id=_disguise_number(start.seed), players=told)


def hide_others_at_end(end: End, seat: int, seed: str) -> End:
    """Return the end of a game as the bot in `seat` is told: of the faults of others their kinds, not their words.

    The words name programs and files. `seed` is that of its `start`.
    """
    faults = [fault if fault.seat == seat else _hide_words(fault) for fault in end.faults]
    return replace(end, game_id=_disguise_number(seed), faults=faults)


def _hide_words(fault: Fault) -> Fault:
    return replace(fault, message=f"seat {fault.seat} committed a fault: {fault.kind}")


def _disguise_number(seed: str) -> int:
    return int.from_bytes(_digest(seed, "number", NUMBER_BYTES), "big")


def _digest(seed: str, use: str, size: int) -> bytes:
    return blake2b(f"{use}/{seed}".encode(), digest_size=size).digest()
