"""Why a bot could not be started: its own fault, or the machine's."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, TypeAlias

from pitboss.errors import PitbossError

FIRST_LINE: Final = 128  # bytes of it, which is what the system reads

VoidCause: TypeAlias = Literal["no_process", "no_sandbox", "no_guardian"]


class BotStartError(PitbossError):
    """The bot's program cannot be run at all."""


class MachineError(PitbossError):
    """The machine has no means to start or to speak to a bot: nobody's fault at the table, and the game is void."""

    def __init__(self, message: str, cause: VoidCause) -> None:
        super().__init__(message)
        self.cause = cause


def shebang_hint(program: str) -> str:
    """Return the end of a sentence about a script that cannot be run: what interpreter it asks for; "" if it is no script that asks for one.

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
