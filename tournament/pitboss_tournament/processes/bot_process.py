"""A bot as a process: a session and a sandbox of its own, non-blocking pipes, a timer, and its standard error.

A write is tried first, and waits in the loop only if it would block. Where one bot computes at a time, one whose last
answer was quick is given a moment to answer at once, in which the loop stands still: to wait in the loop would cost
as much as the rest of a decision. Where runner and bot share a processor, a yield is such a moment, and cheaper than a
wait with a limit, which arms a timer. Beside a foreign process a yield costs a time slice; so yields are left out for a
while after one that brought no answer, or a late one. There is no cancel scope per decision: the supervisor's watchdog
compares deadlines.

`Popen` is called in the main thread. trio's `open_process` would call it in a helper thread, and the death signal
(`setpriv --pdeathsig`) is sent when the thread that forked ends.

In the time in which a bot is not asked (its rest), one that computes is frozen until its next line is sent. What the
kernel's log says tells whether it has killed a bot because memory was used up; of a system that does not let this user
read the log nothing is known.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from math import inf
from typing import Final

import trio

from pitboss.errors import PitbossError
from pitboss_tournament.plan.limits import MEBIBYTE
from pitboss_tournament.plan.plan import Entrant, SandboxLevel
from pitboss_tournament.processes import reaper
from pitboss_tournament.processes.bot_launch import BotLaunch
from pitboss_tournament.processes.cgroups import ControlGroup, find_group_parents
from pitboss_tournament.processes.clocks import LoopClock, QuestionTimer
from pitboss_tournament.processes.cpu import BotGauge
from pitboss_tournament.processes.logs import STDERR_TAIL_BYTES, HeadTailBuffer
from pitboss_tournament.processes.memory_folder import open_memory
from pitboss_tournament.processes.pipe_ends import open_reading_end, open_writing_end
from pitboss_tournament.processes.process_tree import ProcessTree, memory_bytes
from pitboss_tournament.processes.reaper import IS_POSIX, KILL_SIGNAL
from pitboss_tournament.processes.sandbox import MODEL_VARIABLE, build_launch
from pitboss_tournament.processes.start_errors import BotStartError, MachineError

BOT_READ_BYTES = 65_536
QUICK_MS = 1  # a quick bot is waited for so long without the loop
YIELD_SECONDS: Final = 0.0003  # an answer that took longer: the yield has given a time slice to a foreign process
SKIPPED_YIELDS: Final = 300  # answers of a bot that are waited for without a yield after such a one
GIVE_WAY: Final = getattr(os, "sched_yield", None)  # Windows has none
GLANCE_SECONDS = 0.0001  # between two looks at a quick bot that is not at rest yet,
SETTLE_TICK_SECONDS = 0.001  # and at any other
FLOOD_PAUSE_SECONDS = 0.005  # between two full reads of standard error
EXIT_TICK_SECONDS = 0.02  # between two looks, where the system does not report the end of a process

REST_SECONDS: Final = 0.01  # of CPU time for what is left to do after an answer; a bot that computes longer ponders
NEWS_SECONDS: Final = 0.1  # the same, after a game has ended: a Python that prints a traceback needs 20 ms

KERNEL_LOG: Final = "/dev/kmsg"
LOG_RECORD_BYTES: Final = 8_192  # the longest record that the kernel gives
CLOCK_SECONDS: Final = 60.0  # the most by which the clock of the log differs from the monotonic one

_KILL: Final = re.compile(rb"^\d+,\d+,(\d+),.*?Killed process (\d+) .*?anon-rss:(\d+)kB.*?shmem-rss:(\d+)kB")

# not the bot's fault: no descriptors, memory or processes left
_MACHINE_ERRNOS: Final = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN)


class BotProcess:
    """A running bot."""

    def __init__(
        self, entrant: Entrant, mark: str, sandbox: SandboxLevel, clock: LoopClock, stderr: HeadTailBuffer
    ) -> None:
        """Start the bot. `mark` is in the environment of all its processes; `stderr` receives its standard error.

        Raises:
            BotStartError: its program cannot be run.
            MachineError: the machine cannot start any program now.
        """
        self.timer = QuestionTimer(clock)
        self.mark = mark
        self.exit_before_deadline: str | None = None  # how it had exited before the watchdog noticed
        self.stderr = stderr
        self.stderr_bytes = 0  # written there so far
        self.sent_bytes = 0  # written to its input so far
        self.held_bytes = 0  # memory of all its processes, when the watchdog looked last
        self._cpu_limit = entrant.limits.cpu_s
        self._computed_before = 0.0  # this game
        self.has_overcomputed = False  # it was killed because it computed for too long in this game
        self.has_overfilled = False  # it was killed because its memory folder held more than it may
        self._is_refused_memory = False  # the system has killed a process at the limit of the control group
        self.has_waited = False  # in the loop, for the output that was read last
        self.is_quick = False  # its last answer came within QUICK_MS, and no other bot may compute at the same time
        self._skipped_yields = 0  # answers that are still waited for without a yield
        self._clock = clock
        self._memory_limit = entrant.limits.memory_mb * MEBIBYTE
        self._is_killed = False
        self._is_closed = False
        self.model_socket: trio.socket.SocketType | None = None  # on which the bot asks its model
        self._memory_folder = open_memory(entrant, sandbox)
        self.group = ControlGroup(mark, find_group_parents())
        try:
            self.group.limit_memory(self._memory_limit)
            self._launch = build_launch(entrant, mark, sandbox, self.group)
            self._popen = self._spawn(entrant)
        except PitbossError:
            self.group.remove()
            raise
        self._began = time.monotonic()
        self.pid = self._popen.pid  # also that of its group and session
        self._tree = ProcessTree(self.pid, self._launch.layers)
        self.rest = BotRest(self.timer, self.group, self._tree)
        has_begun = self._tree.has_begun if self._launch.filter else (lambda: True)
        self.timer.attach_gauge(BotGauge(self._list_pids, self.group.computed_seconds, has_begun))
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        with self._popen.stdin as inlet, self._popen.stdout as outlet, self._popen.stderr as complaints:
            self._stdin = open_writing_end(os.dup(inlet.fileno()))
            self._stdout = open_reading_end(os.dup(outlet.fileno()))
            self._stderr = open_reading_end(os.dup(complaints.fileno()))
        self.has_output = self._stdout.has_input  # whether unread output is waiting

    def _spawn(self, entrant: Entrant) -> subprocess.Popen[bytes]:
        """Start the program, with one end of a socket pair if the bot has a model to ask."""
        if entrant.model is None:
            return spawn_bot(entrant, self._launch)
        if not IS_POSIX:
            raise BotStartError("it asks a language model through an inherited socket, which this system does not have")
        ours, theirs = socket.socketpair()
        with theirs:
            self._launch = self._launch.pass_on(MODEL_VARIABLE, theirs.fileno())
            popen = spawn_bot(entrant, self._launch)
        self.model_socket = trio.socket.from_stdlib_socket(ours)
        return popen

    def is_running(self) -> bool:
        """Tell whether the bot's own process is running."""
        return self._popen.poll() is None

    def has_exited_cleanly(self) -> bool:
        """Tell whether the bot's process has exited with status 0."""
        return self._popen.poll() == 0

    def exit_text(self) -> str:
        """Describe how the process ended."""
        code = self._popen.poll()
        if code is None:
            return "closed its pipe and lives on"
        status = self._launch.bot_status(code)
        return f"exited with status {status}" if status >= 0 else f"was ended by signal {_signal_name(-status)}"

    def has_exec_failed(self) -> bool:
        """Tell whether sandbox and limits were set up but the program could not be executed."""
        code = self._popen.poll()
        return code is not None and self._launch.is_exec_failure(code)

    def sandbox_error(self) -> str | None:
        """Return why this machine cannot make the sandbox of a bot that has ended, None if it can."""
        failure = self._launch.try_sandbox() if self._popen.poll() else None
        return failure.text if failure else None

    def stderr_tail(self) -> str:
        """Return the end of its standard error."""
        self._read_stderr()
        return self.stderr.tail(STDERR_TAIL_BYTES).decode("utf-8", "backslashreplace")

    def attach_gauge(self) -> None:
        """Read the CPU times of the bot's processes as they are now; its program runs once the bot has spoken."""
        self.timer.attach_gauge(BotGauge(self._list_pids, self.group.computed_seconds))

    def attach_memory_folder(self) -> None:
        """Hold on to the bot's memory, if it has one; its sandbox is there once the bot has spoken.

        Raises:
            MachineError: there is no way to it.
        """
        if self._memory_folder:
            self._memory_folder.attach(self._tree.init_pid())

    def _list_pids(self) -> list[int]:
        pids = self.group.pids()
        return self._tree.pids() if pids is None else pids

    async def wait_settled(self) -> None:
        """Wait until the bot waits for its next line, or has ended, and read what it has written to standard error.

        Returns early for a bot that exceeds its rest allowance.
        """
        allowed = inf
        glances = round(QUICK_MS / 1000 / GLANCE_SECONDS) if self.is_quick else 0
        read_before = -1
        while read_before < self.stderr_bytes:  # what it writes may wait for the pipe to be read
            read_before = self.stderr_bytes
            while not self.rest.is_frozen and self.timer.is_runnable():
                computed = self.timer.computed_seconds(exactly=False)
                if allowed == inf:
                    allowed = computed + self.rest.allowed
                elif computed >= allowed:
                    self._read_stderr()
                    return
                if glances:
                    glances -= 1
                    self.stand_still()
                else:
                    await trio.sleep(SETTLE_TICK_SECONDS)
            self._read_stderr()

    def stand_still(self) -> None:
        """Leave the CPU to a quick bot; the loop stands still."""
        time.sleep(GLANCE_SECONDS)
        self._clock.note_times()

    def unread_bytes(self) -> int:
        """Return how many of the bytes sent to it the bot has not read; 0 where the system does not tell."""
        return self._stdin.unread_bytes()

    def send_now(self, line: bytes) -> bytes | None:
        """Write as much of a line as the pipe takes; return what is left, None if the bot is gone."""
        self.rest.end()
        try:
            sent = self._stdin.write(line)
        except BlockingIOError:
            return line
        except BrokenPipeError:
            return None
        self.sent_bytes += sent
        return line[sent:]

    async def send(self, line: bytes) -> bool:
        """Write a line; False if the bot is gone or was killed."""
        left = self.send_now(line)
        while left:
            if self._is_killed:
                return False
            try:
                await self._stdin.wait_writable()
            except trio.ClosedResourceError:
                return False
            left = self.send_now(left)
        return left is not None

    def receive_soon(self) -> bytes | None:
        """Return the output of a quick bot if it comes within QUICK_MS; None if not, or if it is not a quick one."""
        self.has_waited = False
        if not self.is_quick:
            return None
        if self._skipped_yields:
            self._skipped_yields -= 1
        elif GIVE_WAY is not None:
            GIVE_WAY()
            if (part := self.receive_now()) is not None:
                return part
            self._skipped_yields = SKIPPED_YIELDS
            self._clock.note_times()
            self.timer.note_silence()  # whatever the runner has waited in the yield
        if self._stdout.wait_input(QUICK_MS):
            return self.receive_now()
        self._clock.note_times()
        if (part := self.receive_now()) is None:
            self.timer.note_silence()
        return part

    def note_answer(self, seconds: float, *, is_alone: bool) -> None:
        """Note how long an answer took; `is_alone`: no other bot may compute at the same time."""
        self.is_quick = is_alone and seconds < QUICK_MS / 1000
        if seconds > YIELD_SECONDS:
            self._skipped_yields = SKIPPED_YIELDS

    def receive_now(self) -> bytes | None:
        """Return the output that is there; None if there is none, b"" at the end of file, or after it was killed."""
        try:
            return self._stdout.read(BOT_READ_BYTES)
        except BlockingIOError:
            return b"" if self._is_killed else None  # a process that left its group may hold the pipe open for ever
        except OSError:
            return b""

    async def receive(self) -> bytes:
        """Return the next output of the bot; b"" at the end of file, or after it was killed."""
        self.has_waited = False
        while (part := self.receive_now()) is None:
            self.has_waited = True
            try:
                await self._stdout.wait_readable()
            except trio.ClosedResourceError:
                return b""
        return part

    def check_deadline(self) -> None:
        """Kill an overdue bot, unless its answer is already in the pipe and only the runner is late."""
        if self.timer.check_deadline(self.has_output):
            self.exit_before_deadline = None if self.is_running() else self.exit_text()
            self.kill()

    def check_memory(self) -> None:
        """Kill the bot if its processes together hold more memory than is allowed, or asked for more.

        The bot's own process may have ended: its children can hold the pipes open, and answer.
        """
        if self._is_killed:
            return
        if self.is_running():
            self.held_bytes = self._tree.memory_bytes(self._memory_limit)
        elif left := self.group.pids():
            self.held_bytes = memory_bytes(left, self._memory_limit)
        if self.memory_excess():
            self.kill()

    def begin_game(self) -> None:
        """Count what the bot computes from here on for a new game."""
        self._computed_before = self.timer.read_between_questions()

    def count_computing_from(self, computed_s: float) -> None:
        """Count for the games in play what the bot computes beyond these seconds since its start."""
        self._computed_before = computed_s

    def check_computing(self) -> None:
        """Kill the bot if its processes have computed longer in this game than is allowed."""
        if not self._is_killed and self.computed_in_game() > self._cpu_limit:
            self.has_overcomputed = True
            self.kill()

    def computed_in_game(self) -> float:
        """Return the seconds that the bot's processes have computed in this game; in the first one, since its start."""
        return self.timer.computed_seconds(exactly=True) - self._computed_before

    def folder_excess(self) -> str | None:
        """Return in what the bot's memory folder, or its temporary one, exceeds its bounds; None if in nothing."""
        excess = self._memory_folder.find_excess() if self._memory_folder else None
        return excess or self._launch.temporary_excess()

    def check_memory_folder(self) -> None:
        """Kill a sandboxed bot whose memory folder, or temporary folder, holds more than it may."""
        if self._launch.is_sandboxed and not self._is_killed and self.folder_excess():
            self.has_overfilled = True
            self.kill()

    def memory_excess(self) -> str | None:
        """Return what the bot's processes did with memory beyond the limit, None if they have kept to it."""
        self._is_refused_memory = self._is_refused_memory or self.group.has_run_out_of_memory()
        if self.held_bytes > self._memory_limit:
            return f"held {self.held_bytes // MEBIBYTE:,} MiB of memory"
        return "asked for more memory than there is for them" if self._is_refused_memory else None

    def was_killed_for_others(self) -> bool:
        """Tell whether the system has killed the bot for want of memory, although it has kept to its own limit.

        Its control group tells so, or, where none limits its memory, the kernel's log.
        """
        if self._is_killed or self.is_running() or self._launch.bot_status(self._popen.poll() or 0) != -KILL_SIGNAL:
            return False
        if self.group.limits_memory:
            return self.group.has_lost_process()
        held = find_oom_kill(self._tree.seen_pids, self._began)
        return held is not None and max(held, self.held_bytes) <= self._memory_limit

    def kill(self) -> None:
        """Kill the bot's processes, and wake the tasks that wait for its pipes."""
        self.timer.deadline = inf
        self._is_killed = True
        self.memory_excess()  # while there is a group to tell
        self.group.kill()
        self._tree.kill_init()
        reaper.kill(self.pid, whole_group=True)
        self._stdin.wake()
        self._stdout.wake()

    async def wait_exit(self) -> None:
        """Wait until the bot's own process has exited."""
        while self.is_running():
            try:
                descriptor = os.pidfd_open(self.pid)
            except (AttributeError, OSError):  # not Linux, or no descriptor left
                await trio.sleep(EXIT_TICK_SECONDS)
                continue
            try:
                await trio.lowlevel.wait_readable(descriptor)
            finally:
                os.close(descriptor)

    def close_stdin(self) -> None:
        """Close the bot's input."""
        self._stdin.close()

    async def drain_stderr(self) -> None:
        """Read standard error until it ends, so that the pipe never fills up; a flood is slowed down."""
        while not self._is_closed:
            before = self.stderr_bytes
            if not self._read_stderr():
                return
            if self.stderr_bytes - before == BOT_READ_BYTES:
                await trio.sleep(FLOOD_PAUSE_SECONDS)
                continue  # the process may have been closed meanwhile
            try:
                await self._stderr.wait_readable()
            except trio.ClosedResourceError:
                return

    def close(self, *, adopts_orphans: bool = False) -> None:
        """Kill the bot and all its descendants, wherever they have moved to, and give the descriptors back.

        Nobody leaves a sandbox, nor its control group: the end of one of them proves that nothing is left. Otherwise
        all processes of the machine are looked through, unless this process `adopts_orphans` and the caller kills them:
        those of a bot that has ended are all that can be left of it.
        """
        if self._is_closed:
            return
        self.kill()
        self._popen.wait()  # short: it has been killed
        is_gone = self.group.remove()
        if not (self._launch.layers and (is_gone or self._tree.wait_init_end())):
            if not adopts_orphans:
                reaper.kill_marked(self.mark.__eq__)
            self.group.remove()
        self._launch.remove_temporary()
        self._read_stderr()
        if self._memory_folder and (why := self._memory_folder.keep()):
            self.stderr.append(f"[its memory stays what it was: {why}]\n".encode())
        self._is_closed = True
        for pipe in (self._stdin, self._stdout, self._stderr):
            pipe.close()
        if self.model_socket is not None:
            self.model_socket.close()
        self.timer.close()

    def _read_stderr(self) -> bool:
        """Read what is available of standard error; tell whether more may come."""
        if self._is_closed:  # the descriptor may belong to another file by now
            return False
        try:
            part = self._stderr.read(BOT_READ_BYTES)
        except BlockingIOError:
            return True
        self.stderr.append(part)
        self.stderr_bytes += len(part)
        return bool(part)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


