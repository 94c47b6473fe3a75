"""The memory of a bot: a folder that lasts from game to game, for bots that learn.

In the sandbox a bot writes to a copy in a file system of its own, which the kernel bounds and which no other process of
the machine sees. Its plain files and folders are copied back when all its processes have ended. So nothing else that a
bot can make reaches the disk: no link, no strange permission, no file that is longer than what it holds. Without a
sandbox the bot writes to the folder itself.
"""

from __future__ import annotations

import os
import select
import shutil
import stat
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from pitboss.errors import ConfigError
from pitboss_tournament.plan.limits import MEBIBYTE
from pitboss_tournament.plan.plan import Entrant, SandboxLevel
from pitboss_tournament.processes.start_errors import BotStartError, MachineError

VARIABLE: Final = "PITBOSS_MEMORY"  # of the environment: the path of the folder, for the bot
PLACE: Final = "/memory"  # of the copy, in the sandbox
KEPT_PLACE: Final = "/memory-kept"  # of the folder itself, in the sandbox, where it is read-only
FILL_COPY: Final = ("/bin/sh", "-c", f'cp -R {KEPT_PLACE}/. {PLACE}/ && exec "$@"', "sh")  # in front of the command
MAX_KEPT_FILES: Final = 1_000  # and folders
SANDBOX_END_SECONDS: Final = 5  # for a killed sandbox to end
MAX_DEPTH: Final = 8  # of folders in the folder; paths stay far below what the system takes


def name_memory(place: Path | str | None) -> Mapping[str, str]:
    """Return what the environment tells a bot of its memory; nothing if it has none."""
    return {VARIABLE: str(place)} if place else {}


def mount_memory(kept: Path | None, disk_mb: int) -> Sequence[str]:
    """Return arguments that give a sandbox a memory of this size, in which FILL_COPY lays what is kept; none if None.

    The folder must be there when the sandbox is made.
    """
    if kept is None:
        return ()
    return ("--size", str(disk_mb * MEBIBYTE), "--tmpfs", PLACE, "--ro-bind", str(kept), KEPT_PLACE)


def open_memory(entrant: Entrant, sandbox: SandboxLevel) -> MemoryFolder | None:
    """Return the memory of a bot, ready for one of its processes; None if it has none.

    Raises:
        BotStartError, MachineError: as `MemoryFolder.prepare`.
    """
    if entrant.memory is None:
        return None
    memory = MemoryFolder(entrant.memory, entrant.limits.disk_mb, is_copied=sandbox == "bubblewrap")
    memory.prepare()
    return memory


