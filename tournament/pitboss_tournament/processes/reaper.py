"""The reaper: a small process that outlives a killed runner long enough to kill its bots.

The runner starts it as `python reaper.py MARK_PREFIX` and holds the other end of its standard input. Each line names a
process group that has been started (`+123`) or is gone (`-123`). At end of file the runner is dead, however it died:
the reaper kills the groups that are left, then every process whose environment carries the mark (bots that moved to a
session of their own), and exits. It imports only the standard library, so that it starts quickly.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

MARK = "PITBOSS_BOT"  # environment variable inherited by a bot's descendants


def find_marked(value: str) -> list[int]:
    """Return the processes whose mark begins with `value`; none where there is no /proc."""
    wanted = f"{MARK}={value}".encode()
    found = []
    # pathlib is slow to import
    for entry in os.listdir("/proc") if os.path.isdir("/proc/self") else ():  # noqa: PTH112, PTH208
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
    """Kill all processes with the mark; again, as long as they start others meanwhile."""
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
