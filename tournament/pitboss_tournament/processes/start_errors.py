"""Errors of starting a bot: the bot's (`BotStartError`) or the machine's (`MachineError`)."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, TypeAlias

from pitboss.errors import PitbossError

FIRST_LINE: Final = 128  # bytes of it, which is what the system reads

VoidCause: TypeAlias = Literal["no_process", "no_sandbox", "no_guardian"]


class BotStartError(PitbossError):
    """The bot's program cannot be run at all."""


class MachineError(PitbossError):
    """The machine cannot start a bot or talk to it. No bot is at fault; the game is void and played again."""

    def __init__(self, message: str, cause: VoidCause) -> None:
        super().__init__(message)
        self.cause = cause


def shebang_hint(program: str) -> str:
    """Return the clause that names a script's interpreter line, "" if it has none.

    The system only says that there is "no such file", and means the interpreter.
    """
    try:
        with Path(program).open("rb") as file:
            first = file.readline(FIRST_LINE)
    except OSError:
        return ""
    if not first.startswith(b"#!"):
        return ""
    line = first.rstrip(b"\n").decode("utf-8", "replace")
    ending = ", which ends as lines of Windows do" if line.endswith("\r") else ""
    return f"; its first line is {line!r}{ending}"
