"""A bot as a process: in a session of its own, with non-blocking pipes, a due moment, and the end of its standard error kept.

A read or write is tried first, and parked in the loop only when there is nothing to do: with a quick bot one decision costs one write, one read
and one wait. There is no cancel scope for each decision: `due` is a number, which the room's watchdog looks at.
"""

from __future__ import annotations

import errno
import os
import secrets
import select
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from math import inf
from pathlib import Path

import trio

from pitboss.errors import PitbossError
from pitboss_tournament import guardian
from pitboss_tournament.clocks import RoomClock
from pitboss_tournament.plan import Entrant

READ_BYTES = 65_536
STDERR_BYTES = 4_096  # kept from the end of what a bot writes there
TICK_SECONDS = 0.02  # how often the watchdog looks
GUARDIAN_SECONDS = 5  # for the guardian to end by itself
REPRIEVES = 3  # looks at which an overdue bot is spared because its answer is lying in the pipe

_OUR_TROUBLE = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN)  # not the bot's: no descriptors, memory or processes left


class CannotStart(PitbossError):
    """The bot's program cannot be run at all."""


class RoomTrouble(PitbossError):
    """The machine has no means to start or to speak to a bot: nobody's fault at the table."""


class BotProcess:
    """A running bot. `due` is the moment of the room's clock at which the watchdog ends it."""

    def __init__(self, entrant: Entrant, mark: str, clock: RoomClock) -> None:
        """Start the bot.

        Raises:
            CannotStart: its program cannot be run.
            RoomTrouble: the machine cannot start any program now.
        """
        self.clock = clock
        self.mark = mark
        self.due = inf
        self.was_late = False
        self.fate_when_late: str | None = None  # how it had ended by itself before the watchdog came
        self._reprieves = 0
        self._is_killed = False
        self._popen = _started(entrant, mark)
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self._to = self._popen.stdin.fileno()
        self._from = self._popen.stdout.fileno()
        self._errors = self._popen.stderr.fileno()
        for descriptor in (self._to, self._from, self._errors):
            os.set_blocking(descriptor, False)
        self._mouth = select.poll()
        self._mouth.register(self._from, select.POLLIN)
        self._words = b""
        self._closed = False

    @property
    def pid(self) -> int:
        """The process id, which is also that of its group and session."""
        return self._popen.pid

    def is_running(self) -> bool:
        """Tell whether the bot's own process still lives."""
        return self._popen.poll() is None

    def has_left(self) -> bool:
        """Tell whether the bot's own process has ended as programs do that are content."""
        return self._popen.poll() == 0

    def has_spoken(self) -> bool:
        """Tell whether something that it wrote waits to be read."""
        ready = self._mouth.poll(0)
        return bool(ready) and bool(ready[0][1] & select.POLLIN)

    def fate(self) -> str:
        """Say how the process ended, in words."""
        code = self._popen.poll()
        if code is None:
            return "closed its pipe and lives on"
        return f"exited with status {code}" if code >= 0 else f"was ended by signal {_signal_name(-code)}"

    def last_words(self) -> str:
        """Return the end of what it wrote to standard error."""
        self._read_errors()
        return self._words.decode("utf-8", "backslashreplace")

    async def send(self, line: bytes) -> bool:
        """Write a line; tell whether it could be written (False: the bot is gone, or was ended by the watchdog)."""
        try:
            while True:
                try:
                    written = os.write(self._to, line)
                except BlockingIOError:
                    if self._is_killed:
                        return False
                    await trio.lowlevel.wait_writable(self._to)
                    self.clock.turned()
                    continue
                if written == len(line):
                    return True
                line = line[written:]
        except (BrokenPipeError, trio.ClosedResourceError):
            return False

    async def receive(self) -> bytes:
        """Return what the bot wrote, as soon as there is anything; nothing at the end (or when the watchdog ended it)."""
        while True:
            try:
                return os.read(self._from, READ_BYTES)
            except BlockingIOError:
                if self._is_killed:  # somebody who left its process group may hold the pipe open for ever
                    return b""
            except OSError:
                return b""
            try:
                await trio.lowlevel.wait_readable(self._from)
            except trio.ClosedResourceError:
                return b""
            self.clock.turned()

    def look_at_clock(self) -> None:
        """End the bot if it is overdue, unless its answer is already lying there and only we are late in reading it."""
        if self.clock.now() <= self.due:
            self._reprieves = 0
            return
        self._reprieves += 1
        if self._reprieves <= REPRIEVES and self.has_spoken():
            return
        self.was_late = True
        self.fate_when_late = None if self.is_running() else self.fate()
        self.kill()

    def kill(self) -> None:
        """End the bot's whole process group, and wake whoever waits for it."""
        self.due = inf
        self._is_killed = True
        guardian.kill(self.pid, whole_group=True)
        for stream in (self._popen.stdin, self._popen.stdout):
            if stream and not stream.closed:
                trio.lowlevel.notify_closing(stream)

    async def wait_ended(self) -> None:
        """Wait until the bot's own process has ended."""
        while self.is_running():
            await _wait_exit(self.pid)

    def hang_up(self) -> None:
        """Close the bot's input."""
        if self._popen.stdin and not self._popen.stdin.closed:
            trio.lowlevel.notify_closing(self._to)
            self._popen.stdin.close()

    async def keep_errors(self) -> None:
        """Read standard error as it comes, so that it never fills up, and keep its end."""
        while not self._closed:
            if not self._read_errors():
                return
            try:
                await trio.lowlevel.wait_readable(self._errors)
            except trio.ClosedResourceError:
                return

    def close(self) -> None:
        """End the bot, whatever it has started and wherever that has moved to, and give all descriptors back."""
        if self._closed:
            return
        self.kill()
        self._popen.wait()  # it has been killed: this does not last
        guardian.kill_marked(f"{self.mark}=")
        self._read_errors()
        self._closed = True
        trio.lowlevel.notify_closing(self._errors)
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if stream:
                stream.close()

    def _read_errors(self) -> bool:
        """Take what there is of standard error; tell whether more may come."""
        if self._closed:  # the number may be another file's by now
            return False
        try:
            part = os.read(self._errors, READ_BYTES)
        except BlockingIOError:
            return True
        self._words = (self._words + part)[-STDERR_BYTES:]
        return bool(part)


