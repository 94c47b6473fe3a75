"""A watch over a run's processes: who was there, and whether somebody is left when all should be gone."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Final, NamedTuple

WORKER: Final = "pitboss_tournament.running.worker"
SCAN_INTERVAL_S: Final = 0.05
TRACKER: Final = "multiprocessing.resource_tracker"  # a process pool starts it, and it lives as long as we do
OWN_PROGRAMS: Final = str(Path("/proc/self/ns/pid").readlink())


class SeenProcess(NamedTuple):
    """A process as /proc shows it. Its number alone may be another's later; with its start it is its own."""

    pid: int
    started: str
    parent: int
    state: str
    namespace: str
    command_line: str

    def is_alive(self) -> bool:
        """Tell whether it does more than wait to be buried."""
        return self.state not in "ZX"


def list_processes() -> dict[int, SeenProcess]:
    """Return all processes that can be seen."""
    found = (_read_process(int(entry.name)) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return {process.pid: process for process in found if process is not None}


def _read_process(pid: int) -> SeenProcess | None:
    home = Path(f"/proc/{pid}")
    try:
        fields = (home / "stat").read_text().rpartition(")")[2].split()
        words = (home / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
        namespace = str((home / "ns" / "pid").readlink()) if fields[0] not in "ZX" else OWN_PROGRAMS
    except OSError:
        return None
    return SeenProcess(pid, fields[19], int(fields[1]), fields[0], namespace, words)


def find_descendants(root: int, among: dict[int, SeenProcess]) -> list[SeenProcess]:
    """Return the children of a process, theirs, and so on."""
    children: dict[int, list[SeenProcess]] = {}
    for process in among.values():
        children.setdefault(process.parent, []).append(process)
    found = list(children.get(root, ()))
    for process in found:
        found += children.get(process.pid, ())
    return found


class ProcessWatch:
    """Remembers every process below `root` that it has seen, with its namespace; `mark` is a word in the arguments of
    all bots. Below this process itself, what was there before the watch is nothing to it: a browser, for example.
    """

    def __init__(self, root: int, mark: str) -> None:
        self._root = root
        self._mark = mark
        self.workers: set[int] = (
            set()
        )  # of a tournament that `root` plays: more than it should have means that some have died
        strangers = find_descendants(root, list_processes()) if root == os.getpid() else []
        self._strangers = {process.pid for process in strangers if process.parent == root}
        self._seen: set[tuple[int, str]] = set()
        self._namespaces: set[str] = set()

    def scan(self) -> list[SeenProcess]:
        """Look once; return the processes that are there now."""
        found = find_descendants(
            self._root, {pid: process for pid, process in list_processes().items() if pid not in self._strangers}
        )
        self._seen |= {(process.pid, process.started) for process in found}
        self.workers |= {
            process.pid for process in found if process.parent == self._root and WORKER in process.command_line
        }
        self._namespaces |= {process.namespace for process in found if process.namespace != OWN_PROGRAMS}
        return found

    def bot_processes(self) -> list[SeenProcess]:
        """Return the processes of bots and of their sandboxes, by their mark."""
        return [process for process in self.scan() if process.is_alive() and self._mark in process.command_line]

    def find_leftovers(self) -> list[SeenProcess]:
        """Return who is there and should not be: seen before, or marked, or in the namespace of a sandbox that was
        seen.
        """
        return [
            process
            for process in list_processes().values()
            if process.is_alive()
            and TRACKER not in process.command_line
            and (
                (process.pid, process.started) in self._seen
                or process.namespace in self._namespaces
                or (self._mark in process.command_line and process.pid != os.getpid())
            )
        ]

    def wait_leftovers(self, seconds: float) -> list[SeenProcess]:
        """Return who is left after so many seconds at the most; as soon as nobody is, nobody."""
        until = monotonic() + seconds
        while (left := self.find_leftovers()) and monotonic() < until:
            sleep(0.01)
        return left

    @contextmanager
    def scanning(self) -> Iterator[None]:
        """Look again and again while a block goes on."""
        is_over = threading.Event()

        def scan_repeatedly() -> None:
            while not is_over.wait(SCAN_INTERVAL_S):
                self.scan()

        thread = threading.Thread(target=scan_repeatedly)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()
