"""The room: the bots that are running in one process of the runner, with what keeps them in check."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import trio

from pitboss_tournament.planning.plan import Entrant, SandboxMode
from pitboss_tournament.processes import guardian, proctree
from pitboss_tournament.processes.clocks import NOTHING_SPENT, RoomClock, Spent
from pitboss_tournament.processes.logs import ERROR_BYTES, HeadAndTail
from pitboss_tournament.processes.process import BotProcess
from pitboss_tournament.processes.trouble import RoomTrouble

TICK_SECONDS: Final = 0.01  # how often the watchdog looks at the clocks
IDLE_SHARE: Final = 0.25  # who uses less of the time between two looks is waiting for something else than a processor…
IDLE_SECONDS: Final = 0.005  # …if that time was as long as this
MEMORY_TICKS: Final = 10  # and, every so many times, at the memory
GUARDIAN_SECONDS: Final = 5  # for the guardian to end by itself


class Slots:
    """Leave to think: no more bots do so at once than there are processors. Who only waits lends its slot to others."""

    def __init__(self, count: int) -> None:
        self._free = trio.Semaphore(count)
        self._held: dict[BotProcess, Spent | None] = {}  # what each had spent when last looked at; None: it has lent its slot

    def try_take(self, bot: BotProcess) -> bool:
        """Take a slot if one is free."""
        try:
            self._free.acquire_nowait()
        except trio.WouldBlock:
            return False
        self._held[bot] = NOTHING_SPENT
        return True

    async def take(self, bot: BotProcess) -> None:
        """Take a slot, as soon as one is free."""
        await self._free.acquire()
        self._held[bot] = NOTHING_SPENT

    def give(self, bot: BotProcess) -> None:
        """Give the slot back."""
        if self._held.pop(bot) is not None:
            self._free.release()

    def lend(self) -> None:
        """Let others have the slots of those who have done next to nothing since the last look, or since they were asked."""
        if not self._free.statistics().tasks_waiting:
            return
        for bot, before in tuple(self._held.items()):
            if before is None:
                continue
            now = bot.spent()
            wall = now.wall - before.wall
            if wall < IDLE_SECONDS:
                continue
            is_idle = now.processor - before.processor < IDLE_SHARE * wall
            self._held[bot] = None if is_idle else now
            if is_idle:
                self._free.release()


class Room:
    """The bots that are running, the clock, the watchdog and the guardian.

    The clock stands still while a bot is started or ended: that holds up the loop for a few milliseconds, and nobody else is to pay for it.
    """

    def __init__(self, nursery: trio.Nursery, sandbox: SandboxMode, thinkers: int, adopts: bool) -> None:
        """Start the guardian; the bots' errors are kept in the nursery. Who `adopts` ends all children of this process that are no bots of the room.

        Raises:
            RoomTrouble: the machine cannot start any program now.
        """
        self.clock = RoomClock()
        self.slots = Slots(thinkers)
        self._nursery = nursery
        self._sandbox = sandbox
        self._adopts = adopts
        self._family = secrets.token_hex(8)
        self._guard = _guardian_started(self._family)
        self._count = 0
        self._running: set[BotProcess] = set()

    def start(self, entrant: Entrant, errors: HeadAndTail | None = None) -> BotProcess:
        """Start a bot, whose standard error is kept in `errors`; see `BotProcess`."""
        self._count += 1
        errors = HeadAndTail(ERROR_BYTES) if errors is None else errors
        with self.clock.stopped():
            bot = BotProcess(entrant, f"{self._family}-{self._count}", self._sandbox, self.clock, errors)
        self._running.add(bot)
        self._tell_guardian(f"+{bot.pid}\n")
        self._nursery.start_soon(bot.keep_errors)
        return bot

    def end(self, bot: BotProcess) -> None:
        """End a bot and all that belongs to it."""
        with self.clock.stopped():
            bot.close()
            if bot in self._running:
                self._running.remove(bot)
                self._tell_guardian(f"-{bot.pid}\n")
            if self._adopts:
                self._end_orphans()

    def end_all(self) -> None:
        """End all bots."""
        for bot in tuple(self._running):
            self.end(bot)

    async def watch(self) -> None:
        """Look at the clocks and the memory of all bots, and after the guardian, for ever.

        Raises:
            RoomTrouble: the guardian has died, and the machine cannot start another.
        """
        ticks = 0
        while True:
            await trio.sleep(TICK_SECONDS)
            ticks += 1
            for bot in tuple(self._running):
                bot.look_at_clock()
                if ticks % MEMORY_TICKS == 0:
                    bot.look_at_memory()
            self.slots.lend()
            if self._guard.poll() is not None:
                self._replace_guardian()

    def dismiss_guardian(self) -> None:
        """Let the guardian go; there is nothing left to guard."""
        assert self._guard.stdin
        self._guard.stdin.close()
        try:
            self._guard.wait(GUARDIAN_SECONDS)
        except subprocess.TimeoutExpired:  # somebody has stopped it
            self._guard.kill()
            self._guard.wait()

    def _end_orphans(self) -> None:
        """End what bots have left behind that hides from its group and its mark: it has become a child of ours."""
        own = {self._guard.pid, *(bot.pid for bot in self._running)}
        while orphans := [child for child in proctree.children(os.getpid()) if child not in own]:
            for orphan in orphans:
                guardian.kill(orphan)
                with suppress(ChildProcessError):
                    os.waitpid(orphan, 0)

    def _replace_guardian(self) -> None:
        self.dismiss_guardian()
        self._guard = _guardian_started(self._family)
        for bot in self._running:
            self._tell_guardian(f"+{bot.pid}\n")

    def _tell_guardian(self, line: str) -> None:
        assert self._guard.stdin
        with suppress(BrokenPipeError):  # it has died: the watchdog will start another, and tell it of all who are there
            self._guard.stdin.write(line.encode())


def _guardian_started(family: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-I", "-S", guardian.__file__, family]
    try:
        return subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True)
    except OSError as wrong:
        raise RoomTrouble(f"the guardian process cannot be started: {wrong.strerror}", "no_guardian") from None


@asynccontextmanager
async def open_room(sandbox: SandboxMode = "none", thinkers: int = 1, adopts: bool = False) -> AsyncIterator[Room]:
    """Open a room for bots, of which so many may think at once: none of them outlives it, however it is left.

    A process that has no other children, and adopts orphans (`prctl`), says so: then nothing that a bot has started can hide from it.

    Raises:
        RoomTrouble: the machine cannot start any program now.
    """
    async with trio.open_nursery() as nursery:
        room = Room(nursery, sandbox, thinkers, adopts)
        trio.lowlevel.add_instrument(room.clock)
        try:
            nursery.start_soon(room.watch)
            yield room
        finally:
            trio.lowlevel.remove_instrument(room.clock)
            room.end_all()
            room.dismiss_guardian()
            room.clock.close()
            nursery.cancel_scope.cancel()
