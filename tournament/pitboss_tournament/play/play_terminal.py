"""The person's terminal: writes folded lines of text, reads typed lines in a thread.

The cursor is never moved: all is written line by line, so that screen readers, narrow terminals and pipes can follow.
"""

from __future__ import annotations

import os
import pydoc
import re
import select
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

import trio

from pitboss.game import AnyGame
from pitboss.table.cards import Deck
from pitboss_tournament.text.card_signs import CardSigns, can_show_signs
from pitboss_tournament.text.terminal_text import escape_line, wrap_text

WIDEST_LINE: Final = 100
TYPED_BYTES: Final = 4096
UNDO: Final = ("u", "undo", "\x1b")  # a line that takes a choice back; the last is Escape
_BOLD, _FAULT, _RESET = "\x1b[1m", "\x1b[33m", "\x1b[0m"


class PlayTerminal:
    """The terminal of a person; `is_interactive` if standard input is a keyboard, on which one may mistype.

    Then a choice `needs_confirmation`, unless the person `is_quick`.
    """

    def __init__(self, is_plain: bool = False, is_quick: bool = False) -> None:
        self.is_interactive = sys.stdin.isatty()
        self.needs_confirmation = self.is_interactive and not is_quick
        self.is_terminal = sys.stdout.isatty()
        self._is_dumb = is_plain or not self.is_terminal or os.environ.get("TERM", "dumb") == "dumb"
        self._has_colour = not self._is_dumb and not os.environ.get("NO_COLOR")
        self._has_rules = not self._is_dumb and _can_encode("─")
        self._line_editor = self.is_interactive and not self._is_dumb and _has_line_editor()
        self._buffer = b""  # what was typed and is not yet read
        self._has_input_ended = False
        self._is_closed = False
        self._signs: CardSigns | None = None

    def show_signs(self, game: AnyGame, deck: Deck, names: Sequence[str]) -> None:
        """Show the cards of a game with the signs of their suits from now on, if the terminal can."""
        if not self._is_dumb and can_show_signs():
            self._signs = CardSigns(game, deck, names, has_colour=self._has_colour)

    @property
    def width(self) -> int:
        """The present number of columns, at most `WIDEST_LINE`."""
        return min(shutil.get_terminal_size().columns, WIDEST_LINE)

    @property
    def rows(self) -> int:
        """The number of rows of a menu that leave the table above it in sight."""
        return max(6, shutil.get_terminal_size().lines // 3)

    def say(self, *lines: str) -> None:
        """Write lines of text, folded to the width."""
        self._write(piece for line in lines for piece in self._fold(line))

    def say_command(self, line: str) -> None:
        """Write a command in one piece, so that it can be copied."""
        self._write([f"  {escape_line(line)}"])

    def say_heading(self, line: str) -> None:
        """Write a bold line below a rule or a blank line."""
        rule = ["─" * self.width] if self._has_rules else [""]
        self._write([*rule, *(self._style(piece, _BOLD) for piece in self._fold(line))])

    def warn(self, line: str) -> None:
        """Write a line in the colour of faults."""
        self._write(self._style(piece, _FAULT) for piece in self._fold(line))

    async def show_long_text(self, text: str) -> None:
        """Show a text a page at a time; where there is no pager, the whole text."""
        if self.is_interactive and not self._is_dumb:
            await trio.to_thread.run_sync(pydoc.pager, text)
        else:
            self._write(text.splitlines())

    async def ask(self, question: str) -> str | None:
        """Return the line that the person types; None at the end of the input."""
        *before, last = self._fold(question)
        self._write(before)
        last = re.sub("\x1b\\[[0-9]+m", "", last)  # a line editor would count the letters of a colour
        return await trio.to_thread.run_sync(self._read, f"{last} ", abandon_on_cancel=True)

    def was_undo_typed(self) -> bool:
        """Whether the next line, typed while nothing was asked, is to undo; it is then read.

        Other lines, and the end of the input, are left to the next question.
        """
        while not self._has_input_ended and _is_input_waiting():
            self._read_part()
        line, _, rest = self._buffer.partition(b"\n")
        if line.decode("ascii", "replace").strip().lower() not in UNDO:
            return False
        self._buffer = rest
        return True

    @contextmanager
    def restore_on_exit(self) -> Iterator[None]:
        """Restore the terminal's settings at the end of the block: a line may be half typed."""
        if not self.is_interactive:
            yield
            return
        try:
            import termios  # noqa: PLC0415 - Windows does not have it, and restores its console by itself
        except ImportError:
            yield
            return
        was = termios.tcgetattr(0)
        try:
            yield
        finally:
            with suppress(termios.error, OSError):  # the terminal may be closed
                termios.tcsetattr(0, termios.TCSADRAIN, was)

    def _fold(self, line: str) -> list[str]:
        folded = list(wrap_text(line, self.width)) if line else [""]
        return folded if self._signs is None else [*map(self._signs.show, folded)]

    def _style(self, text: str, style: str) -> str:
        return f"{style}{text}{_RESET}" if self._has_colour else text

    def _write(self, lines: Iterable[str]) -> None:
        if self._is_closed:
            return
        text = "".join(f"{line}\n" for line in lines)
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except OSError:  # the terminal or the pipe has been closed: the game goes on into the journal
            self._is_closed = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def _read(self, question: str) -> str | None:
        try:
            if self._line_editor and not self._buffer and not self._has_input_ended:
                return input(question)
            sys.stdout.write(question)
            sys.stdout.flush()
            return self._next_line()
        except (EOFError, OSError):
            return None

    def _next_line(self) -> str | None:
        """Read the next line of standard input without Python's buffer, which an abandoned thread would keep locked."""
        while b"\n" not in self._buffer and not self._has_input_ended:
            self._read_part()
        if not self._buffer:
            return None
        line, _, self._buffer = self._buffer.partition(b"\n")
        text = line.decode(sys.stdin.encoding or "utf-8", "replace")
        if not self.is_interactive:
            sys.stdout.write(f"{escape_line(text)}\n")  # the transcript shows the answers too
        return text

    def _read_part(self) -> None:
        """Read more of what was typed; a terminal that was closed is the end of the input."""
        part = b""
        with suppress(OSError):
            part = os.read(0, TYPED_BYTES)
        self._buffer += part
        self._has_input_ended = not part


def _is_input_waiting() -> bool:
    """Tell whether input waits to be read; False where the system does not tell (Windows)."""
    return os.name == "posix" and bool(select.select([0], [], [], 0)[0])


def _has_line_editor() -> bool:
    """Whether readline is available; it then edits lines and keeps a history."""
    try:
        import readline  # noqa: PLC0415 - not every Python has it, and it changes the terminal
    except ImportError:
        return False
    readline.set_auto_history(True)
    return True


def _can_encode(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
