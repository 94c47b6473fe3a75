"""A sandbox for the program of a game that is not trusted: bubblewrap's, with its own folder to read and nothing else.

The program has no network, sees no other processes, no files but the system's programs and its folder, and none of the
environment of Pitboss. Its memory and its processor time are not limited.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pitboss.errors import EngineFailed

BOT_MARK: Final = "PITBOSS_BOT"  # a variable of the environment of each bot's process
SYSTEM: Final = ("/usr", "/bin", "/lib", "/lib64", "/etc/alternatives", "/etc/ld.so.cache")
FOLDER_WITHIN: Final = "/game"  # of the folder, within
PATH: Final = "/usr/local/bin:/usr/bin:/bin"


def enter_sandbox(command: Sequence[str], folder: Path) -> tuple[str, ...]:
    """Return the command that starts a command in the sandbox.

    In the process of a bot where no further sandbox can be made, that is the command itself: the sandbox of the bot
    holds it.

    Raises:
        EngineFailed: bubblewrap is not installed.
    """
    bubblewrap = shutil.which("bwrap")
    if bubblewrap is None:
        raise EngineFailed(f"the program {command[0]!r} is not trusted, and bubblewrap is not installed: `bwrap`")
    words = (
        *(bubblewrap, "--unshare-all", "--clearenv", "--setenv", "PATH", PATH),
        *(word for file in SYSTEM for word in ("--ro-bind-try", file, file)),
        *("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"),
        *("--ro-bind", str(folder), FOLDER_WITHIN, "--chdir", FOLDER_WITHIN),
    )
    if BOT_MARK in os.environ:
        tried = subprocess.run([*words, "true"], capture_output=True, check=False)
        if tried.returncode:
            return tuple(command)
    return (*words, *command)
