"""The level `landlock` of the sandbox: bots that share the machine's namespaces, and may open little of what they see.

Landlock, a part of the kernel that needs no rights, bounds what a bot may open, and by version TCP, signals and
abstract sockets (`landlock_launcher`). A filter refuses the system calls that Landlock does not know (`seccomp`). If
the runner is root, the bot gets a user id that nobody else has, unless one of the paths that it needs is for root
alone: then, as for a runner that is not root, it runs as the runner's user without any right of root. The bot's /tmp
is a folder of its own, which TMPDIR and HOME name; how much it holds is looked at, not bounded.
"""

from __future__ import annotations

import os
import secrets
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from pitboss_tournament.plan.limits import MEBIBYTE
from pitboss_tournament.processes import landlock_launcher, reaper
from pitboss_tournament.processes.bind_mounts import find_locked_folder, find_readable_parts
from pitboss_tournament.processes.other_user import find_unused_users
from pitboss_tournament.processes.seccomp import build_shared_filter
from pitboss_tournament.processes.visible_paths import SYSTEM_FOLDERS, find_system_files

MAX_TEMPORARY_FILES: Final = 1_000  # and folders

_DEVICES: Final = ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom")
_UNCOUNTED_DEVICE: Final = "/dev/zero"  # shared mappings of this device count as memory of no process


class LandlockRules(Struct, frozen=True):
    """What the launcher is told of one bot, except its user and its temporary folder."""

    paths: tuple[str, ...]  # that it may use, behind a letter for how: see `landlock_launcher`
    has_own_user: bool
    has_network: bool
    filter: bytes
    abi: int

    def launcher_words(self, user: int, folder: Path, temporary: Path, group: int | None = None) -> tuple[str, ...]:
        """Return the words in front of the command that start it under these rules. `group`: None for the user's."""
        python = (sys.executable, "-I", "-S", landlock_launcher.__file__)
        ids = (str(user), str(user if group is None else group))
        numbers = (str(self.abi), str(int(self.has_network)), self.filter.hex(), str(len(self.paths)))
        return (*python, *ids, str(folder), str(temporary), *numbers, *self.paths)


def find_rules(
    shown: Iterable[Path],
    *,
    hidden: Iterable[Path] = (),
    writable: Sequence[Path] = (),
    has_network: bool = False,
    is_memory_counted: bool,
    is_build: bool = False,
    abi: int = 0,
) -> LandlockRules:
    """Return the rules for a bot that needs to see `shown`, beside the system, and to change `writable`.

    `abi`: 0 for the kernel's own.
    """
    abi = abi or find_own_abi()
    paths = list(_list_system_paths(has_network=has_network, is_memory_counted=is_memory_counted))
    for path in shown:
        whole, listed = find_readable_parts(path, hidden)
        paths += [*(f"r{part}" for part in whole), *(f"l{part}" for part in listed)]
    changed = [f"w{path}" for path in writable]
    needed = {place for path in (*shown, find_temporary_parent()) for place in (path, path.resolve())}
    has_own_user = bool(find_unused_users()) and not changed and not any(map(find_locked_folder, needed))
    steps = build_shared_filter(
        is_memory_counted=is_memory_counted,
        has_network=has_network,
        has_own_user=has_own_user,
        changes_rights=has_own_user or is_build,  # a linker makes its program executable
        abi=abi,
    )
    return LandlockRules((*paths, *changed), has_own_user, has_network, steps, abi)


def choose_user(rules: LandlockRules) -> int:
    """Return the user that a bot runs as: one that nobody else is, or the runner's."""
    users = find_unused_users()
    return users[secrets.randbelow(len(users))] if rules.has_own_user else os.geteuid()


def name_temporary(mark: str, *, has_own_user: bool = False) -> Path:
    """Return a path for the temporary folder of a bot with this mark, where nothing lies."""
    ending = reaper.OWN_USER_SUFFIX if has_own_user else ""
    return find_temporary_parent() / f"{reaper.GROUP_PREFIX}{mark}-{secrets.token_hex(4)}{ending}"


@cache
def find_temporary_parent() -> Path:
    """Return the folder in which the temporary folders of bots lie."""
    return Path(tempfile.gettempdir()).resolve()


@cache
def find_own_abi() -> int:
    """Return the version of Landlock that this kernel has; 0 if it has none, or refuses to tell."""
    try:
        return landlock_launcher.find_abi() if sys.platform.startswith("linux") else 0
    except OSError:
        return 0


def find_excess(temporary: Path, disk_mb: int) -> str | None:
    """Return in what a bot's temporary folder exceeds its bounds; None if it does not.

    Files that have no name any more are not found.
    """
    files = held = 0
    waiting = [str(temporary)]
    for folder in waiting:
        try:
            entries = list(os.scandir(folder))
        except (FileNotFoundError, NotADirectoryError):  # it has been removed meanwhile
            continue
        except OSError as error:
            return f"its temporary folder cannot be looked through ({error.strerror})"
        files += len(entries)
        if files > MAX_TEMPORARY_FILES:
            return f"its temporary folder holds more than {MAX_TEMPORARY_FILES:,} files and folders"
        for entry in entries:
            with suppress(OSError):  # it has been removed meanwhile
                held += entry.stat(follow_symlinks=False).st_blocks * 512
                waiting += [entry.path] if entry.is_dir(follow_symlinks=False) else []
    return f"its temporary folder holds more than {disk_mb:,} MiB (disk_mb)" if held > disk_mb * MEBIBYTE else None


def _list_system_paths(*, has_network: bool, is_memory_counted: bool) -> Iterator[str]:
    readable = (*SYSTEM_FOLDERS, Path("/proc"), *find_system_files(has_network=has_network))
    yield from (f"r{path}" for path in readable if path.exists())
    devices = (*_DEVICES, _UNCOUNTED_DEVICE) if is_memory_counted else _DEVICES
    yield from (f"d{path}" for path in devices)
