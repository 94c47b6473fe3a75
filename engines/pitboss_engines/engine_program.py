"""A program that answers lines on its standard input by lines on its standard output: one started process of it.

Several lines may be sent at once; the program answers each in its turn. Whatever goes wrong is an `EngineFailed`, and
ends the program: it says what was sent, what came, and how the program's standard error ends.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import Final, NoReturn

from pitboss.errors import EngineFailed
from pitboss.foreign.started_programs import forget_program, note_program
from pitboss.text import make_safe_line, truncate_text

MAX_LINE_BYTES: Final = 1 << 20  # of an answer
PIPE_CHUNK_BYTES: Final = 1 << 16
KEPT_ERROR_BYTES: Final = 2_000  # of the program's standard error: its end
QUOTED: Final = 300  # characters of what was sent, came, or was said
LAST_WORDS_S: Final = 0.5  # how long a program that has gone wrong may take to end by itself


class EngineProgram:
    """A process of the program, and its numbered states. Threads may share it; a process that is forked may not."""

    def __init__(self, name: Sequence[str], command: Sequence[str], folder: Path, answer_seconds: float) -> None:
        """Start the program by a command in a folder; errors call it `name`.

        Raises:
            EngineFailed: it cannot be started.
        """
        self._command, self._answer_seconds = " ".join(name), answer_seconds
        self.failure = ""  # why no more can be asked
        self.dropped: deque[int] = deque()  # numbers of states that nobody needs any more; appended to at any moment
        self._numbers = count(1)
        self._lock = RLock()
        self._unsent, self._unread, self._said = b"", bytearray(), bytearray()
        self._written: list[int] = []  # what was written of the unsent bytes
        self._came: list[bytes] = []  # what was read and is not among the unread bytes yet; b"": the end
        self._owed = 0  # answers to what was sent
        self._is_polled_for_writing = False
        if not hasattr(select, "poll"):
            raise EngineFailed(f"the program {self._command!r} cannot be asked: this system has no poll for pipes")
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                start_new_session=True,  # Ctrl-C is for Pitboss alone
            )
        except (OSError, ValueError) as error:
            what = f"the program {self._command!r} cannot be started in {str(folder)!r}: {error}"
            raise EngineFailed(what) from None
        note_program(os.getpid(), self._process.pid)
        pipes = _take_pipes(self._process)
        self._stdin, self._stdout, self._stderr = pipes
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)
        self._end = weakref.finalize(self, _end_process, self._process, pipes, os.getpid())

    def number_state(self) -> int:
        """Return a number that no state has had."""
        return next(self._numbers)

    def ask(self, lines: Sequence[bytes]) -> list[bytes]:
        """Send lines, each without its end; return the answer to each.

        An exception that another part of this process raises meanwhile (a time limit, Ctrl-C) leaves the program in
        order: answers that are still to come are skipped later.

        Raises:
            EngineFailed: the program ended, was silent for too long, or wrote more than it was asked for.
        """
        with self._lock:
            if self.failure:
                raise EngineFailed(self.failure)
            self._drop_written()
            self._take_came()
            if not self._owed and self._poll.poll(0):
                self._read_pipes()
            if self._unread.count(b"\n") > self._owed:
                self._fail("wrote a line that it was not asked for", lines, bytes(self._unread))
            skipped, count, sent = self._owed, len(lines), b"".join([line + b"\n" for line in lines])
            self._owed += count
            self._unsent += sent  # nothing is called between these two
            answers = self._collect_answers(lines, skipped)
            if self._unread and not self._owed:
                self._fail("wrote more than it was asked for", lines, bytes(self._unread))
            return answers

    def close(self) -> None:
        """End the program."""
        self.failure = self.failure or f"the program {self._command!r} was ended"
        self._end()

    def refuse(self, what: str, line: bytes = b"", answer: bytes = b"") -> NoReturn:
        """End the program because of an answer.

        Raises:
            EngineFailed: `what`, which goes on after "the program …".
        """
        self._fail(what, [line] if line else [], answer)

    def _collect_answers(self, lines: Sequence[bytes], skipped: int) -> list[bytes]:
        """Send and read until all lines are answered; the first answers are to lines that were broken off."""
        answers: list[bytes] = []
        deadline = monotonic() + self._answer_seconds
        while True:
            self._write_pipe()
            while self._owed and (end := self._unread.find(b"\n")) >= 0:
                answer = bytes(self._unread[:end])
                del self._unread[: end + 1]  # no signal is handled between these two
                self._owed -= 1
                deadline = monotonic() + self._answer_seconds
                if skipped:
                    skipped -= 1
                else:
                    answers.append(answer)
            if not self._owed:
                return answers
            if len(self._unread) > MAX_LINE_BYTES:
                asked = lines[len(answers) :]
                self._fail(f"wrote a line of more than {MAX_LINE_BYTES:,} bytes", asked, bytes(self._unread))
            if not self._wait(deadline - monotonic()):
                asked = lines[len(answers) :]
                self._fail(f"gave no answer for {self._answer_seconds:g} s", asked, bytes(self._unread))
            if not self._read_pipes():
                self._fail("ended in place of an answer", lines[len(answers) :], bytes(self._unread))

    def _wait(self, seconds: float) -> bool:
        """Wait until bytes can be read, or written if there are any; return whether they can."""
        if self._unsent:
            self._poll.register(self._stdin, select.POLLOUT)
        elif self._is_polled_for_writing:
            self._poll.unregister(self._stdin)
        self._is_polled_for_writing = bool(self._unsent)
        return bool(self._poll.poll(max(0.0, seconds) * 1000))

    def _write_pipe(self) -> None:
        """Write what the pipe takes; what a program that has ended does not read is told by the end of its output.

        `extend` of a `map` is one step of the interpreter: no signal is handled between a write and its count.
        """
        self._drop_written()
        if not self._unsent:
            return
        try:
            self._written.extend(map(os.write, (self._stdin,), (self._unsent[:PIPE_CHUNK_BYTES],)))
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._written.append(len(self._unsent))
        self._drop_written()

    def _drop_written(self) -> None:
        left = self._unsent[sum(self._written) :]
        self._unsent, self._written = left, []  # nothing is called between these two

    def _read_pipes(self) -> bool:
        """Read what is there; return whether the program's standard output goes on."""
        said = _read_pipe(self._stderr)
        if said == b"":
            with suppress(KeyError):  # was unregistered before
                self._poll.unregister(self._stderr)
        elif said:
            self._said += said
            del self._said[:-KEPT_ERROR_BYTES]
        with suppress(BlockingIOError):
            self._came.extend(map(os.read, (self._stdout,), (PIPE_CHUNK_BYTES,)))  # one step, as the write is
        return self._take_came()

    def _take_came(self) -> bool:
        goes_on, came = b"" not in self._came, b"".join(self._came)
        self._unread += came
        self._came = []  # nothing is called between these two
        return goes_on

    def _fail(self, what: str, lines: Sequence[bytes] = (), came: bytes = b"") -> NoReturn:
        """End the program, and say why.

        Raises:
            EngineFailed: always.
        """
        text = f"the program {self._command!r} {what}{self._hear_last_words()}"
        if lines:
            text += f"; sent: {_quote(lines[0])}"
        if came:
            text += f"; came: {_quote(came)}"
        if self._said:
            text += f"; its standard error ends: {_quote(bytes(self._said), at_end=True)}"
        self.failure = text
        self._end()
        raise EngineFailed(text)

    def _hear_last_words(self) -> str:
        """Return how the program has ended, if it has; read the rest of its standard error."""
        with suppress(subprocess.TimeoutExpired):
            if _is_at_end(self._stdout):
                self._process.wait(LAST_WORDS_S)
        while said := _read_pipe(self._stderr):
            self._said += said
            del self._said[:-KEPT_ERROR_BYTES]
        status = self._process.poll()
        if status is None:
            return ""
        return f" ({signal.Signals(-status).name})" if status < 0 else f" (status {status})"


