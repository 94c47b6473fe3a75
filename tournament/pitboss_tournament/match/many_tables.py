"""Many tables in one bot: one process plays up to N games of its batch at once, and is asked in rounds.

For networks in numpy or torch, for graphics cards, for models behind a server: they answer sixty-four questions in
little more time than one. A tournament with `tables_per_bot = N` offers `"tables": N` in `hello`. A bot that takes M
of them says `"tables": M` in `ready`. From then on `start`, `decide`, `end` and `act` name the table, 0 to M - 1. Where
one side does not offer or take tables, no message names one.

Games. `running/seated_bots` begins the games of a batch in their order, as many at once as the bots of the next one
take tables. A bot without tables has a process for each of these games. All games of a batch that a process plays have
their deals to themselves, as ever: no process meets a deal twice, and a game that is void is played again by another
process.

Rounds. Whoever asks leads a round if nobody does: it waits until the bot has a CPU slot and every table had its turn,
writes all questions that are there by then in one go (before them what has begun or ended at other tables), and reads
until each is answered, in any order. Questions that come meanwhile are of the next round. So one `QuestionTimer`, one
slot and one rest serve the process as they serve one with a single game, and a model sees all questions at once.

Time. A round is billed once, to each of its questions: as the question that waited longest. A bot gains nothing by
answering some tables first and thinking on for others. Whether an answer was late is judged by its own wait. The lag of
an answer is what the runner waited for a CPU: that it plays on at sixty-four tables before it reads an answer is work,
and no sign of an overloaded machine.

Faults cost the tables that they concern:

    illegal                     that table; the process goes on, and is told so by a `fault` that names the table
    late                        the tables whose answer is missing; the process is ended, and the other tables go on in
                                a fresh one (`ProcessLost`), which is told their game as after a substituted decision
    all others                  every game that is open at the process: it has ended, or no longer keeps to the protocol

The limits of memory, files and processor time are those of the process. `cpu_s` counts from the beginning of the oldest
game that is open.

Logs. A game's log has the lines of its own table; `hello` and `ready` are in that of the game for which the process was
started. Nothing tells for which game a process writes to standard error, so it goes into the log of each open one.
"""

from __future__ import annotations

from heapq import heappop, heappush

import trio
from msgspec import UNSET

from pitboss.protocol.connection import quote_line
from pitboss.protocol.faults import ClockName, Fault
from pitboss.protocol.messages import Act, Ready
from pitboss_tournament.match.bot_link import NOTICE_SECONDS, BotLink
from pitboss_tournament.match.fault_causes import describe_lateness, describe_overload
from pitboss_tournament.match.fault_policy import PROTOCOL_FAULTS, BotFaulted
from pitboss_tournament.processes.bot_process import QUICK_MS
from pitboss_tournament.processes.logs import STDERR_BYTES, HeadTailBuffer, WireLog
from pitboss_tournament.processes.start_errors import MachineError
from pitboss_tournament.processes.supervisor import BotSupervisor


class ProcessLost(Exception):
    """The process of a seat was ended for what it did at another table: the seat has to rejoin, and is asked again."""


class TableQuestion:
    """A question at one table of a process, until it is settled."""

    def __init__(
        self, table: int, number: int, line: bytes, limit_us: int, margin_us: int, clock: ClockName, wire_log: WireLog
    ) -> None:
        """Have no answer yet. `number`: its id; `wire_log`: that of its game."""
        self.table = table
        self.number = number
        self.line = line
        self.limit_us = limit_us
        self.allowed_us = limit_us + margin_us
        self.clock: ClockName = clock
        self.wire_log = wire_log
        self._waiting: trio.lowlevel.Task | None = None  # an Event would be a twentieth of a decision
        self.answer: Act | None = None
        self.answered_at = 0.0
        self.error: BotFaulted | MachineError | ProcessLost | None = None
        self.us = self.lag_us = 0  # billed, and how late the runner was to read the answer
        self.is_settled = False

    def settle(self, error: BotFaulted | MachineError | ProcessLost | None = None) -> None:
        """End the question: with its answer, or an error."""
        self.error = error
        self.is_settled = True
        self.wake()

    async def wait(self) -> None:
        """Wait until it is settled, or has to lead a round."""
        self._waiting = trio.lowlevel.current_task()
        await trio.lowlevel.wait_task_rescheduled(self._stop_waiting)

    def wake(self) -> None:
        """End the wait, if it is waited for."""
        if self._waiting is not None:
            trio.lowlevel.reschedule(self._waiting)
            self._waiting = None

    def _stop_waiting(self, _raise_cancel: object) -> trio.lowlevel.Abort:
        self._waiting = None
        return trio.lowlevel.Abort.SUCCEEDED


