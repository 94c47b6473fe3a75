"""The user that a bot of root runs as: one that nobody else is, if this system (or container) has one.

A container without root's rights maps only some users of the machine to its own, at the least root alone. There, and
for a runner that is not root, a bot runs as the runner's user, and a user namespace of its own counts its processes.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from pitboss_tournament.processes.rlimits import program_path
from pitboss_tournament.processes.start_errors import MachineError

_UNUSED: Final = range(1_900_000_000, 2_100_000_000)  # no distribution and no systemd hands them out
_MIN_OF_CONTAINER: Final = 10_000  # the images of containers have few users, with low numbers
_NOBODY: Final = 65_534


def switch_user_args() -> tuple[str, ...]:
    """Return arguments that, as root, switch to an unused user, so that per-user limits count for this bot alone.

    Empty where there is none, or the runner is not root.
    """
    if not (users := find_unused_users()):
        return ()
    return setpriv_args(user := users[secrets.randbelow(len(users))], user)


def setpriv_args(user: int, group: int) -> tuple[str, ...]:
    """Return arguments that, as root, switch to a user and a group, and end with the process that has started them."""
    ids = ("--reuid", str(user), "--regid", str(group), "--clear-groups")
    return (program_path("setpriv"), *ids, "--pdeathsig", "KILL", "--")


@cache
def find_unused_users() -> range:
    """Return numbers of users (and groups) that nobody has and root can become; empty for a runner that is not root.

    Raises:
        MachineError: the users are unknown now.
    """
    if os.geteuid() != 0 or _read("/proc/self/setgroups").strip() == "deny":
        return range(0)
    users, groups = (_read(f"/proc/self/{kind}_map") for kind in ("uid", "gid"))
    return choose_unused(users, groups)


def choose_unused(user_map: str, group_map: str) -> range:
    """Return unused numbers that both maps (`/proc/self/uid_map`, …: lines of inside, outside, count) contain."""
    both = [
        range(max(one.start, other.start), min(one.stop, other.stop))
        for one in _mapped_ranges(user_map)
        for other in _mapped_ranges(group_map)
    ]
    if any(_UNUSED.start in one and _UNUSED[-1] in one for one in both):
        return _UNUSED
    tops = (range(max(_MIN_OF_CONTAINER, (one.start + one.stop) // 2), min(one.stop, _NOBODY)) for one in both)
    return max(tops, key=len, default=range(0))


def can_become(user: int, group: int) -> bool:
    """Tell whether root can switch to this user and this group here."""
    maps = (("uid", user), ("gid", group))
    return all(any(number in one for one in _mapped_ranges(_read(f"/proc/self/{kind}_map"))) for kind, number in maps)


def _mapped_ranges(text: str) -> Iterable[range]:
    for line in text.splitlines():
        first, _, count = map(int, line.split())
        yield range(first, first + count)


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except FileNotFoundError:  # no such thing on this system: nothing is mapped
        return ""
    except OSError as error:  # too many open files, for instance: bots would run as root
        text = f"the users of this machine are unknown now: {path} cannot be read: {error.strerror}"
        raise MachineError(text, "no_sandbox") from None
