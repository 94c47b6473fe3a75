"""The guardian: a small process that outlives a killed runner just long enough to end the bots it left behind.

The runner starts it as `python guardian.py FAMILY` and keeps the other end of its standard input. Each line names a process group that
has been started (`+123`) or is gone (`-123`). At end of file the runner is dead, however it died: the guardian kills the
groups that are left, then every process whose environment carries the family's mark (bots that moved to a session of their own), and ends.
It imports nothing but the standard library, so that it starts quickly.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

MARK = "PITBOSS_BOT"  # the environment variable by which a bot, and whatever it starts, is known


def find_marked(value: str) -> list[int]:
    """Return the processes that carry a mark beginning with `value` (none where there is no /proc)."""
    wanted = f"{MARK}={value}".encode()
    found = []
    for entry in os.listdir("/proc") if os.path.isdir("/proc/self") else ():  # noqa: PTH112, PTH208 - pathlib is slow to import
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/environ", "rb") as environ:  # noqa: PTH123
                variables = environ.read().split(b"\0")
        except OSError:  # it has ended, or it is somebody else's
            continue
        if any(variable.startswith(wanted) for variable in variables):
            found.append(int(entry))
    return found


def kill(pid: int, whole_group: bool = False) -> None:
    """Kill a process, or a process group, if it is still there."""
    with suppress(ProcessLookupError, PermissionError):
        (os.killpg if whole_group else os.kill)(pid, signal.SIGKILL)


def kill_marked(value: str, rounds: int = 20) -> None:
    """Kill all that carry the mark; again, as long as they start others meanwhile."""
    for _ in range(rounds):
        pids = find_marked(value)
        if not pids:
            return
        for pid in pids:
            kill(pid)


def main(mark_prefix: str) -> None:
    """Wait for the end of the runner, then end its bots."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups = set()
    for line in sys.stdin:
        pid = int(line[1:])
        if line.startswith("+"):
            groups.add(pid)
        else:
            groups.discard(pid)
    for pid in groups:
        kill(pid, whole_group=True)
    kill_marked(f"{mark_prefix}-")


if __name__ == "__main__":
    main(sys.argv[1])