class ManyTables:
    """A process of a bot that is asked at many tables, from its `ready` to its end."""

    def __init__(self, link: BotLink, ready: Ready, supervisor: BotSupervisor) -> None:
        """Take the link of a bot that has just agreed to tables."""
        assert ready.tables is not UNSET
        self.ready = ready
        self.process = link.process
        self.is_over = False  # the process has ended, or is to be asked no more
        self.is_retired = False  # it begins no more games
        self.fault: BotFaulted | None = None  # why it is over for all tables; None: because of some of them
        self.connection = link.connection
        self._link = link
        self._supervisor = supervisor
        self._free = list(range(ready.tables))  # a heap
        self._begun: dict[int, float] = {}  # by table that is taken: seconds that the process had computed before
        self._logs = SharedStderr()
        self._outbox: list[bytes] = []  # what the bot is told with the next round
        self._asked: list[TableQuestion] = []  # for the next round
        self._has_leader = False
        self.process.stderr = self._logs

    @property
    def held_bytes(self) -> int:
        """The memory that the process held when the watchdog looked last."""
        return self._link.held_bytes

    @property
    def taken(self) -> int:
        """How many tables are taken."""
        return len(self._begun)

    @property
    def has_room(self) -> bool:
        """Whether another game may begin."""
        return bool(self._free) and not (self.is_over or self.is_retired)

    def take(self, stderr: HeadTailBuffer) -> int:
        """Take a free table, at which standard error is written to `stderr` too; return its number."""
        number = heappop(self._free)
        self.begin_game(number, stderr)
        return number

    def begin_game(self, number: int, stderr: HeadTailBuffer) -> None:
        """Begin another game at a table that is taken."""
        self._begun[number] = self.process.timer.computed_seconds(exactly=True)
        self._logs.buffers[number] = stderr
        self._count_computing()

    async def leave(self, number: int) -> None:
        """Free a table; a process that is retired and has no other is told goodbye, and ended."""
        heappush(self._free, number)
        self._logs.buffers.pop(number, None)
        del self._begun[number]
        if self.is_over:
            return
        self._count_computing()
        if self.is_retired and not self._begun:
            await self._close()

    async def retire(self) -> None:
        """Begin no more games; say goodbye and end the process as soon as all tables are free."""
        self.is_retired = True
        if not self._begun and not self.is_over:
            await self._close()

    async def _close(self) -> None:
        """Tell what is left to tell, say goodbye, and end the process."""
        self.is_over = True
        with trio.move_on_after(NOTICE_SECONDS):
            await self.process.send(b"".join(self._outbox))
        self._outbox.clear()
        await self._link.close()

    def tell(self, line: bytes) -> None:
        """Send a line that is no question, before the next round."""
        self._outbox.append(line)

    async def ask(self, question: TableQuestion) -> None:
        """Have a question settled, in a round with those of other tables."""
        self._asked.append(question)
        if self._has_leader:
            try:
                await question.wait()
            except trio.Cancelled:
                self._withdraw(question)
                raise
            if question.is_settled:
                return
        self._has_leader = True
        try:
            await self._play_round()
        finally:
            self._withdraw(question)
            self._hand_over()

    def _withdraw(self, question: TableQuestion) -> None:
        """Forget a question that is not put yet: its game is broken off."""
        if question in self._asked:
            self._asked.remove(question)

    def _hand_over(self) -> None:
        """Let the first of the next questions lead its round."""
        if self._asked:
            self._asked[0].wake()
        else:
            self._has_leader = False

    async def _play_round(self) -> None:
        """Put the questions that are there to the bot, and settle them."""
        process, slots = self.process, self._supervisor.slots
        if not slots.try_acquire(process.timer):
            await slots.acquire(process.timer)
        try:
            await self._wait_for_tables()
        except trio.Cancelled:
            slots.release(process.timer)
            raise
        if self.is_over:
            slots.release(process.timer)
            self._settle_lost()
            return
        asked, self._asked = self._asked, []
        open_questions = {question.table: question for question in asked}
        wrong = self._find_interjection()
        timer, stderr_before = process.timer, process.stderr_bytes
        self._supervisor.clock.note_times()
        began = at = timer.start(max(question.allowed_us for question in asked) / 1e6)
        try:
            if wrong is None:
                at, wrong = await self._exchange(asked, open_questions, began)
        finally:
            billed, lag = timer.settle(at, process.has_waited)
            slots.release(timer)
            process.is_quick = slots.count == 1 and at - began < QUICK_MS / 1000
            process.rest.begin()
        us, lag_us = round(billed * 1e6), round(min(lag, timer.runner_waited()) * 1e6)
        for question in asked:
            question.us, question.lag_us = us, lag_us
        if wrong is not None:
            await self._break(wrong, asked)
        elif timer.lateness == "bot":
            self._end_late(open_questions, process.stderr_bytes - stderr_before)
        elif timer.lateness == "machine":
            self._end_overloaded(open_questions, at - began)
        elif open_questions:
            await self._explain_exit(open_questions)
        self._judge_answers(asked, began, (at - began) - billed, timer.extra_seconds())

    async def _wait_for_tables(self) -> None:
        """Let all games go on that can: they ask too, or would be in the way when the answers come."""
        asked = 0
        while asked < len(self._asked):
            asked = len(self._asked)
            await trio.lowlevel.checkpoint()

    async def _exchange(
        self, asked: list[TableQuestion], open_questions: dict[int, TableQuestion], began: float
    ) -> tuple[float, BotFaulted | None]:
        """Send what there is to send, and read until no question is open or the bot is gone.

        Return when that was, and the fault of a bot that did not keep to the protocol.
        """
        for question in asked:
            question.wire_log.log_sent(question.line, began)
        sent = b"".join([*self._outbox, *[question.line for question in asked]])
        self._outbox.clear()
        left = self.process.send_now(sent)
        if left is None:
            return self._supervisor.clock.now(), None
        if not left:
            return await self._read_answers(open_questions, self.process.receive_soon())
        async with trio.open_nursery() as nursery:  # the bot may have to write answers before it can read on
            nursery.start_soon(self.process.send, left)
            at, wrong = await self._read_answers(open_questions, None)
            if open_questions or wrong is not None:
                nursery.cancel_scope.cancel()
        return at, wrong

    async def _read_answers(
        self, open_questions: dict[int, TableQuestion], part: bytes | None
    ) -> tuple[float, BotFaulted | None]:
        """Read answers, of which `part` may be there already; return as `_exchange`."""
        process, clock = self.process, self._supervisor.clock
        if part is None:
            part = await process.receive()
        at = clock.now()
        while part:
            try:
                answers = self.connection.receive_answers(part)
            except tuple(PROTOCOL_FAULTS) as error:
                next(iter(open_questions.values())).wire_log.log_received(part, at)
                return at, BotFaulted(PROTOCOL_FAULTS[type(error)], str(error))
            for answer, line in answers:
                assert answer.table is not UNSET
                question = open_questions.pop(answer.table, None)
                if (
                    question is None
                ):  # of the next round: what it is about is not sent yet, but its number can be guessed
                    text = f"it answered at table {answer.table} before it was asked there: {quote_line(line)}"
                    return at, BotFaulted("out_of_turn", text)
                question.answer, question.answered_at = answer, at
                question.wire_log.log_received(line, at)
            if not open_questions:
                break
            part = await process.receive()
            at = clock.now()
        return at, None

    def _judge_answers(self, asked: list[TableQuestion], began: float, taken_s: float, extra_s: float) -> None:
        """Settle the questions that are answered: late are those whose own wait was longer than they may take.

        `taken_s`: what others took of the round.
        """
        for question in asked:
            if question.is_settled:
                continue
            own_us = max(0.0, question.answered_at - began - taken_s) * 1e6
            late = own_us > question.allowed_us + extra_s * 1e6
            question.settle(self._describe_late(question, round(own_us), 0) if late else None)

    def _end_late(self, missing: dict[int, TableQuestion], stderr_bytes: int) -> None:
        """End a process that was late at some tables."""
        for question in missing.values():
            question.settle(self._describe_late(question, question.us, stderr_bytes))
        self._end()

    def _end_overloaded(self, missing: dict[int, TableQuestion], seconds: float) -> None:
        """End a process to which the machine gave too little time for some tables."""
        for question in missing.values():
            text = describe_overload(self._link.name, seconds, question.us, question.limit_us)
            question.settle(MachineError(text, "overloaded"))
        self._end()

    async def _explain_exit(self, missing: dict[int, TableQuestion]) -> None:
        """End a process that is gone: a fault that costs all its open games, or those that wait are void."""
        try:
            fault = await self._link.explain_exit("before it answered 'decide'")
        except MachineError as error:
            for question in missing.values():
                question.settle(MachineError(str(error), error.cause))
            self._end()
        else:
            await self._break(fault, [*missing.values()])

    async def _break(self, fault: BotFaulted, concerned: list[TableQuestion]) -> None:
        """End a process for a fault that costs all its open games: these now, the others when they ask next."""
        self.fault = fault
        for question in concerned:
            question.settle(copy_fault(fault))
        self.is_over = True
        if self.process.is_running():
            number = concerned[0].number
            told = Fault(kind=fault.kind, seat=self._link.seat, decision=number, message=str(fault), clock=fault.clock)
            await self._link.report_fault(told, is_last=True)
        self._end()

    def end_for_all(self, fault: BotFaulted) -> None:
        """End the process for a fault that costs all its open games, when they ask next."""
        self.fault = fault
        self._end()

    def _end(self) -> None:
        self.is_over = True
        self._link.end()

    def _describe_late(self, question: TableQuestion, us: int, stderr_bytes: int) -> BotFaulted:
        allowed = f"{question.limit_us / 1000:.0f} ms"
        if question.clock == "game":
            allowed += ", what was left of its time for the game"
        allowed += f" at table {question.table}"
        is_silent = question.answer is None and self.connection.is_silent()
        text = describe_lateness(
            self.process, us, allowed, question.clock, is_silent=is_silent, stderr_bytes=stderr_bytes
        )
        return BotFaulted("late", text, question.clock)

    def _settle_lost(self) -> None:
        """Settle what was asked of a process that is over."""
        asked, self._asked = self._asked, []
        for question in asked:
            question.settle(self.loss())

    def loss(self) -> BotFaulted | ProcessLost:
        """Return what a table is told that asks a process that is over."""
        return ProcessLost() if self.fault is None else copy_fault(self.fault)

    def _find_interjection(self) -> BotFaulted | None:
        """Return the fault of a bot that has written something since the last round."""
        if not self.process.has_output():
            return None
        if not (output := self.process.receive_now()):
            return None  # it has closed its output: the round finds that
        return BotFaulted("out_of_turn", f"it spoke before it was asked: {quote_line(output)}")

    def _count_computing(self) -> None:
        if self._begun:
            self.process.count_computing_from(min(self._begun.values()))


def copy_fault(fault: BotFaulted) -> BotFaulted:
    """Return a fault to be raised at another table."""
    return BotFaulted(fault.kind, str(fault), fault.clock)


class SharedStderr(HeadTailBuffer):
    """Standard error of a process that plays many games: it goes into the log of each."""

    def __init__(self) -> None:
        super().__init__(STDERR_BYTES)
        self.buffers: dict[int, HeadTailBuffer] = {}  # of the games, by table

    def append(self, piece: bytes) -> None:
        """Append a piece to all."""
        super().append(piece)
        for buffer in self.buffers.values():
            buffer.append(piece)