class MemoryFolder:
    """The memory of a bot, during the life of one of its processes."""

    def __init__(self, kept: Path, disk_mb: int, *, is_copied: bool) -> None:
        """`kept`: the folder on the disk, which holds up to `disk_mb`; `is_copied`: the bot writes to a copy."""
        self._kept = kept
        self._fresh, self._old = (kept.with_name(f"{kept.name}.{state}") for state in ("new", "old"))
        self._disk_mb = disk_mb
        self._is_copied = is_copied
        self._copy = self._process = -1  # descriptors of the copy and of the sandbox's first process, once attached

    def prepare(self) -> None:
        """Make the folder, if there is none, and end the replacing of a folder that a killed run had begun.

        Raises:
            BotStartError: it holds more than it may, so that its bot is not started.
            MachineError: it cannot be made.
        """
        try:
            if self._old.exists() and not self._kept.exists():
                self._fresh.rename(self._kept)
            for folder in (self._kept.parent, self._kept):
                folder.mkdir(exist_ok=True)
                folder.chmod(0o755)  # a bot of root reads it as another user
        except OSError as error:
            text = f"the memory folder {str(self._kept)!r} cannot be made: {error.strerror}"
            raise MachineError(text, "no_sandbox") from None
        if excess := self.find_excess():
            raise BotStartError(f"{excess}, and it is not started: {str(self._kept)!r}")

    def attach(self, process: int | None) -> None:
        """Hold on to the copy, if there is one, in the sandbox of this first process, also when that has ended.

        Raises:
            MachineError: there is no way to it.
        """
        if not self._is_copied:
            return
        try:
            self._copy = os.open(f"/proc/{process}/root{PLACE}", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
            self._process = os.pidfd_open(process or 0)
        except OSError as error:
            self._detach()
            text = f"the memory folder in the sandbox cannot be reached: {error.strerror}"
            raise MachineError(text, "no_sandbox") from None

    def find_excess(self) -> str | None:
        """Return in what the folder exceeds its bounds; None if it does not.

        Of a copy only the number of files is looked at: the system lets it have no more bytes.
        """
        files = held = 0
        if not self._is_copied:
            files, held = _measure_folder(self._kept)
        elif self._copy >= 0:
            used = os.statvfs(self._copy)
            files = used.f_files - used.f_ffree - 1  # without the folder itself
        if files > MAX_KEPT_FILES:
            return f"its memory folder holds more than {MAX_KEPT_FILES:,} files and folders"
        if held > self._disk_mb * MEBIBYTE:
            return f"its memory folder holds more than {self._disk_mb:,} MiB (disk_mb)"
        return None

    def keep(self) -> str | None:
        """Replace the folder by what the copy holds; return why it is not replaced, None if it is, or is no copy.

        To be called when the bot has been killed.
        """
        if self._copy < 0:
            return None
        try:
            if not self._has_ended():
                return "its processes do not end"
            excess = self.find_excess()
            if not excess:
                self._replace()
        except OSError as error:
            return str(error)
        finally:
            self._detach()
        return excess

    def _has_ended(self) -> bool:
        """Wait for the end of the sandbox, with which all its processes end; tell whether it came."""
        ended = select.poll()
        ended.register(self._process, select.POLLIN)
        return bool(ended.poll(SANDBOX_END_SECONDS * 1000))

    def _detach(self) -> None:
        for descriptor in (self._copy, self._process):
            if descriptor >= 0:
                os.close(descriptor)
        self._copy = self._process = -1

    def _replace(self) -> None:
        """Replace the folder. Each step leaves a whole one behind, the old or the new."""
        for folder in (self._fresh, self._old):
            shutil.rmtree(folder, ignore_errors=True)
        Path(f"/proc/self/fd/{self._copy}").chmod(0o700)  # the way that needs no right to the folder
        _copy_folder(self._copy, ".", self._fresh, MAX_DEPTH)
        self._kept.rename(self._old)
        self._fresh.rename(self._kept)
        shutil.rmtree(self._old)


def check_new_memories(entrants: Iterable[Entrant]) -> None:
    """Check that the bots of a tournament that begins remember nothing.

    Raises:
        ConfigError: the memory of one holds something, of an earlier tournament.
    """
    for one in entrants:
        if one.memory and one.memory.is_dir() and any(one.memory.iterdir()):
            raise ConfigError(
                f"{one.memory}: the bot {one.name!r} has a memory of another tournament: the store has no game yet; "
                "choose another store, or remove the folder"
            )


def _measure_folder(folder: Path) -> tuple[int, int]:
    """Return the number of files and folders in a folder, and the bytes that they take on the disk.

    As soon as there are more files than are allowed, no more are counted.
    """
    files = held = 0
    for place, folders, names in os.walk(folder):
        for name in (*folders, *names):
            files += 1
            with suppress(OSError):  # it is gone
                found = os.lstat(os.path.join(place, name))  # noqa: PTH118 - called for each file
                held += found.st_blocks * 512 if hasattr(found, "st_blocks") else found.st_size  # Windows has no blocks
            if files > MAX_KEPT_FILES:
                return files, held
    return files, held


def _copy_folder(parent: int, name: str, target: Path, depth: int) -> None:
    """Copy the plain files and folders of a folder that no process has open any more, down to a depth.

    Links and files with several names are left out. What may not be read is made readable, except the folder itself.
    """
    folder = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    try:
        target.mkdir()
        target.chmod(0o755)
        for entry in os.listdir(folder):  # noqa: PTH208 - a descriptor
            found = os.stat(entry, dir_fd=folder, follow_symlinks=False)
            if stat.S_ISDIR(found.st_mode) and depth:
                os.chmod(entry, 0o700, dir_fd=folder)
                _copy_folder(folder, entry, target / entry, depth - 1)
            elif stat.S_ISREG(found.st_mode) and found.st_nlink == 1:
                os.chmod(entry, 0o600, dir_fd=folder)
                _copy_file(folder, entry, target / entry)
    finally:
        os.close(folder)


def _copy_file(folder: int, name: str, target: Path) -> None:
    """Copy what a file holds; a hole in it stays a hole."""
    source = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    try:
        with target.open("wb", buffering=0) as copy:
            size, place = os.fstat(source).st_size, 0
            while place < size:
                try:
                    place = os.lseek(source, place, os.SEEK_DATA)
                except OSError:  # a hole up to the end
                    break
                end = os.lseek(source, place, os.SEEK_HOLE)
                copy.seek(place)
                while place < end:
                    place += os.sendfile(copy.fileno(), source, place, end - place)
            copy.truncate(size)
        target.chmod(0o644)
    finally:
        os.close(source)
