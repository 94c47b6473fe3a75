"""What to know about commands that print something of their own, or build, whenever they start a bot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

_BUILDERS: Final = {("cargo", "run"), ("go", "run"), ("dotnet", "run"), ("mvn", "exec:java"), ("gradle", "run")}
_PACKAGE_MANAGERS: Final = ("npm", "pnpm", "yarn")
_QUIET: Final = ("--silent", "-s")


def find_start_hint(command: Sequence[str]) -> str:
    """Return a sentence without its full stop for a command that seldom starts a bot as it stands, else ""."""
    program, words = Path(command[0]).name, command[1:]
    if program in _PACKAGE_MANAGERS and not any(word in _QUIET for word in words):
        return f"{program} prints lines of its own to standard output: add --silent behind it"
    if (program, *words[:1]) in _BUILDERS:
        return (
            f"`{program} {words[0]}` builds at each start, and the bot's folder is read-only then: have `build` make "
            "the program in the folder build/, and name it in `command`"
        )
    return ""
