"""The folder of a queue: `0001.json` is an entry, `0001.pitboss` the store of its games, `bots/` has copies of bots.

Whoever changes entries holds a lock for a moment, and a run holds another one to its end. A file is written aside and
renamed when it is on the disk, so that whoever is killed at any moment leaves the old one or the new one.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from pitboss.errors import ConfigError, PitbossError
from pitboss.plugins.registry import Registry
from pitboss_tournament.comparison_queue.bot_copies import keep_bot, sweep_copies
from pitboss_tournament.comparison_queue.entry import QueuedBot, QueueEntry
from pitboss_tournament.comparison_queue.git_revisions import find_top
from pitboss_tournament.plan.paths import STORE_ENDING, memories_folder
from pitboss_tournament.store.store_lock import find_holder, is_locked, try_lock

QUEUE_FOLDER: Final = ".pitboss-queue"
CHANGES_LOCK: Final = "changes.lock"
RUN_LOCK: Final = "run.lock"
COPIES_FOLDER: Final = "bots"
_ENTRY_ENDING: Final = ".json"
_REMOVED_ENDING: Final = ".removed"  # so that a number is used once


class QueueError(PitbossError):
    """The folder of a queue cannot be read or written."""


def find_queue_folder(base: Path) -> Path:
    """Return where the queue of a folder is by default: at the top of its work tree of git, or in the folder itself."""
    return (find_top(base) or base) / QUEUE_FOLDER


class ComparisonQueue:
    """A queue that exists."""

    def __init__(self, folder: Path) -> None:
        """Take up a queue.

        Raises:
            ConfigError: there is none.
        """
        if not (folder / CHANGES_LOCK).is_file():
            raise ConfigError(f"there is no queue in {str(folder)!r}; `pitboss queue add` makes one")
        self.folder = folder.absolute()
        self.copies = self.folder / COPIES_FOLDER

    @classmethod
    def make(cls, folder: Path) -> ComparisonQueue:
        """Return the queue in a folder, which is made unless it is there.

        Raises:
            ConfigError: there is something else.
            QueueError: it cannot be made.
        """
        with _tell_errors(folder):
            if folder.is_dir() and not (folder / CHANGES_LOCK).exists() and any(folder.iterdir()):
                raise ConfigError(f"{str(folder)!r} is a folder with other files; a queue has one of its own")
            folder.mkdir(parents=True, exist_ok=True)
            (folder / CHANGES_LOCK).touch()
            (folder / ".gitignore").write_text("*\n", encoding="ascii")
        return cls(folder)

    def store(self, entry: QueueEntry) -> Path:
        """Return where the games of an entry are kept."""
        return self.folder / f"{entry.number:04}{STORE_ENDING}"

    def _entry_file(self, entry: QueueEntry) -> Path:
        return self.folder / f"{entry.number:04}{_ENTRY_ENDING}"

    def find_bot(self, bot: QueuedBot) -> str:
        """Return how a bot is called in the entry's base folder: by its copy, if there is one."""
        return str(self.copies / bot.copy) if bot.copy else bot.spec

    def entries(self) -> list[QueueEntry]:
        """Return the entries by number.

        Raises:
            ConfigError: a file is no entry.
        """
        files = [path for path in self.folder.glob(f"*{_ENTRY_ENDING}") if path.stem.isdecimal()]
        return [found for path in sorted(files, key=lambda one: int(one.stem)) if (found := _read_entry(path))]

    def add(
        self,
        specs: tuple[str, str, str | None],
        base: Path,
        registry: Registry,
        make: Callable[[int, list[QueuedBot]], QueueEntry],
    ) -> QueueEntry:
        """Add the entry that `make` returns for its number and its bots, copied where that is due; durable on return.

        `make` may refuse it by an error.

        Raises:
            ConfigError: a bot is not there.
            QueueError: it cannot be written.
        """
        with _tell_errors(self.folder), self._changing():
            try:
                bots = [keep_bot(spec, base, self.copies, registry) for spec in specs if spec is not None]
                entry = make(self._find_number(), bots)
                self._write(entry)
            finally:
                with suppress(PitbossError):  # the first error is the one to tell
                    self._sweep()
        return entry

    def begin_next(self) -> QueueEntry | None:
        """Return the first entry that is to be played, which runs from now on; None if there is none."""
        with _tell_errors(self.folder), self._changing():
            entry = next((one for one in self.entries() if one.is_open), None)
            if entry is not None and entry.state != "runs":
                entry = replace(entry, state="runs")
                self._write(entry)
            return entry

    def write(self, entry: QueueEntry) -> None:
        """Replace an entry; durable on return."""
        with _tell_errors(self.folder), self._changing():
            self._write(entry)

    def remove(self, number: int) -> QueueEntry:
        """Remove an entry with its games, and the copies of bots that no other has; return it.

        Raises:
            ConfigError: there is no such entry, or it is being played.
        """
        with _tell_errors(self.folder), self._changing():
            entries = {one.number: one for one in self.entries()}
            if number not in entries:
                there = ", ".join(map(str, entries)) or "none"
                raise ConfigError(f"the queue has no comparison {number}; there are: {there}")
            entry = entries[number]
            if entry.state == "runs" and self.is_run():
                raise ConfigError(f"comparison {number} is being played by {self._tell_holder()}; stop that first")
            self._entry_file(entry).replace(self.folder / f"{number:04}{_REMOVED_ENDING}")
            store = self.store(entry)
            for ending in ("", "-wal", "-shm", "-journal"):
                store.with_name(f"{store.name}{ending}").unlink(missing_ok=True)
            shutil.rmtree(memories_folder(store), ignore_errors=True)
            self._sweep()
            return entry

    def is_run(self) -> bool:
        """Whether a run plays the queue now."""
        lock = self.folder / RUN_LOCK
        return lock.exists() and is_locked(lock)

    @contextmanager
    def lock_run(self) -> Iterator[None]:
        """Context manager: play the queue alone.

        Raises:
            ConfigError: another run does.
        """
        with _tell_errors(self.folder):
            lock = os.open(self.folder / RUN_LOCK, os.O_RDONLY | os.O_CREAT, 0o666)
        try:
            if not try_lock(lock):
                raise ConfigError(
                    f"{self.folder}: {self._tell_holder()} plays this queue already, and goes on with what is added"
                )
            yield
        finally:
            os.close(lock)

    def _tell_holder(self) -> str:
        holder = find_holder(self.folder / RUN_LOCK)
        if holder is None:
            return "another `pitboss queue run`"
        with holder:
            return f"another `pitboss queue run` (process {holder.pid})"

    @contextmanager
    def _changing(self) -> Iterator[None]:
        with (self.folder / CHANGES_LOCK).open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _find_number(self) -> int:
        taken = [int(path.name.split(".")[0]) for path in self.folder.iterdir() if path.name[:1].isdecimal()]
        return max(taken, default=0) + 1

    def _write(self, entry: QueueEntry) -> None:
        file = self._entry_file(entry)
        part = file.with_name(f".{file.name}.part")
        with part.open("wb") as out:
            out.write(msgspec.json.format(msgspec.json.encode(entry)) + b"\n")
            out.flush()
            os.fsync(out.fileno())
        part.replace(file)
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _sweep(self) -> None:
        bots = [bot for one in self.entries() for bot in (one.old, one.new, one.among) if bot is not None]
        sweep_copies(self.copies, {bot.copy for bot in bots if bot.copy})


def _read_entry(file: Path) -> QueueEntry | None:
    """Return an entry; None if it has just been removed."""
    with suppress(FileNotFoundError):
        try:
            return msgspec.json.decode(file.read_bytes(), type=QueueEntry)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ConfigError(f"{file}: is no comparison of a queue: {str(error).lower()}") from None
    return None


@contextmanager
def _tell_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        what = error.filename or folder
        raise QueueError(f"{what}: the queue cannot be used: {(error.strerror or str(error)).lower()}") from None