class BotRest:
    """Freezes a bot that computes between its answer and its next question: by its control group, or by signals.

    A bot may compute for `allowed` seconds of processor time first; one that has used more in an earlier rest is frozen
    as soon as a rest begins.
    """

    def __init__(self, timer: QuestionTimer, group: ControlGroup, tree: ProcessTree) -> None:
        self.is_frozen = False
        self.allowed = REST_SECONDS  # what it may compute in this rest
        self._timer = timer
        self._group = group
        self._tree = tree
        self._is_on = self._has_pondered = False
        self._computed_first: float | None = None  # what it had computed at the first look

    def begin(self, *, has_news: bool = False) -> None:
        """Begin a rest; a bot that `has_news` to take in is not frozen at once, and may compute longer."""
        self._is_on = True
        self._computed_first = None
        self.allowed = NEWS_SECONDS if has_news else REST_SECONDS
        if self._has_pondered and not has_news:
            self._set_frozen(True)

    def check(self, *, exactly: bool) -> None:
        """Freeze a bot that computes while it rests; `exactly`: look for new processes, too."""
        if self.is_frozen or not self._is_on:
            return
        computed = self._timer.computed_seconds(exactly=exactly)
        if self._computed_first is None:
            self._computed_first = computed
        elif computed - self._computed_first > self.allowed:
            self._has_pondered = True
            self._set_frozen(True)

    def end(self) -> None:
        """Let the bot compute."""
        self._is_on = False
        if self.is_frozen:
            self._set_frozen(False)

    def _set_frozen(self, is_frozen: bool) -> None:
        self.is_frozen = is_frozen
        if self._group.can_freeze:
            self._group.set_frozen(is_frozen)
        elif IS_POSIX:
            self._tree.signal(signal.SIGSTOP if is_frozen else signal.SIGCONT)


