"""Kills every process of the runner that looks like its reaper, and plays on."""

import os
import signal

from polite import answer, questions


def read(path: str) -> str:
    """Return what a file of /proc says, nothing if it is gone."""
    try:
        with open(path) as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return ""


def kill_reaper() -> None:
    """Kill the parent's other child that is none of the bots."""
    for entry in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208
        parent = read(f"/proc/{entry}/stat").rpartition(")")[2].split()[1:2]
        if parent == [str(os.getppid())] and "/reaper.py" in read(f"/proc/{entry}/cmdline"):
            os.kill(int(entry), signal.SIGKILL)


for number in questions():
    if number == 2:
        kill_reaper()
    answer(number)
