"""Tries to read the other bots' files and the store (they are somewhere in the folder of its argument, with + for /),
and notes what it saw.
"""

import os
import sys

from polite import answer, questions


def readable(folder: str) -> list[str]:
    """Return the names of all files in a folder that can be read, but its own."""
    own = {entry.inode() for entry in os.scandir()}
    found = []
    for where, _, names in os.walk(folder):
        for name in names:
            try:
                with open(f"{where}/{name}", "rb") as file:  # noqa: PTH123
                    file.read(1)
                    if os.fstat(file.fileno()).st_ino not in own:
                        found.append(name)
            except OSError:
                continue
    return found


note = " ".join(readable(sys.argv[1].replace("+", "/")))[:400] or "refused"
for number in questions():
    answer(number, note)