def find_oom_kill(pids: Collection[int], since: float, records: Iterable[bytes] | None = None) -> int | None:
    """Return the bytes that one of these processes held when the kernel killed it; None if it killed none of them.

    `since`: a monotonic time, from which on records count; `records`: of the log, by default of this machine's.
    """
    for record in read_kernel_log() if records is None else records:
        if kill := _KILL.match(record):
            microseconds, pid, anonymous, shared = map(int, kill.groups())
            if pid in pids and microseconds / 1e6 > since - CLOCK_SECONDS:
                return (anonymous + shared) * 1024
    return None


def read_kernel_log() -> Iterator[bytes]:
    """Yield the records of the kernel's log; none if this user may not read it."""
    with suppress(OSError):
        log = os.open(KERNEL_LOG, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            while True:
                with suppress(BrokenPipeError):  # it was overwritten meanwhile: go on with the oldest there is
                    yield os.read(log, LOG_RECORD_BYTES)
        except BlockingIOError:
            return
        finally:
            os.close(log)


def spawn_bot(entrant: Entrant, launch: BotLaunch) -> subprocess.Popen[bytes]:
    """Start a bot.

    Raises:
        BotStartError: its program cannot be run.
        MachineError: the machine cannot start any program now.
    """
    try:
        return launch.start()
    except OSError as error:
        if error.errno in _MACHINE_ERRNOS:
            raise MachineError(f"bot {entrant.name!r} cannot be started: {error.strerror}", "no_process") from None
        where = f" in {entrant.folder}" if entrant.folder else ""
        raise BotStartError(f"{entrant.command[0]!r}{where} cannot be run: {error.strerror}") from None
    except ValueError as error:  # a word that no program can be given
        raise BotStartError(f"its command {list(entrant.command)!r} cannot be run: {error}") from None
