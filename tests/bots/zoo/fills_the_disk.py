"""Writes to every folder that it can write to, until it is stopped, and notes how many MB that were.

It takes at most 512 MB in each, and deletes them.
"""

import os

from polite import answer, questions

FOLDERS = (".", "/", "/tmp", "/var/tmp", "/dev/shm", "/run", "/dev")
MOST = 512


def filled(folder: str) -> int:
    """Return how many MB fit into files of 64 MB in a folder."""
    written = 0
    names = [f"{folder}/ballast-{number}" for number in range(MOST // 64)]
    for name in names:
        try:
            with open(name, "wb", buffering=0) as file:  # noqa: PTH123
                for _ in range(64):
                    written += file.write(bytes(1 << 20))
        except OSError:
            continue
    for name in filter(os.path.exists, names):
        os.unlink(name)  # noqa: PTH108
    return written >> 20


note = " ".join(f"{folder}:{size}" for folder in FOLDERS if (size := filled(folder)))
for number in questions():
    answer(number, note or "refused")
