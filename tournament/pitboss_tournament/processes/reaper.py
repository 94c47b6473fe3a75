"""The reaper: a small process that outlives a killed runner long enough to kill its bots.

The runner starts it as `python reaper.py FOLDER…` and holds the other end of its standard input. The first line is the
runner's secret. Each other line names a process group that has been started (`+123`) or is gone (`-123`). At the end of
the input the runner is dead, however it died: the reaper kills the groups that are left, then every process whose
environment carries a mark made with the secret (bots that moved to a session of their own), removes the bots' control
groups and temporary folders from the folders, and exits. It imports only the standard library, so that it starts
quickly.

A mark tells a bot nothing: it is a random number with a signature, another one for each process that is started. Only
the holder of the secret can see that two marks are of one runner.
"""

from __future__ import annotations

import os
import signal
import stat
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

MARK = "PITBOSS_BOT"  # environment variable inherited by a bot's descendants
GROUP_PREFIX = "pitboss-"  # of the names of control groups and of temporary folders; the mark follows
OWN_USER_SUFFIX = ".own"  # of the names of temporary folders that belong to the own user of one bot
NUMBER_DIGITS = 16  # of a mark, before its signature
REMOVAL_SECONDS = 0.5  # for killed processes to leave their control group
IS_POSIX = os.name == "posix"
KILL_SIGNAL = signal.SIGKILL if IS_POSIX else signal.SIGTERM  # Windows ends a process at once at its SIGTERM


def make_mark(secret: str) -> str:
    """Return a new mark that `is_mark_of` this secret."""
    number = os.urandom(8).hex()
    return number + _sign(number, secret)


def is_mark_of(secret: str, mark: str) -> bool:
    """Whether a mark was made with this secret."""
    return mark[NUMBER_DIGITS:] == _sign(mark[:NUMBER_DIGITS], secret)


def _sign(number: str, secret: str) -> str:
    from hashlib import blake2b  # noqa: PLC0415 - it is slow to import

    return blake2b(os.fsencode(number), digest_size=8, key=secret.encode()).hexdigest()


def find_marked(is_wanted: Callable[[str], bool]) -> list[int]:
    """Return the processes with a mark that is wanted; none where there is no /proc."""
    name = f"{MARK}=".encode()
    found = []
    # pathlib is slow to import
    for entry in os.listdir("/proc") if os.path.isdir("/proc/self") else ():  # noqa: PTH112, PTH208
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/environ", "rb") as environ:  # noqa: PTH123
                variables = environ.read()
        except OSError:  # it has ended, or it is somebody else's
            continue
        if name not in variables:  # of most, which are not split
            continue
        marks = (os.fsdecode(one.removeprefix(name)) for one in variables.split(b"\0") if one.startswith(name))
        if any(map(is_wanted, marks)):
            found.append(int(entry))
    return found


def kill(pid: int, whole_group: bool = False) -> None:
    """Kill a process, or a process group, if it is still there. Windows has no groups: the process alone is killed."""
    with suppress(OSError):
        (os.killpg if whole_group and IS_POSIX else os.kill)(pid, KILL_SIGNAL)


def kill_marked(is_wanted: Callable[[str], bool], rounds: int = 20) -> None:
    """Kill all processes with a mark that is wanted; again, as long as they start others meanwhile."""
    for _ in range(rounds):
        pids = find_marked(is_wanted)
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
    """Kill all processes of a control group and remove it; return whether the group is gone, and its processes too."""
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


def main(*parents: str) -> None:
    """Wait for the end of the runner, then end its bots.

    `parents`: the folders in which their control groups lie, and their temporary folders.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    is_own = partial(is_mark_of, sys.stdin.readline().strip())
    groups = set()
    for line in sys.stdin:
        pid = int(line[1:])
        if line.startswith("+"):
            groups.add(pid)
        else:
            groups.discard(pid)
    for pid in groups:
        kill(pid, whole_group=True)
    kill_marked(is_own)
    for parent in parents:
        for name in os.listdir(parent) if os.path.isdir(parent) else ():  # noqa: PTH112, PTH208
            if name.startswith(GROUP_PREFIX) and is_own(name.removeprefix(GROUP_PREFIX).partition("-")[0]):
                is_group = os.path.exists(f"{parent}/{name}/cgroup.procs")  # noqa: PTH110
                (remove_group if is_group else remove_temporary)(f"{parent}/{name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
