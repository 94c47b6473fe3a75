"""Locks of files between processes, by what the system has: `flock`, or on Windows a locked byte.

The kernel takes a lock back when its process ends. On Windows the byte lies far behind the end of any file, since
nobody else may read a locked byte; a lock there is always for one process alone.
"""

from __future__ import annotations

import os
import sys
from time import sleep
from typing import Final

if sys.platform != "win32":
    import fcntl

WINDOWS_BYTE: Final = 1 << 40  # SQLite locks bytes of its own, near 1 << 30
WINDOWS_RETRY_SECONDS: Final = 0.05


def lock_file(descriptor: int, *, waits: bool, is_shared: bool = False) -> None:
    """Lock an open file for this process alone, or with others that share it, until the descriptor is closed.

    Raises:
        BlockingIOError: another process has it, and this one does not wait.
        OSError: the file system has no locks.
    """
    if sys.platform == "win32":
        _lock_byte(descriptor, waits=waits)
    else:
        kind = fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX
        fcntl.flock(descriptor, kind if waits else kind | fcntl.LOCK_NB)


def _lock_byte(descriptor: int, *, waits: bool) -> None:
    import msvcrt  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - Windows alone has it

    while True:
        os.lseek(descriptor, WINDOWS_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except PermissionError as error:
            if not waits:
                raise BlockingIOError(error.errno, "another process has locked it") from None
            sleep(WINDOWS_RETRY_SECONDS)
        else:
            return
