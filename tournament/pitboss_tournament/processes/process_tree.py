"""The processes of a bot, from /proc: which they are, and the memory they use.

Each call reads everything again; a process that vanishes meanwhile counts for nothing. Where there is no /proc
(macOS, Windows), the answers are empty or None.
"""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final

from pitboss_tournament.processes import memory_folder, reaper

CLOCK_TICKS: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100

_FILE_BYTES: Final = 1024
_READ_BYTES: Final = 65_536  # at once
INIT_END_SECONDS: Final = 0.5  # for what is in a killed sandbox to end
_SAMPLES_PER_SCAN: Final = 5
_LAUNCHERS: Final = (b"bwrap", b"prlimit", b"setpriv")  # a sandbox takes more time to make than a small bot computes
# in `/proc/…/stat`, counted from the first field behind the name: proc(5)
_STATE: Final = 0
_REAPED_USER: Final = 13
_REAPED_SYSTEM: Final = 14
_NICE: Final = 16
_THREADS: Final = 17
_POLICY: Final = 38
_STAT_BYTES: Final = 2048  # more than all its fields take


def descendants(pid: int) -> list[int]:
    """Return a process and its descendants, parents first; empty if it is gone.

    In a sandbox these are all processes in it. Outside, a daemon whose parent has ended is not among them.
    """
    if not os.path.exists(f"/proc/{pid}"):  # noqa: PTH110 - called often
        return []
    found = [pid]
    for one in found:
        found.extend(child_pids(one))
    return found


def lists_children() -> bool:
    """Tell whether this system lists the children of a process."""
    return os.path.exists(f"/proc/self/task/{os.getpid()}/children")  # noqa: PTH110 - as above


def child_pids(pid: int) -> list[int]:
    """Return the children of all threads of a process."""
    found: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208
            with suppress(OSError):
                found.extend(map(int, _read_file(f"/proc/{pid}/task/{thread}/children").split()))
    return found


def memory_bytes(pids: list[int], limit: int | None = None) -> int:
    """Return the bytes of memory that these processes hold together, anonymous and shared.

    Pages of mapped files do not count: the system takes them back when it wants them. The quick sum counts shared
    memory several times. Above `limit` the exact sum is computed.
    """
    quick = sum(map(_held_bytes, pids))
    if limit is None or quick <= limit:
        return quick
    return sum(map(_proportional_bytes, pids))


def tmpfs_bytes(pid: int) -> int:
    """Return the memory used by files in a sandboxed process's own file systems, at least a kilobyte for each file.

    0 while they are still the host's.
    """
    used = 0
    for place in ("/tmp", "/dev/shm", memory_folder.PLACE):
        with suppress(OSError, AttributeError):
            # one descriptor for both questions: the path may lead elsewhere in a moment
            folder = os.open(f"/proc/{pid}/root{place}", os.O_PATH | os.O_CLOEXEC)
            try:
                of_host = os.stat(place).st_dev if os.path.exists(place) else None  # noqa: PTH110, PTH116 - often
                if os.fstat(folder).st_dev != of_host:
                    found = os.statvfs(folder)
                    used += (found.f_blocks - found.f_bfree) * found.f_frsize
                    used += (found.f_files - found.f_ffree) * _FILE_BYTES
            finally:
                os.close(folder)
    return used


def prefer_oom_kill(pid: int) -> None:
    """Make the OOM killer prefer this process and its later children."""
    with suppress(OSError), open(f"/proc/{pid}/oom_score_adj", "wb", buffering=0) as score:  # noqa: PTH123
        score.write(b"1000")


