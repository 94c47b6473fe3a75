"""A watch over a run's processes: who was there, and whether somebody is left when all should be gone."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Final, NamedTuple

WORKER: Final = "pitboss_tournament.playing.worker"
LOOK_SECONDS: Final = 0.05
OURS: Final = str(Path("/proc/self/ns/pid").readlink())


class Process(NamedTuple):
    """A process as /proc shows it. Its number alone may be another's later; with its start it is its own."""

    pid: int
    started: str
    parent: int
    state: str
    namespace: str
    words: str

    def is_alive(self) -> bool:
        """Tell whether it does more than wait to be buried."""
        return self.state not in "ZX"


def processes() -> dict[int, Process]:
    """Return all processes that can be seen."""
    found = (_process(int(entry.name)) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return {process.pid: process for process in found if process is not None}


def _process(pid: int) -> Process | None:
    home = Path(f"/proc/{pid}")
    try:
        fields = (home / "stat").read_text().rpartition(")")[2].split()
        words = (home / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
        namespace = str((home / "ns" / "pid").readlink()) if fields[0] not in "ZX" else OURS
    except OSError:
        return None
    return Process(pid, fields[19], int(fields[1]), fields[0], namespace, words)


def descendants(root: int, among: dict[int, Process]) -> list[Process]:
    """Return the children of a process, theirs, and so on."""
    children: dict[int, list[Process]] = {}
    for process in among.values():
        children.setdefault(process.parent, []).append(process)
    found = list(children.get(root, ()))
    for process in found:
        found += children.get(process.pid, ())
    return found


class Watch:
    """Remembers every process below `root` that it has seen, with its namespace; `mark` is a word in the arguments of all bots."""

    def __init__(self, root: int, mark: str) -> None:
        self._root = root
        self._mark = mark
        self.workers: set[int] = set()  # of a tournament that `root` plays: more than it should have means that some have died
        self._seen: set[tuple[int, str]] = set()
        self._namespaces: set[str] = set()

    def look(self) -> list[Process]:
        """Look once; return the processes that are there now."""
        found = descendants(self._root, processes())
        self._seen |= {(process.pid, process.started) for process in found}
        self.workers |= {process.pid for process in found if process.parent == self._root and WORKER in process.words}
        self._namespaces |= {process.namespace for process in found if process.namespace != OURS}
        return found

    def bots(self) -> list[Process]:
        """Return the processes of bots and of their sandboxes, by their mark."""
        return [process for process in self.look() if process.is_alive() and self._mark in process.words]

    def left(self) -> list[Process]:
        """Return who is there and should not be: seen before, or marked, or in the namespace of a sandbox that was seen."""
        return [
            process
            for process in processes().values()
            if process.is_alive()
            and (
                (process.pid, process.started) in self._seen
                or process.namespace in self._namespaces
                or (self._mark in process.words and process.pid != os.getpid())
            )
        ]

    def left_after(self, seconds: float) -> list[Process]:
        """Return who is left after so many seconds at the most; as soon as nobody is, nobody."""
        until = monotonic() + seconds
        while (left := self.left()) and monotonic() < until:
            sleep(0.01)
        return left

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Look again and again while a block goes on."""
        is_over = threading.Event()

        def keep_looking() -> None:
            while not is_over.wait(LOOK_SECONDS):
                self.look()

        thread = threading.Thread(target=keep_looking)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()
