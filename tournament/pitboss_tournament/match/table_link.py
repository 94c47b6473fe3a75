"""The link of one table to a bot that plays at many (`many_tables`): what `bot_link` is to a bot with one game."""

from __future__ import annotations

import trio
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from pitboss.protocol.faults import ClockName, Fault
from pitboss.protocol.messages import Decide, End, Faulted, FromBot, Hello, Ready, Start
from pitboss_tournament.match.bot_link import BotLink, hide_others_at_end, hide_players, make_seat_log
from pitboss_tournament.match.fault_policy import BotFaulted
from pitboss_tournament.match.many_tables import ManyTables, TableQuestion
from pitboss_tournament.plan.plan import Entrant, Opponents
from pitboss_tournament.processes.logs import STDERR_BYTES, HeadTailBuffer, SeatLog, WireLog
from pitboss_tournament.processes.supervisor import BotSupervisor


class SharedBot:
    """A bot that has agreed to tables, in one seat of a batch: the process that begins its games, or the next one."""

    def __init__(
        self,
        supervisor: BotSupervisor,
        entrant: Entrant,
        hello: Hello,
        opponents: Opponents,
    ) -> None:
        """Have no process yet."""
        self.supervisor = supervisor
        self.entrant = entrant
        self.hello = hello
        self.opponents: Opponents = opponents
        self.tables = 1  # to which the bot has agreed
        self._current: ManyTables | None = None
        self._starting = trio.Lock()

    def adopt(self, link: BotLink, ready: Ready) -> TableLink:
        """Return a link to a table of a process that has just agreed, with the logs of the game it was started for."""
        assert ready.tables is not UNSET
        self.tables = ready.tables
        self._current = ManyTables(link, ready, self.supervisor)
        table = TableLink(self)
        table.game_seed, table.wire_log, table.stderr = link.game_seed, *link.game_logs
        table.sit_down(self._current)
        return table

    async def find_process(self, table: TableLink) -> ManyTables:
        """Return a process with a free table, perhaps a fresh one for the game of that link.

        Raises:
            BotFaulted, MachineError: as `BotLink.open`.
        """
        async with self._starting:
            if self._current is None or not self._current.has_room:
                link = BotLink(self.supervisor, self.entrant, self.hello, opponents=self.opponents)
                link.use_logs(table.wire_log, table.stderr)
                try:
                    ready = await link.open()
                finally:
                    table.last_us = link.last_us
                if ready.tables != self.tables:
                    link.end()
                    said = "none" if ready.tables is UNSET else str(ready.tables)
                    text = f"its `ready` agrees to {said} tables, that of an earlier process to {self.tables}"
                    raise BotFaulted("malformed", text)
                self._current = ManyTables(link, ready, self.supervisor)
            return self._current

    async def close(self) -> None:
        """Begin no more games; end the process with the last of those that are open."""
        if self._current is not None:
            await self._current.retire()


