"""Looks for the runner's environment, for other processes and for people's files, and notes what it saw."""

import os

from polite import answer, questions

HARMLESS = {"HOME", "LANG", "LC_CTYPE", "PATH", "PITBOSS_BOT", "PWD", "PYTHONPATH", "TMPDIR", "TZ"}
FOLDERS = (
    "/home",
    "/root",
    "/etc/ssh",
    "/var/log",
    "/proc/1/root/root",
)  # a Python may lie in one of them, but no file itself


def stranger(pid: str) -> bool:
    """Tell whether a process is neither this one nor one of those that it was started by."""
    with open(f"/proc/{pid}/cmdline", "rb") as words:  # noqa: PTH123
        return pid not in ("1", str(os.getpid()), str(os.getppid())) and bool(words.read())


seen = sorted(set(os.environ) - HARMLESS)
seen += [
    entry.path for folder in FOLDERS if os.access(folder, os.R_OK) for entry in os.scandir(folder) if entry.is_file()
]
with open("/etc/passwd") as users:  # noqa: PTH123
    seen += [user for user in users if user.partition(":")[0] not in ("root", "bot")]
seen += ["/etc/shadow"] if os.access("/etc/shadow", os.R_OK) else []
seen += [f"process {pid}" for pid in filter(str.isdigit, os.listdir("/proc")) if stranger(pid)]  # noqa: PTH208
note = " ".join(seen)[:400] or "refused"
for number in questions():
    answer(number, note)
