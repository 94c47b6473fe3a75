"""The store's lock: which process is playing the tournament, and how to stop it.

The kernel is asked who holds the lock (`/proc/PID/fdinfo`), so nothing can be out of date; signals go through a pidfd,
so that a reused PID is never hit.
"""

from __future__ import annotations

import os
import select
import signal
from contextlib import suppress
from pathlib import Path
from time import sleep
from types import TracebackType
from typing import Final

from pitboss.errors import ConfigError
from pitboss_tournament.processes.file_lock import lock_file
from pitboss_tournament.store.database import StoreError

# of all signals to a program the one that does not end it before it listens; None where there is no such signal
HOLD_SIGNAL: Final[signal.Signals | None] = getattr(signal, "SIGURG", None)
POLL_MS: Final = 50  # between checks of the lock while the process lives
PROCESS_VANISHED: Final = (FileNotFoundError, ProcessLookupError, PermissionError, NotADirectoryError)  # or is not ours
_LOCK_ATTEMPTS: Final = 10  # `is_locked` of another process holds the lock for a moment
_LOCK_RETRY_SECONDS: Final = 0.02


def is_locked(path: Path) -> bool:
    """Return whether a run holds the store.

    Do not call it while this process has the store open: closing any descriptor of a file drops SQLite's own locks on
    it.
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        lock_file(descriptor, waits=False, is_shared=True)
    except BlockingIOError:
        return True
    except OSError:  # a file system without locks
        return False
    finally:
        os.close(descriptor)
    return False


def acquire_lock(path: Path) -> int:
    """Return a descriptor that keeps the store for this run while it is open: two runs would play the same games twice.

    The file is created if it is not there.

    Raises:
        ConfigError: another run holds the store.
        StoreError: the file cannot be opened.
    """
    try:
        lock = os.open(path, os.O_RDONLY | os.O_CREAT, 0o666)
    except OSError as error:
        raise StoreError(f"{path}: cannot be opened as a store: {error.strerror}") from None
    if try_lock(lock):
        return lock
    os.close(lock)
    raise ConfigError(f"{path}: another run is playing this tournament; wait for its end, or stop it (`pitboss stop`)")


def try_lock(descriptor: int) -> bool:
    """Lock an open file for this process alone; return False if another one has it.

    A file system without locks counts as locked.
    """
    for _ in range(_LOCK_ATTEMPTS):
        try:
            lock_file(descriptor, waits=False)
        except BlockingIOError:
            sleep(_LOCK_RETRY_SECONDS)
        except OSError:
            return True
        else:
            return True
    return False


class StoreHolder:
    """The process that holds a store, as a context manager."""

    def __init__(self, path: Path, pid: int, descriptor: int) -> None:
        self.pid = pid
        self._path = path
        self._descriptor = descriptor

    def __enter__(self) -> StoreHolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)

    def is_listening(self) -> bool:
        """Return whether the process handles SIGTERM, which `stop` sends: one that does not would be broken off."""
        return _is_caught(self.pid, signal.SIGTERM)

    def stop(self) -> None:
        """Ask it to stop, as Ctrl-C does; nothing happens if it has ended.

        Raises:
            PermissionError: it is another user's.
        """
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._descriptor, signal.SIGTERM)

    def hold(self) -> None:
        """Ask it to begin no more games, and to end when those in progress have ended; wait until it has heard that.

        A run that is just beginning does not listen yet, and a session of `pitboss play` never does.

        Raises:
            PermissionError: it is another user's.
        """
        assert HOLD_SIGNAL is not None  # where a holder is found
        while not _is_caught(self.pid, HOLD_SIGNAL):
            if self._is_gone():
                return
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._descriptor, HOLD_SIGNAL)

    def wait(self) -> None:
        """Wait until it has ended, or has closed the store."""
        while not self._is_gone():
            pass

    def _is_gone(self) -> bool:
        """Return whether it has ended, or has closed the store; look for a moment."""
        ended = select.poll()
        ended.register(self._descriptor, select.POLLIN)
        return bool(ended.poll(POLL_MS)) or not is_locked(self._path)


def find_holder(path: Path) -> StoreHolder | None:
    """Return the process that holds the store, if any.

    None also if it cannot be seen: it belongs to another user or runs on another machine, or this is not Linux.
    """
    if not hasattr(os, "pidfd_open"):
        return None
    wanted = path.stat()
    for pid in sorted(int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdecimal()):
        if _is_locked_by(pid, wanted):
            with suppress(ProcessLookupError):
                return _open_holder(path, pid, wanted)
    return None


def _open_holder(path: Path, pid: int, wanted: os.stat_result) -> StoreHolder | None:
    """Return the process, checked again now that its PID cannot be reused."""
    descriptor = os.pidfd_open(pid)
    if _is_locked_by(pid, wanted):
        return StoreHolder(path, pid, descriptor)
    os.close(descriptor)
    return None


def _is_locked_by(pid: int, wanted: os.stat_result) -> bool:
    """Return whether a process holds the lock through a descriptor of this very file."""
    with suppress(*PROCESS_VANISHED):
        for opened in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(*PROCESS_VANISHED):
                if os.path.samestat(opened.stat(), wanted) and _is_exclusive(
                    Path(f"/proc/{pid}/fdinfo", opened.name).read_text()
                ):
                    return True
    return False


def _is_exclusive(info: str) -> bool:
    locks = [line.split() for line in info.splitlines() if line.startswith("lock:")]
    return any("FLOCK" in lock and "WRITE" in lock for lock in locks)


def _is_caught(pid: int, number: signal.Signals) -> bool:
    """Return whether a process has a handler for a signal."""
    with suppress(*PROCESS_VANISHED):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("SigCgt:"):
                return bool(int(line.split()[1], 16) >> (number - 1) & 1)
    return False
