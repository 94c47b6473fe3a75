"""The holder of a store: the process that plays its tournament now, found by the lock that it holds, and how it is asked to stop.

Nothing is written down that could be out of date: the system itself says which open file has the lock (`/proc/PID/fdinfo`), and a signal goes to the process that was looked at
(a pidfd), never to another one that has its number by now.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Final

POLL_MS: Final = 50  # between two looks whether the lock is free, where the process lives on


def is_locked(path: Path) -> bool:
    """Tell whether a run has the store. Not while this process has it open: closing a file drops the locks by which SQLite keeps readers and writers apart."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # a file system without locks
        return False
    finally:
        os.close(descriptor)
    return False


class StoreHolder:
    """The process that has a store. Leave the block when it is not needed any more."""

    def __init__(self, path: Path, pid: int, descriptor: int) -> None:
        self.pid = pid
        self._path = path
        self._descriptor = descriptor

    def __enter__(self) -> StoreHolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)

    def stop(self) -> None:
        """Ask it to stop, as Ctrl-C does; nothing happens if it has ended.

        Raises:
            PermissionError: it is another user's.
        """
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._descriptor, signal.SIGTERM)

    def wait(self) -> None:
        """Wait until it has ended, or has closed the store."""
        ended = select.poll()
        ended.register(self._descriptor, select.POLLIN)
        while not ended.poll(POLL_MS) and is_locked(self._path):
            pass


def find_holder(path: Path) -> StoreHolder | None:
    """Return the process that has the store; None if there is none, or it cannot be seen: it is another user's, on another machine, or this is no Linux."""
    if not hasattr(os, "pidfd_open"):
        return None
    wanted = path.stat()
    for pid in sorted(int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdecimal()):
        if _is_locked_by(pid, wanted):
            with suppress(ProcessLookupError):
                return _open_holder(path, pid, wanted)
    return None


def _open_holder(path: Path, pid: int, wanted: os.stat_result) -> StoreHolder | None:
    """Return the process, looked at again now that its number cannot become another one's."""
    descriptor = os.pidfd_open(pid)
    if _is_locked_by(pid, wanted):
        return StoreHolder(path, pid, descriptor)
    os.close(descriptor)
    return None


def _is_locked_by(pid: int, wanted: os.stat_result) -> bool:
    """Tell whether a process has this very file open and holds the lock on it by that."""
    with _ignore_vanished_process():
        for opened in Path(f"/proc/{pid}/fd").iterdir():
            with _ignore_vanished_process():
                if os.path.samestat(opened.stat(), wanted) and _is_exclusive(
                    Path(f"/proc/{pid}/fdinfo", opened.name).read_text()
                ):
                    return True
    return False


def _is_exclusive(info: str) -> bool:
    locks = [line.split() for line in info.splitlines() if line.startswith("lock:")]
    return any("FLOCK" in lock and "WRITE" in lock for lock in locks)


@contextmanager
def _ignore_vanished_process() -> Iterator[None]:
    """Take a process, or a file of it, that is gone or not ours to look at, for one that has nothing."""
    with suppress(FileNotFoundError, ProcessLookupError, PermissionError, NotADirectoryError):
        yield
