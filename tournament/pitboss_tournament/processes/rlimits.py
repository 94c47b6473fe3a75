"""Arguments in front of a bot's command: resource limits of each process, and a death signal for the runner's end."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Final

from pitboss_tournament.plan.limits import MEBIBYTE, Limits

if sys.platform != "win32":  # nor is there prlimit
    import resource

LOCKED_MEMORY: Final = 65_536


def prlimit_args(limits: Limits, *, has_own_user: bool, limits_cpu: bool = False) -> tuple[str, ...]:
    """Return `prlimit` with the limits, if it is installed.

    The number of processes counts by user: it is limited only where the bot has a user of its own. What a bot computes
    is limited by game, and so not here; besides, a process under such a limit knows its CPU time, and we know it, only
    to four milliseconds.
    """
    if shutil.which("prlimit") is None:
        return ()
    wanted = {
        "nofile": (limits.open_files, limits.open_files),
        "fsize": (limits.disk_mb * MEBIBYTE,) * 2,
        "core": (0, 0),
        "data": (_data_limit_bytes(limits),) * 2,
        "memlock": (LOCKED_MEMORY,) * 2,
    }
    if limits_cpu:
        wanted["cpu"] = (limits.cpu_s, limits.cpu_s + 1)
    if has_own_user and _is_nproc_per_namespace():
        wanted["nproc"] = (limits.processes, limits.processes)
    words = (
        f"--{name}={_limit_to_own(name, soft)}:{_limit_to_own(name, hard)}" for name, (soft, hard) in wanted.items()
    )
    return (program_path("prlimit"), *words, "--")


def _limit_to_own(name: str, wanted: int) -> int:
    """Return the smaller of a wanted limit and the hard limit of this process, above which it cannot set one."""
    own = resource.getrlimit(getattr(resource, f"RLIMIT_{name.upper()}"))[1]
    return wanted if own == resource.RLIM_INFINITY else min(wanted, own)


def _data_limit_bytes(limits: Limits) -> int:
    """Return RLIMIT_DATA of one process: above the limit of the tree, so that the memory watch acts first.

    Java asks for a 64th of the machine's memory at its start, long before it uses it.
    """
    try:
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        machine = 0
    return limits.memory_mb * MEBIBYTE * 5 // 4 + 64 * MEBIBYTE + machine // 64


def _is_nproc_per_namespace() -> bool:
    """Tell whether processes count for this bot alone: as root (own user id), or in kernels that count by namespace."""
    version = re.match(r"(\d+)\.(\d+)", os.uname().release)
    return os.geteuid() == 0 or (version is not None and (int(version[1]), int(version[2])) >= (5, 14))


def pdeathsig_args() -> tuple[str, ...]:
    """Return `setpriv` arguments that kill the program when the thread that started it ends, if the system can."""
    is_there = sys.platform.startswith("linux") and shutil.which("setpriv")
    return (program_path("setpriv"), "--pdeathsig", "KILL", "--") if is_there else ()


def program_path(name: str) -> str:
    """Return the real path of a program: it may be run with another PATH, and links may lead nowhere in the sandbox."""
    found = shutil.which(name)
    return str(Path(found).resolve()) if found else name