class ProcessTree:
    """The processes of a bot started as `pid`, for frequent and cheap looks: the list is renewed only now and then.

    The OOM killer is made to prefer each process that is found.
    """

    def __init__(self, pid: int, layers: int = 1) -> None:
        """`layers`: the nested sandboxes around the bot."""
        self._pid = pid
        self._layers = layers
        self._init_pid: int | None = None
        self._samples = 0
        self._pids: list[int] = []  # at the last scan
        self._has_begun = not layers
        prefer_oom_kill(pid)

    def has_begun(self) -> bool:
        """Return whether the sandbox has been made, and the bot's program has begun; True where that is unknown.

        The filter of system calls is the last thing that a sandbox gets. Nothing that a bot does takes a filter off.
        """
        if not self._has_begun:
            ours, pids = count_filters(os.getpid()), descendants(self._pid)
            self._has_begun = ours is None or not pids or any((count_filters(pid) or 0) > ours for pid in pids)
        return self._has_begun

    def init_pid(self) -> int | None:
        """Return the init process of the (innermost) sandbox, with which its processes end; None if none (yet)."""
        if self._init_pid is None and self._layers:
            namespaces = ((pid, namespace_pids(pid)) for pid in descendants(self._pid))
            self._init_pid = next((pid for pid, ids in namespaces if len(ids) > self._layers and ids[-1] == 1), None)
        return self._init_pid

    def kill_init(self) -> None:
        """Kill all processes in the sandbox at once."""
        if (init := self.init_pid()) is not None:
            reaper.kill(init)

    def wait_init_end(self) -> bool:
        """Wait a moment for the init process of the sandbox, which was killed; return whether it has ended.

        Then nothing in the sandbox is left: the system ends an init after all others. False where it was not found.
        """
        if self._init_pid is None or not hasattr(os, "pidfd_open"):
            return False
        try:
            descriptor = os.pidfd_open(self._init_pid)
        except ProcessLookupError:
            return True
        except OSError:
            return False
        try:
            looking = select.poll()  # `select` takes no descriptor above 1,023
            looking.register(descriptor, select.POLLIN)
            return bool(looking.poll(INIT_END_SECONDS * 1_000))
        finally:
            os.close(descriptor)

    def pids(self) -> list[int]:
        """Return all its processes: of a sandbox those within."""
        return descendants(self.init_pid() or self._pid)

    @property
    def seen_pids(self) -> set[int]:
        """Processes that it had when its memory was looked at last, and those that are in front of them."""
        return {self._pid, *self._pids, *([] if self._init_pid is None else [self._init_pid])}

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to each process of the tree, and to each that one of them starts before it has its signal."""
        signalled = set[int]()
        while new := set(self.pids()) - signalled:
            for pid in new:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)
            signalled |= new

    def memory_bytes(self, limit: int) -> int:
        """Return the memory of all its processes and of the files in its /tmp; exact if it comes near `limit`."""
        if self._samples % _SAMPLES_PER_SCAN == 0:
            self._rescan()
        self._samples += 1
        files = tmpfs_bytes(self._init_pid) if self._init_pid else 0
        used = files + memory_bytes(self._pids)
        if used * 2 > limit:  # near enough to look for new processes, and for shared memory
            self._rescan()
            used = files + memory_bytes(self._pids, limit - files)
        return used

    def _rescan(self) -> None:
        now = self.pids()
        for pid in set(now).difference(self._pids):
            prefer_oom_kill(pid)
        self._pids = now


def namespace_pids(pid: int) -> list[int]:
    """Return the process ids of one process in its namespaces, ours first, the innermost last."""
    return list(map(int, _read_field(f"/proc/{pid}/status", b"NSpid:")))


def count_filters(pid: int) -> int | None:
    """Return how many filters of system calls a process has; None if it is gone, or the system does not tell."""
    found = _read_field(f"/proc/{pid}/status", b"Seccomp_filters:")
    return int(found[0]) if found else None


def busiest_thread(pids: Iterable[int]) -> int | None:
    """Return the thread of these processes that has computed most, None if there is none; no launcher's counts.

    Java, for one, runs the program in another thread than the first, and a shell in another process.
    """
    used = {}
    for pid in pids:
        if _read_file(f"/proc/{pid}/comm").strip() in _LAUNCHERS:
            continue
        for thread in thread_ids(pid):
            fields = _read_file(f"/proc/{pid}/task/{thread}/schedstat").split()
            used[thread] = int(fields[0]) if fields else 0
    return max(used, key=used.__getitem__, default=None)


def thread_ids(pid: int) -> list[int]:
    """Return the threads of a process, none if it is gone."""
    try:
        return list(map(int, os.listdir(f"/proc/{pid}/task")))  # noqa: PTH208
    except OSError:
        return []


class ProcessStates:
    """Tells whether processes are runnable: of one that has one thread with one system call, from a file kept open."""

    def __init__(self) -> None:
        self._files: dict[int, int] = {}

    def is_runnable(self, pid: int) -> bool:
        """Tell whether a thread of a process is computing or waiting for a CPU.

        One that is nicer than this process does not count: who asks for less cannot complain of having to wait.
        """
        fields = self._read_fields(pid)
        if fields and fields[_THREADS] != b"1":
            return any(_is_waiting(_stat_fields(f"{pid}/task/{thread}")) for thread in thread_ids(pid))
        return _is_waiting(fields)

    def keep(self, pids: Iterable[int]) -> None:
        """Close the files of other processes than these."""
        for pid in self._files.keys() - set(pids):
            os.close(self._files.pop(pid))

    def close(self) -> None:
        """Close all files."""
        self.keep(())

    def _read_fields(self, pid: int) -> list[bytes]:
        """Return the fields of `stat`; nothing if the process is gone."""
        try:
            if pid not in self._files:
                self._files[pid] = os.open(f"/proc/{pid}/stat", os.O_RDONLY)
            return os.pread(self._files[pid], _STAT_BYTES, 0).rpartition(b")")[2].split()
        except OSError:  # it is gone, and another may have its number by now; or no descriptor is left
            self.keep(self._files.keys() - {pid})
            return _stat_fields(str(pid))


def _is_waiting(fields: Sequence[bytes]) -> bool:
    """Tell from the fields of `stat` whether a thread computes or waits for a CPU, and does not ask for less of it."""
    return (
        bool(fields)
        and fields[_STATE] == b"R"
        and int(fields[_NICE]) <= os.getpriority(os.PRIO_PROCESS, 0)
        and int(fields[_POLICY]) not in (os.SCHED_BATCH, os.SCHED_IDLE)
    )


def reaped_seconds(pid: int) -> float:
    """Return the CPU time of descendants of a process that have ended and were waited for."""
    fields = _stat_fields(str(pid))
    return (int(fields[_REAPED_USER]) + int(fields[_REAPED_SYSTEM])) / CLOCK_TICKS if fields else 0.0


def _stat_fields(process: str) -> list[bytes]:
    """Return what `/proc/…/stat` tells behind the name of a process or thread; nothing if it is gone."""
    return _read_file(f"/proc/{process}/stat").rpartition(b")")[2].split()


def _held_bytes(pid: int) -> int:
    status = f"/proc/{pid}/status"
    return _sum_kilobytes(status, b"RssAnon:", b"RssShmem:") or _sum_kilobytes(status, b"VmRSS:")


def _proportional_bytes(pid: int) -> int:
    """Return the memory of a process, with shared pages divided by the number of processes that share them."""
    return _sum_kilobytes(f"/proc/{pid}/smaps_rollup", b"Pss_Anon:", b"Pss_Shmem:") or _held_bytes(pid)


def _sum_kilobytes(path: str, *keys: bytes) -> int:
    """Return the bytes behind keys that begin a line; 0 if there is no such line."""
    return sum(int(line.split()[1]) * 1024 for line in _read_file(path).splitlines() if line.startswith(keys))


def _read_field(path: str, key: bytes) -> list[bytes]:
    """Return the words behind a key that begins a line, none if there is no such line."""
    return next((line.split()[1:] for line in _read_file(path).splitlines() if line.startswith(key)), [])


def _read_file(path: str) -> bytes:
    """Return the content of a file, b"" if it cannot be read; with half the system calls of `open`."""
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        parts = []
        while part := os.read(file, _READ_BYTES):
            parts.append(part)
        return b"".join(parts)
    except OSError:
        return b""
    finally:
        os.close(file)
