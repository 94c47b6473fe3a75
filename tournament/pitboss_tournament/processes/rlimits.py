"""What the system itself limits for each process of a bot, and what ends it with the runner: words in front of its command."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Final

from pitboss_tournament.plan.limits import MEBIBYTE, Limits

LOCKED_MEMORY: Final = 65_536


def prlimit_args(limits: Limits, *, has_own_user: bool) -> tuple[str, ...]:
    """Return `prlimit` with the limits, if it is there. The number of processes is a user's: it can be limited only where that is the bot's own."""
    if shutil.which("prlimit") is None:
        return ()
    disk = limits.disk_mb * MEBIBYTE
    words = [program_path("prlimit"), f"--nofile={limits.open_files}", f"--cpu={limits.cpu_s}:{limits.cpu_s + 1}"]
    words += [f"--fsize={disk}", "--core=0", f"--data={_data_limit_bytes(limits)}", f"--memlock={LOCKED_MEMORY}"]
    if has_own_user and _is_nproc_per_namespace():
        words.append(f"--nproc={limits.processes}")
    return (*words, "--")


def _data_limit_bytes(limits: Limits) -> int:
    """Return what one process may allocate: more than the tree of processes may use, so that the watch over the tree sees it first.

    Java asks for a 64th of the machine's memory at its start, long before it uses it.
    """
    return limits.memory_mb * MEBIBYTE * 5 // 4 + 64 * MEBIBYTE + _machine_memory_bytes() // 64


def _machine_memory_bytes() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return 0


def _is_nproc_per_namespace() -> bool:
    """Tell whether processes are counted for this bot alone: as root (own user id), or by a kernel that counts by user namespace."""
    version = re.match(r"(\d+)\.(\d+)", os.uname().release)
    return os.geteuid() == 0 or (version is not None and (int(version[1]), int(version[2])) >= (5, 14))


def pdeathsig_args() -> tuple[str, ...]:
    """Return what ends a program together with the thread that started it, if the system can."""
    is_there = sys.platform.startswith("linux") and shutil.which("setpriv")
    return (program_path("setpriv"), "--pdeathsig", "KILL", "--") if is_there else ()


def program_path(name: str) -> str:
    """Return the path of a program: it may be started with another PATH than ours, and in the sandbox links may lead nowhere."""
    found = shutil.which(name)
    return str(Path(found).resolve()) if found else name
