"""Deletes the folder that it was started from, and notes whether it could."""

import os

from polite import answer, questions


def deleted(path: str) -> bool:
    """Tell whether a file can be deleted."""
    try:
        os.unlink(path)  # noqa: PTH108
    except OSError:
        return False
    return True


gone = [name for name in os.listdir() if deleted(name)]  # noqa: PTH208
for number in questions():
    answer(number, " ".join(gone) or "refused")
