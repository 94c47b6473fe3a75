"""What keeps bots from starting: commands that print or build at each start, files that are linked from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from pitboss_tournament.processes.visible_paths import is_system

_BUILDERS: Final = {("cargo", "run"), ("go", "run"), ("dotnet", "run"), ("mvn", "exec:java"), ("gradle", "run")}
_PACKAGE_MANAGERS: Final = ("npm", "pnpm", "yarn")
MAX_ENTRIES_SEEN: Final = 10_000  # of a folder that is looked through for links
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


def find_link_hint(folder: Path) -> str:
    """Return a sentence without its full stop on the first link that leads out of a bot's folder; "" if none does.

    Links to the system, and those of virtual environments, are as they should be.
    """
    for path in islice(folder.rglob("*"), MAX_ENTRIES_SEEN):
        if not path.is_symlink() or any((above / "pyvenv.cfg").exists() for above in path.parents):
            continue
        target = path.resolve()
        if not (target.is_relative_to(folder.resolve()) or is_system(target)):
            return (
                f"{str(path.relative_to(folder))!r} is a link out of the folder, to {str(target)!r}, which a sandbox "
                "does not show: copy it there, or name it in `read` under [limits] of the tournament file"
            )
    return ""
