"""The supervisor: the running bots of one process, their clock, watchdog and reaper."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final, TypeAlias

import trio

from pitboss.foreign.started_programs import list_started_programs
from pitboss_tournament.models.calls import ModelAnswer, ModelCall, OwnChoice
from pitboss_tournament.plan.plan import Entrant, SandboxLevel
from pitboss_tournament.processes import process_tree, reaper
from pitboss_tournament.processes.bot_contents import ContentsGuard
from pitboss_tournament.processes.bot_process import BotProcess
from pitboss_tournament.processes.cgroups import find_group_parents
from pitboss_tournament.processes.clocks import LoopClock
from pitboss_tournament.processes.cpu import CpuSlots
from pitboss_tournament.processes.landlock import find_temporary_parent
from pitboss_tournament.processes.logs import STDERR_BYTES, HeadTailBuffer
from pitboss_tournament.processes.start_errors import MachineError

AskModel: TypeAlias = Callable[[ModelCall], Awaitable[ModelAnswer]]
NoteOwnChoice: TypeAlias = Callable[[OwnChoice], Awaitable[None]]

TICK_SECONDS: Final = 0.01  # how often the watchdog looks at the clocks
SLOW_TICKS: Final = 10  # after this number of ticks, also at the memory and at all computed seconds
REAPER_SECONDS: Final = 5  # for the reaper to end by itself


class BotSupervisor:
    """Starts, watches and ends bots; made by `open_supervisor`.

    The clock stands still while a bot is started or ended: that blocks the loop for a few milliseconds, which no other
    bot is billed for.
    """

    def __init__(
        self, nursery: trio.Nursery, sandbox: SandboxLevel, cpu_slots: int, is_subreaper: bool, may_ponder: bool
    ) -> None:
        self.clock = LoopClock()
        self.slots = CpuSlots(cpu_slots)
        self.ready_bots = set[str]()  # names of those that have said ready
        self.note_own_choice: NoteOwnChoice | None = None  # told of decisions without the model; None: nobody is
        self.ask_model: AskModel | None = None  # None: there are no models here
        self.failed_starts: dict[str, list[Exception]] = {}  # by name: why a bot that never has did not
        self._nursery = nursery
        self._sandbox = sandbox
        self._is_subreaper = is_subreaper and process_tree.lists_children()
        self._may_ponder = may_ponder
        self._secret = secrets.token_hex(16)
        self._reaper = _spawn_reaper(self._secret)
        self._running: set[BotProcess] = set()
        self.contents = ContentsGuard()

    def start(
        self,
        entrant: Entrant,
        stderr: HeadTailBuffer | None = None,
        serve: Callable[[BotProcess], Awaitable[None]] | None = None,
    ) -> BotProcess:
        """Start a bot, whose standard error goes to `stderr`; raises as `BotProcess` and `ContentsGuard.check` do.

        `serve` runs beside it, and must return when its sockets are closed.
        """
        mark = reaper.make_mark(self._secret)
        with self.clock.pause():
            self.contents.check(entrant)
            bot = BotProcess(entrant, mark, self._sandbox, self.clock, stderr or HeadTailBuffer(STDERR_BYTES))
        self._running.add(bot)
        self._tell_reaper(f"+{bot.pid}\n")
        self._nursery.start_soon(bot.drain_stderr)
        if serve is not None:
            self._nursery.start_soon(serve, bot)
        return bot

    def end(self, bot: BotProcess) -> None:
        """End a bot and all that belongs to it."""
        with self.clock.pause():
            bot.close(adopts_orphans=self._is_subreaper)
            if bot in self._running:
                self._running.remove(bot)
                self._tell_reaper(f"-{bot.pid}\n")
            if self._is_subreaper:
                self._kill_orphans()

    async def watch(self) -> None:
        """Watch the deadlines, the memory, the computing and the memory folders of all bots, and the reaper, for ever.

        Raises:
            MachineError: the reaper has died, and the machine cannot start another.
        """
        ticks = 0
        while True:
            await trio.sleep(TICK_SECONDS)
            ticks += 1
            for bot in tuple(self._running):
                bot.check_deadline()
                if not self._may_ponder:
                    bot.rest.check(exactly=ticks % SLOW_TICKS == 0)
                if ticks % SLOW_TICKS == 0:
                    bot.check_memory()
                    bot.check_computing()
                    bot.check_memory_folder()
            self.slots.lend_idle()
            if self._reaper.poll() is not None:
                self._restart_reaper()

    def close(self) -> None:
        """End all bots and the reaper."""
        for bot in tuple(self._running):
            self.end(bot)
        self._close_reaper()
        self.clock.close()

    def _close_reaper(self) -> None:
        assert self._reaper.stdin
        self._reaper.stdin.close()
        try:
            self._reaper.wait(REAPER_SECONDS)
        except subprocess.TimeoutExpired:  # a bot has stopped it
            self._reaper.kill()
            self._reaper.wait()

    def _kill_orphans(self) -> None:
        """Kill descendants of bots that have left group and mark: as orphans they are children of this process."""
        own = {self._reaper.pid, *(bot.pid for bot in self._running)} | list_started_programs(os.getpid())
        while orphans := [child for child in process_tree.child_pids(os.getpid()) if child not in own]:
            for orphan in orphans:
                reaper.kill(orphan)
                with suppress(ChildProcessError):
                    os.waitpid(orphan, 0)

    def _restart_reaper(self) -> None:
        self._close_reaper()
        self._reaper = _spawn_reaper(self._secret)
        for bot in self._running:
            self._tell_reaper(f"+{bot.pid}\n")

    def _tell_reaper(self, line: str) -> None:
        assert self._reaper.stdin
        with suppress(OSError):  # it has died; the watchdog will start another and tell it of all bots
            self._reaper.stdin.write(line.encode())


def _spawn_reaper(secret: str) -> subprocess.Popen[bytes]:
    parents = (*find_group_parents().folders, find_temporary_parent())
    command = [sys.executable, "-I", "-S", reaper.__file__, *map(str, parents)]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    try:
        started = subprocess.Popen(command, bufsize=0, stdin=pipe, stdout=nothing, start_new_session=reaper.IS_POSIX)
    except OSError as error:
        raise MachineError(f"the reaper process cannot be started: {error.strerror}", "no_guardian") from None
    assert started.stdin
    with suppress(OSError):  # the watchdog will start another
        started.stdin.write(f"{secret}\n".encode())
    return started


@asynccontextmanager
async def open_supervisor(
    sandbox: SandboxLevel = "none",
    cpu_slots: int = 1,
    is_subreaper: bool = False,
    may_ponder: bool = False,
    ask_model: AskModel | None = None,
) -> AsyncIterator[BotSupervisor]:
    """Context manager: a supervisor of bots, `cpu_slots` of which may compute at once. No bot outlives it.

    Unless it `may_ponder`, a bot that computes while it is not asked is frozen until the next line is sent to it.
    `ask_model`: how those that ask a language model do so.

    `is_subreaper`: this process adopts orphans (`prctl`) and has no other children but programs of games: no descendant
    of a bot can hide.

    Raises:
        MachineError: the machine cannot start any program now.
    """
    async with trio.open_nursery() as nursery:
        supervisor = BotSupervisor(nursery, sandbox, cpu_slots, is_subreaper, may_ponder)
        supervisor.ask_model = ask_model
        trio.lowlevel.add_instrument(supervisor.clock)
        try:
            nursery.start_soon(supervisor.watch)
            yield supervisor
        finally:
            trio.lowlevel.remove_instrument(supervisor.clock)
            supervisor.close()
            nursery.cancel_scope.cancel()