class TableLink:
    """Link to one table of a bot that plays at many. It may sit down again after its process has ended."""

    model: None = None  # a bot with a language model is not asked at many tables

    def __init__(self, bot: SharedBot) -> None:
        """Have no table yet."""
        self.last_us = 0  # microseconds billed for the last question
        self.last_lag_us = 0  # microseconds the runner was late to read its answer
        self.table: int | UnsetType = UNSET
        self.game_seed = bot.hello.seed  # of the bot in this game
        self.wire_log = WireLog(0.0)
        self.stderr = HeadTailBuffer(STDERR_BYTES)
        self._bot = bot
        self._clock = bot.supervisor.clock
        self._margin_us = bot.hello.clock.margin_ms * 1000
        self._process: ManyTables | None = None
        self._has_to_move = False  # to another process, for its next game

    @property
    def is_open(self) -> bool:
        """Whether it has a table at a process that has not ended."""
        return self._process is not None and not self._process.is_over and not self._has_to_move

    @property
    def pid(self) -> int:
        """The process id; the link must be open."""
        assert self._process
        return self._process.process.pid

    @property
    def held_bytes(self) -> int:
        """Its share of the memory that the process held when the watchdog looked last; 0 without a process."""
        return self._process.held_bytes // self._process.taken if self._process and self.is_open else 0

    def sit_down(self, process: ManyTables) -> None:
        """Take a free table of a process."""
        self._process = process
        self._has_to_move = False
        self.table = process.take(self.stderr)

    async def stand_up(self) -> None:
        """Leave the table, if it has one."""
        if self._process is not None:
            process, number = self._process, self.table
            self._process, self.table = None, UNSET
            assert number is not UNSET
            await process.leave(number)

    def begin_game(self, seed: str) -> None:
        """Begin the logs of a new game; close the link to a process that has ended, or begins no more games."""
        self.game_seed = seed
        self.wire_log = WireLog(self._clock.now())
        self.stderr = HeadTailBuffer(STDERR_BYTES)
        process = self._process
        if process is None or process.is_over:
            return
        self._has_to_move = process.is_retired or not process.process.is_running()
        if not self._has_to_move:
            assert self.table is not UNSET
            process.begin_game(self.table, self.stderr)

    def split_stderr(self) -> None:
        """Keep only what the bot writes to standard error from here on; the link must be open."""
        assert self._process and self.table is not UNSET
        self.stderr = HeadTailBuffer(STDERR_BYTES)
        self._process.begin_game(self.table, self.stderr)

    async def open(self) -> Ready:
        """Sit down at a process of the bot; raises as `SharedBot.find_process`."""
        await self.stand_up()
        self.sit_down(await self._bot.find_process(self))
        assert self._process
        return self._process.ready

    def check_files(self) -> None:
        """Check that the bot's files are still those that are to play; raises as `ContentsGuard.check`."""
        self._bot.supervisor.contents.check(self._bot.entrant)

    async def announce(self, start: Start) -> bool:
        """Have the bot told of a new game with the next round; always True.

        Raises:
            BotFaulted: its temporary folder holds more than it may.
        """
        process = self._process
        assert process
        if excess := process.process.folder_excess():
            process.end_for_all(BotFaulted("crashed", f"{excess}, and it was ended before a game"))
            raise process.loss()
        told = hide_players(start) if self._bot.opponents == "pseudonyms" else start
        self._tell(told)
        return True

    async def ask(self, question: Hello | Decide, limit_us: int, clock: ClockName) -> FromBot:
        """Ask a question, in a round with those of the other tables, and wait for the reply.

        Raises:
            BotFaulted: there is no reply in time, or a wrong one, or the process has ended by its own fault.
            MachineError: the machine gave the bot too little time.
            ProcessLost: the process was ended for what it did at another table.
        """
        process = self._process
        assert process and isinstance(question, Decide) and self.table is not UNSET
        self.last_us = self.last_lag_us = 0
        if process.is_over:
            raise process.loss()
        asked = TableQuestion(
            self.table, question.id, process.connection.send(question), limit_us, self._margin_us, clock, self.wire_log
        )
        await process.ask(asked)
        self.last_us, self.last_lag_us = asked.us, asked.lag_us
        if asked.error is not None:
            raise asked.error
        assert asked.answer
        return asked.answer

    def find_interjection(self, question_number: int) -> BotFaulted | None:
        """Return None: what a bot says without being asked, `ask` finds."""

    def has_left_between_games(self) -> bool:
        """Return False: a bot at many tables leaves only when it is told goodbye."""
        return False

    def leave(self) -> None:
        """Do nothing: see `has_left_between_games`."""

    async def end_game(self, end: End) -> None:
        """Have the bot told the result of a game with the next round."""
        if self.is_open:
            told = end
            if self._bot.opponents == "pseudonyms":
                told = hide_others_at_end(end, self._bot.hello.seat, self.game_seed)
            self._tell(told)

    async def report_fault(self, fault: Fault, *, is_last: bool) -> str:
        """Return the end of the bot's standard error. If the fault is its last in this game, leave the table."""
        process = self._process
        if process is None:
            return ""
        words = process.process.stderr_tail()
        if is_last:
            if not process.is_over:
                self._tell(Faulted(fault=fault, table=self.table))
            await self.stand_up()
        return words

    async def close(self) -> None:
        """Leave the table; the process begins no more games, and ends with the last of those that are open."""
        if self._process is not None:
            process = self._process
            await self.stand_up()
            await process.retire()

    def last_lines(self) -> list[str]:
        """Return the last lines exchanged in this game."""
        return self.wire_log.last_lines()

    def log(self) -> SeatLog:
        """Return the conversation of this game, and what the bot wrote to standard error meanwhile."""
        return make_seat_log(self._bot.hello.seat, self.stderr, self.wire_log)

    def _tell(self, message: Start | End | Faulted) -> None:
        assert self._process and self.table is not UNSET
        named = replace(message, table=self.table)
        line = self._process.connection.send(named)
        self.wire_log.log_sent(line, self._clock.now())
        self._process.tell(line)
