"""A bot as a process: in a session and a sandbox of its own, with non-blocking pipes, a due moment, and what it writes to standard error kept.

A read or write is tried first, and parked in the loop only when there is nothing to do: with a quick bot one decision costs one write, one read
and one wait. There is no cancel scope for each decision: `due` is a number, which the room's watchdog looks at.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import subprocess
from math import inf

import trio

from pitboss_tournament.plan.plan import Entrant, SandboxMode
from pitboss_tournament.processes import reaper
from pitboss_tournament.processes.clocks import NO_USAGE, WALL_FACTOR, CpuUsage, LoopClock, Stopwatch
from pitboss_tournament.processes.logs import STDERR_TAIL_BYTES, HeadTailBuffer
from pitboss_tournament.processes.process_tree import CpuGauge
from pitboss_tournament.processes.sandbox import BotLaunch, build_launch
from pitboss_tournament.processes.start_errors import BotStartError, MachineError

READ_BYTES = 65_536
FLOOD_PAUSE_SECONDS = 0.005  # between two full reads of standard error
EXIT_TICK_SECONDS = 0.02  # between two looks, where the system does not tell when a process ends
LATE_READ_GRACE = 6  # looks at which an overdue bot is spared because its answer is lying in the pipe

_MACHINE_ERRNOS = (
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOMEM,
    errno.EAGAIN,
)  # not the bot's: no descriptors, memory or processes left


class BotProcess:
    """A running bot. `due` is the moment of the room's clock at which the watchdog looks whether it is late."""

    def __init__(
        self, entrant: Entrant, mark: str, sandbox: SandboxMode, clock: LoopClock, stderr: HeadTailBuffer
    ) -> None:
        """Start the bot. `errors` takes what it writes to standard error.

        Raises:
            CannotStart: its program cannot be run.
            RoomTrouble: the machine cannot start any program now.
        """
        self.clock = clock
        self.mark = mark
        self.deadline = inf
        self.is_late = False
        self.exit_before_deadline: str | None = None  # how it had ended by itself before the watchdog came
        self.stderr = stderr
        self.stderr_bytes = 0  # that it has written there
        self.oom_bytes = 0  # of memory, when it was ended for holding too much
        self._limits = entrant.limits
        self._limit_seconds = inf
        self._stopwatch: Stopwatch | None = None
        self._gauge: CpuGauge | None = None
        self._has_waited = False
        self._late_seconds = 0.0  # for how long it had been thinking when it was ended for that
        self._grace_checks = 0
        self._is_killed = False
        self._is_closed = False
        self._launch = build_launch(entrant, mark, sandbox)
        self._popen = _spawn_bot(entrant, self._launch)
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self._stdin_fd = self._popen.stdin.fileno()
        self._stdout_fd = self._popen.stdout.fileno()
        self._stderr_fd = self._popen.stderr.fileno()
        for descriptor in (self._stdin_fd, self._stdout_fd, self._stderr_fd):
            os.set_blocking(descriptor, False)
        self._stdout_poll = select.poll()
        self._stdout_poll.register(self._stdout_fd, select.POLLIN)

    @property
    def pid(self) -> int:
        """The process id, which is also that of its group and session."""
        return self._popen.pid

    def is_running(self) -> bool:
        """Tell whether the bot's own process still lives."""
        return self._popen.poll() is None

    def _exit_status(self) -> int | None:
        """Return the status with which the bot ended, the number of a signal negative; None while it lives."""
        code = self._popen.poll()
        return None if code is None else self._launch.bot_status(code)

    def has_exited_cleanly(self) -> bool:
        """Tell whether the bot's own process has ended as programs do that are content."""
        return self._popen.poll() == 0

    def has_output(self) -> bool:
        """Tell whether something that it wrote waits to be read."""
        ready = self._stdout_poll.poll(0)
        return bool(ready) and bool(ready[0][1] & select.POLLIN)

    def exit_text(self) -> str:
        """Say how the process ended, in words."""
        code = self._exit_status()
        if code is None:
            return "closed its pipe and lives on"
        return f"exited with status {code}" if code >= 0 else f"was ended by signal {_signal_name(-code)}"

    def has_exec_failed(self) -> bool:
        """Tell whether the sandbox or the limits were set up, but the program then could not be run."""
        code = self._popen.poll()
        return code is not None and self._launch.is_exec_failure(code)

    def sandbox_error(self) -> str | None:
        """Say what hinders this machine from making the bot's sandbox, if anything does: asked when a bot ended before it ever spoke."""
        return self._launch.sandbox_error() if self._popen.poll() else None

    def stderr_tail(self) -> str:
        """Return the end of what it wrote to standard error."""
        self._read_stderr()
        return self.stderr.tail(STDERR_TAIL_BYTES).decode("utf-8", "backslashreplace")

    def runnable_seconds(self) -> float:
        """Return the seconds of processor time that the bot has used, and waited for; 0 where the system does not tell."""
        return sum(self._gauge.read()) if self._gauge else 0.0

    def usage(self) -> CpuUsage:
        """Return what the bot has spent on the question that it was asked."""
        return self._stopwatch.usage() if self._stopwatch else NO_USAGE

    def attach_gauge(self) -> None:
        """Find the bot's own process, now that it has spoken, so that its processor time can be read."""
        own = self._launch.program_pid(self.pid)
        self._gauge = None if own is None else CpuGauge(own)

    def start_question(self, limit_seconds: float) -> None:
        """Start the clock of a question."""
        self._stopwatch = Stopwatch(self.clock, self._gauge)
        self._limit_seconds = limit_seconds
        self.deadline = self.clock.now() + limit_seconds

    def settle_question(self) -> tuple[float, float]:
        """Stop the clock of the question; return for how many seconds the bot is billed, and how late the runner was."""
        assert self._stopwatch
        self.deadline = inf
        billed = (self._late_seconds, 0.0) if self.is_late else self._stopwatch.settle(self._has_waited)
        self._stopwatch = None
        return billed

    async def send(self, line: bytes) -> bool:
        """Write a line; tell whether it could be written (False: the bot is gone, or was ended by the watchdog)."""
        try:
            while True:
                try:
                    written = os.write(self._stdin_fd, line)
                except BlockingIOError:
                    if self._is_killed:
                        return False
                    await trio.lowlevel.wait_writable(self._stdin_fd)
                    continue
                if written == len(line):
                    return True
                line = line[written:]
        except (BrokenPipeError, trio.ClosedResourceError):
            return False

    async def receive(self) -> bytes:
        """Return what the bot wrote, as soon as there is anything; nothing at the end (or when the watchdog ended it)."""
        self._has_waited = False
        while True:
            try:
                return os.read(self._stdout_fd, READ_BYTES)
            except BlockingIOError:
                if self._is_killed:  # somebody who left its process group may hold the pipe open for ever
                    return b""
            except OSError:
                return b""
            try:
                self._has_waited = True
                await trio.lowlevel.wait_readable(self._stdout_fd)
            except trio.ClosedResourceError:
                return b""

    def check_deadline(self) -> None:
        """End the bot if it is overdue, unless its answer is already lying there and only we are late in reading it."""
        now = self.clock.now()
        if now <= self.deadline:
            self._grace_checks = 0
            return
        if self._stopwatch and self._stopwatch.wall() < WALL_FACTOR * self._limit_seconds:
            left = self._limit_seconds - self._stopwatch.billed_so_far()
            if left > 0:  # the machine took that much of its time away
                self.deadline = now + left
                return
        self._grace_checks += 1
        if self._grace_checks <= LATE_READ_GRACE and self.has_output():
            return
        self.is_late = True
        self._late_seconds = self._stopwatch.billed_so_far() if self._stopwatch else 0.0
        self.exit_before_deadline = None if self.is_running() else self.exit_text()
        self.kill()

    def check_memory(self) -> None:
        """End the bot if all its processes together hold more memory than is allowed."""
        if self._is_killed or not self.is_running():
            return
        allowed = self._limits.memory_mb << 20
        held = self._launch.memory_bytes(self.pid, allowed)
        if held > allowed:
            self.oom_bytes = held
            self.kill()

    def kill(self) -> None:
        """End the bot's processes, and wake whoever waits for it."""
        self.deadline = inf
        self._is_killed = True
        self._launch.kill_init()
        reaper.kill(self.pid, whole_group=True)
        for stream in (self._popen.stdin, self._popen.stdout):
            if stream and not stream.closed:
                trio.lowlevel.notify_closing(stream)

    async def wait_exit(self) -> None:
        """Wait until the bot's own process has ended."""
        while self.is_running():
            await _wait_pid_exit(self.pid)

    def close_stdin(self) -> None:
        """Close the bot's input."""
        if self._popen.stdin and not self._popen.stdin.closed:
            trio.lowlevel.notify_closing(self._stdin_fd)
            self._popen.stdin.close()

    async def drain_stderr(self) -> None:
        """Read standard error as it comes, so that it never fills up; but no faster than a person could want it written."""
        while not self._is_closed:
            before = self.stderr_bytes
            if not self._read_stderr():
                return
            if self.stderr_bytes - before == READ_BYTES:
                await trio.sleep(FLOOD_PAUSE_SECONDS)
                continue  # it may have been closed meanwhile
            try:
                await trio.lowlevel.wait_readable(self._stderr_fd)
            except trio.ClosedResourceError:
                return

    def close(self) -> None:
        """End the bot, whatever it has started and wherever that has moved to, and give all descriptors back."""
        if self._is_closed:
            return
        self.kill()
        self._popen.wait()  # it has been killed: this does not last
        reaper.kill_marked(f"{self.mark}=")
        self._read_stderr()
        self._is_closed = True
        trio.lowlevel.notify_closing(self._stderr_fd)
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if stream:
                stream.close()
        if self._gauge:
            self._gauge.close()
        self._launch.close()

    def _read_stderr(self) -> bool:
        """Take what there is of standard error; tell whether more may come."""
        if self._is_closed:  # the number may be another file's by now
            return False
        try:
            part = os.read(self._stderr_fd, READ_BYTES)
        except BlockingIOError:
            return True
        self.stderr.append(part)
        self.stderr_bytes += len(part)
        return bool(part)


async def _wait_pid_exit(pid: int) -> None:
    """Wait until a process has ended, or, where the system does not tell, a little while."""
    try:
        descriptor = os.pidfd_open(pid)
    except (AttributeError, OSError):  # not Linux, or no descriptor left
        await trio.sleep(EXIT_TICK_SECONDS)
        return
    try:
        await trio.lowlevel.wait_readable(descriptor)
    finally:
        os.close(descriptor)


def _spawn_bot(entrant: Entrant, launch: BotLaunch) -> subprocess.Popen[bytes]:
    try:
        popen = subprocess.Popen(
            launch.argv,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=launch.folder,
            env=launch.env,
            pass_fds=launch.pass_fds,
            start_new_session=True,
        )
    except OSError as wrong:
        launch.close()
        if wrong.errno in _MACHINE_ERRNOS:
            raise MachineError(f"bot {entrant.name!r} cannot be started: {wrong.strerror}", "no_process") from None
        where = f" in {entrant.folder}" if entrant.folder else ""
        raise BotStartError(f"{entrant.command[0]!r}{where} cannot be run: {wrong.strerror}") from None
    launch.watch_tree(popen.pid)
    return popen


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