def _read_pipe(pipe: int) -> bytes | None:
    """Return what is there, b"" at the end; None: nothing is there now."""
    try:
        return os.read(pipe, PIPE_CHUNK_BYTES)
    except BlockingIOError:
        return None


def _is_at_end(pipe: int) -> bool:
    """Return whether nothing more will come; what is there is lost."""
    while came := _read_pipe(pipe):
        if len(came) == PIPE_CHUNK_BYTES:
            return False  # a flood
    return came == b""


def _quote(text: bytes, *, at_end: bool = False) -> str:
    """Return a part of bytes as one safe line, cut at its end or at its beginning."""
    line = make_safe_line(text.decode(errors="replace"))
    if at_end and len(line) > QUOTED:
        return f"…{line[-QUOTED:]}"
    return truncate_text(line, QUOTED)


def _take_pipes(process: subprocess.Popen[bytes]) -> list[int]:
    """Return the ends of the pipes of a process, as numbers: objects would close them in each process that is forked.

    There the numbers may be those of other files by then.
    """
    taken = []
    for pipe in (process.stdin, process.stdout, process.stderr):
        assert pipe is not None
        taken.append(os.dup(pipe.fileno()))
        pipe.close()
        os.set_blocking(taken[-1], False)
    return taken


def _end_process(process: subprocess.Popen[bytes], pipes: Sequence[int], starter: int) -> None:
    """Kill the program and what it has started; in a process that was forked, only leave it alone."""
    if os.getpid() != starter:
        process.returncode = 0  # it is not a child of this process
        return
    for pipe in pipes:
        os.close(pipe)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    forget_program(starter, process.pid)
