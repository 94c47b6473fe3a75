"""A person at the keyboard: in a terminal of their own, or with answers in a pipe."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final

from tests.tournament.command_line import (
    COMMAND,
    TIMEOUT_S,
    CommandResult,
    answer_pitboss,
    fork_pitboss,
    wait_for_command,
)

SHORT_GAMES: Final = {  # games that are soon over
    "magpie": ("--against", "house:first", "-o", "turns=3"),
    "racko": ("--against", "house:racko", "-o", "max_rounds=1", "-o", "max_turns=4"),
    "rummy": ("--against", "house:rummy", "-o", "deals=1", "-o", "max_turns=4"),
    "lucky-maker": ("--against", "house:lucky-maker", "--against", "house:first", "-o", "games=1"),
    "ragamaru": ("--against", "house:ragamaru", "--against", "house:first", "-o", "max_turns=100"),
}
MAGPIE: Final = ("magpie", *SHORT_GAMES["magpie"], "--seed", "s", "--store", "x.pitboss")
TERMINAL_VARIABLES: Final = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")  # what the tests' own terminal may have set


def terminal_environment(**more: str) -> dict[str, str]:
    """Return the environment of a terminal that nobody has changed."""
    return {
        **{name: value for name, value in os.environ.items() if name not in TERMINAL_VARIABLES},
        "TERM": "xterm",
        **more,
    }


def play_piped(answers: str, *words: str, cwd: Path, env: dict[str, str] | None = None) -> CommandResult:
    """Run `pitboss play` with these words, and the answers in a pipe."""
    return answer_pitboss(answers, ("play", *words), cwd, env or terminal_environment())


def run_in_terminal(
    *words: str, typed: str = "", columns: int = 80, lines: int = 24, status: int = 0, **env: str
) -> str:
    """Run a command in a terminal of this size, type something there, and return all that stands there at the end.

    If nothing is typed, the command has no input.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    keyboard = os.dup(theirs) if typed else os.open(os.devnull, os.O_RDONLY)
    process = fork_pitboss(words, None, terminal_environment(**env), keyboard, theirs, theirs)
    os.close(keyboard)
    os.close(theirs)
    os.write(ours, typed.encode(errors="surrogateescape"))
    written = b"".join(_read_chunks(ours))
    os.close(ours)
    assert wait_for_command(process, words) == status
    return written.decode(errors="replace").replace("\r\n", "\n")


def _read_chunks(descriptor: int) -> Iterator[bytes]:
    while True:
        try:
            chunk = os.read(descriptor, 65_536)
        except OSError:  # Linux: the other side is closed
            return
        if not chunk:
            return
        yield chunk


class TerminalSession:
    """`pitboss play` in a terminal of its own. Leave the block when it has ended."""

    def __init__(
        self, words: Sequence[str], cwd: Path, columns: int = 80, env: Mapping[str, str] | None = None
    ) -> None:
        self.master, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self.output = ""
        self._read = 0
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._theirs = theirs  # kept open, so that its settings can be looked at
        self._open = [self.master, theirs]
        self.process = subprocess.Popen(
            [*COMMAND, "play", *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=cwd,
            env=terminal_environment(**(env or {})),
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that ^C reaches it
        )

    def __enter__(self) -> TerminalSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        self.close()

    def read_until(self, words: str) -> str:
        """Read until something is said that has not been read before; return all up to there."""
        while (at := self.output.find(words, self._read)) < 0:
            ready, _, _ = select.select([self.master], [], [], TIMEOUT_S)
            assert ready, f"{words!r} was never said; what was said:\n{self.output}"
            self.output += self._decode(os.read(self.master, 65_536)).replace("\r", "")
        heard, self._read = self.output[self._read : at + len(words)], at + len(words)
        return heard

    def press_keys(self, *keys: str) -> None:
        r"""Press keys; "\udcff" is the byte 0xff."""
        os.write(self.master, "".join(keys).encode(errors="surrogateescape"))

    def answer_prompt(self, question: str, *keys: str) -> str:
        """Wait for a question, and answer it; return what was said before."""
        heard = self.read_until(question)
        self.press_keys(*keys, "\n")
        return heard

    def terminal_settings(self) -> list[object]:
        """Return how the terminal is set."""
        return termios.tcgetattr(self._theirs)

    def close(self) -> None:
        """Close the terminal, if it is still open."""
        while self._open:
            os.close(self._open.pop())

    def wait_exit_status(self) -> int:
        """Wait until it has ended, and return its exit status."""
        return self.process.wait(TIMEOUT_S)
