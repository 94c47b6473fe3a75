"""The reaper: a small process that outlives a killed runner long enough to kill its bots.

The runner starts it as `python reaper.py MARK_PREFIX FOLDER…` and holds the other end of its standard input. Each line
names a process group that has been started (`+123`) or is gone (`-123`). At end of file the runner is dead, however it
died: the reaper kills the groups that are left, then every process whose environment carries the mark (bots that moved
to a session of their own), removes the bots' control groups and temporary folders from the folders, and exits. It
imports only the standard library, so that it starts quickly.
"""

from __future__ import annotations

import os
import signal
import stat
import sys
import time
from contextlib import suppress

MARK = "PITBOSS_BOT"  # environment variable inherited by a bot's descendants
GROUP_PREFIX = "pitboss-"  # of the names of control groups and of temporary folders; the mark follows
OWN_USER_SUFFIX = ".own"  # of the names of temporary folders that belong to a user who is one bot alone
REMOVAL_SECONDS = 0.5  # for killed processes to leave their control group


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


def kill_group(folder: str) -> None:
    """Kill all processes of a control group."""
    with suppress(OSError):
        if os.path.exists(f"{folder}/cgroup.kill"):  # noqa: PTH110
            with open(f"{folder}/cgroup.kill", "w") as switch:  # noqa: PTH123
                switch.write("1")
            return
        with open(f"{folder}/cgroup.procs") as members:  # noqa: PTH123
            for pid in members.read().split():
                kill(int(pid))


def remove_group(folder: str) -> bool:
    """Kill all processes of a control group and remove it; return whether it is gone, so that none of them is left."""
    give_up = time.monotonic() + REMOVAL_SECONDS
    while os.path.isdir(folder):  # noqa: PTH112
        kill_group(folder)
        with suppress(OSError):
            os.rmdir(folder)  # noqa: PTH106
            return True
        if time.monotonic() > give_up:
            return False
        time.sleep(0.001)
    return True


def remove_temporary(folder: str) -> None:
    """Remove the temporary folder of a bot that has been ended.

    If its user is this bot alone, all processes of that user are ended first: one may have left the bot's group, and
    its mark cannot be read.
    """
    try:
        found = os.lstat(folder)
    except OSError:  # the bot has not got that far, or it is done
        return
    user = str(found.st_uid)
    if folder.endswith(OWN_USER_SUFFIX) and stat.S_ISDIR(found.st_mode) and found.st_uid not in (0, os.geteuid()):
        _run("setpriv", "--reuid", user, "--regid", user, "--clear-groups", "/bin/sh", "-c", "kill -KILL -1")
    with suppress(OSError):  # it is seldom empty
        os.rmdir(folder)  # noqa: PTH106
        return
    _run("/bin/sh", "-c", 'PATH=/usr/bin:/bin; chmod -R u+rwx "$1"; rm -rf "$1"', "sh", folder)  # as deep as it may be


def _run(*words: str) -> None:
    """Run a program of the system to its end, silently."""
    silence = (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)
    with suppress(OSError):
        os.waitpid(os.posix_spawnp(words[0], words, os.environ, file_actions=[silence]), 0)


def main(mark_prefix: str, *parents: str) -> None:
    """Wait for the end of the runner, then end its bots.

    `parents`: the folders in which their control groups lie, and their temporary folders.
    """
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
    for parent in parents:
        for name in os.listdir(parent) if os.path.isdir(parent) else ():  # noqa: PTH112, PTH208
            if name.startswith(f"{GROUP_PREFIX}{mark_prefix}-"):
                is_group = os.path.exists(f"{parent}/{name}/cgroup.procs")  # noqa: PTH110
                (remove_group if is_group else remove_temporary)(f"{parent}/{name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