class Room:
    """The bots that are running, with what keeps them in check: the clock, the watchdog and the guardian.

    The clock stands still while a bot is started or ended: that holds up the loop for a few milliseconds, and nobody else is to pay for it.
    """

    def __init__(self, nursery: trio.Nursery) -> None:
        """Start the guardian; the bots' errors are kept in the nursery.

        Raises:
            RoomTrouble: the machine cannot start any program now.
        """
        self.clock = RoomClock()
        self._nursery = nursery
        self._family = secrets.token_hex(8)
        self._guard = _guardian_started(self._family)
        self._count = 0
        self._running: set[BotProcess] = set()

    def start(self, entrant: Entrant) -> BotProcess:
        """Start a bot; see `BotProcess`."""
        self._count += 1
        with self.clock.stopped():
            bot = BotProcess(entrant, f"{self._family}-{self._count}", self.clock)
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

    def end_all(self) -> None:
        """End all bots."""
        for bot in tuple(self._running):
            self.end(bot)

    async def watch(self) -> None:
        """Look at the clocks of all bots, and after the guardian, for ever.

        Raises:
            RoomTrouble: the guardian has died, and the machine cannot start another.
        """
        while True:
            await trio.sleep(TICK_SECONDS)
            for bot in tuple(self._running):
                bot.look_at_clock()
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
        raise RoomTrouble(f"the guardian process cannot be started: {wrong.strerror}") from None


@asynccontextmanager
async def open_room() -> AsyncIterator[Room]:
    """Open a room for bots: none of them outlives it, however it is left.

    Raises:
        RoomTrouble: the machine cannot start any program now.
    """
    async with trio.open_nursery() as nursery:
        room = Room(nursery)
        try:
            nursery.start_soon(room.watch)
            yield room
        finally:
            room.end_all()
            room.dismiss_guardian()
            nursery.cancel_scope.cancel()


async def _wait_exit(pid: int) -> None:
    """Wait until a process has ended, or, where the system does not tell, a little while."""
    try:
        descriptor = os.pidfd_open(pid)
    except (AttributeError, OSError):  # not Linux, or no descriptor left
        await trio.sleep(TICK_SECONDS)
        return
    try:
        await trio.lowlevel.wait_readable(descriptor)
    finally:
        os.close(descriptor)


def _started(entrant: Entrant, mark: str) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            entrant.command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=entrant.folder,
            env=_environment(os.environ, mark),
            start_new_session=True,
        )
    except OSError as wrong:
        if wrong.errno in _OUR_TROUBLE:
            raise RoomTrouble(f"bot {entrant.name!r} cannot be started: {wrong.strerror}") from None
        where = f" in {Path(entrant.folder)}" if entrant.folder else ""
        raise CannotStart(f"{entrant.command[0]!r}{where} cannot be run: {wrong.strerror}") from None


def _environment(ours: Mapping[str, str], mark: str) -> dict[str, str]:
    return {**ours, guardian.MARK: f"{mark}="}


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
