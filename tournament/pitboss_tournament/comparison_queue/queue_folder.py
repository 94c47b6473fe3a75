"""The folder of a queue: `0001.json` is an entry, `0001.pitboss` the store of its games, `bots/` has copies of bots.

An entry says which two bots are compared, how, and with which result. Copies are named by commit, or by contents, so
that what is compared does not change. Whoever changes entries holds a lock for a moment, and a run holds another one to
its end. A file is written aside and renamed when it is on the disk, so that whoever is killed at any moment leaves the
old one or the new one.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import ConfigError, PitbossError
from pitboss.plugins.registry import Registry
from pitboss.text import truncate_text
from pitboss_tournament.comparison_queue.git_revisions import (
    GIT_PREFIX,
    GitRevision,
    export_revision,
    find_top,
    resolve_revision,
)
from pitboss_tournament.config.bot_file import read_bot_file
from pitboss_tournament.config.entrants import resolve_named_bot
from pitboss_tournament.config.versions import ComparisonSettings
from pitboss_tournament.plan.paths import BUILD_FOLDER, STORE_ENDING, make_file_name, memories_folder
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.bot_contents import digest_bot
from pitboss_tournament.processes.file_lock import lock_file
from pitboss_tournament.showing.version_comparison import ComparisonReport
from pitboss_tournament.store.header import SHOWN_DIGITS, Entry
from pitboss_tournament.store.store_lock import find_holder, is_locked, try_lock

QUEUE_FOLDER: Final = ".pitboss-queue"
CHANGES_LOCK: Final = "changes.lock"
RUN_LOCK: Final = "run.lock"
COPIES_FOLDER: Final = "bots"
_ENTRY_ENDING: Final = ".json"
_REMOVED_ENDING: Final = ".removed"  # so that a number is used once

EntryState: TypeAlias = Literal["waits", "runs", "ended", "failed"]
COMMIT_DIGITS: Final = 7  # of a commit that are shown
SUBJECT_WIDTH: Final = 40

ADDRESS_DIGITS: Final = 16
NOT_COPIED: Final = frozenset({".git", "__pycache__"})
_PART: Final = ".part"


class QueuedBot(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A bot as it was when the comparison was queued."""

    spec: str  # as the person called it
    copy: str = ""  # the folder of the queue with its files; "": it is what `spec` means
    digest: str = ""  # of the files of the copy
    commit: str = ""  # the revision that the copy is of, as a hash
    subject: str = ""  # the first line of its message

    @property
    def label(self) -> str:
        """What the person called it, and which one that was: "git:main (1a2b3c4 Discard the highest)"."""
        if self.commit:
            return f"{self.spec} ({self.commit[:COMMIT_DIGITS]} {truncate_text(self.subject, SUBJECT_WIDTH)})"
        return f"{self.spec} (digest {self.digest[:SHOWN_DIGITS]})" if self.digest else self.spec


class QueueEntry(Struct, frozen=True, kw_only=True):
    """A comparison of a queue, as its file has it."""

    number: int
    added: str  # in UTC
    base: str  # the folder in which the bots are called so
    old: QueuedBot
    new: QueuedBot
    among: QueuedBot | None = None  # None: the game's house bot, or nobody
    comparison: ComparisonSettings
    state: EntryState = "waits"  # runs: it was begun; whether it is played now, the queue's lock tells
    report: ComparisonReport | None = None  # if it has ended
    why: tuple[str, ...] = ()  # if it has failed: a sentence, and the evidence line by line

    @property
    def title(self) -> str:
        """Number, game and the two bots."""
        return f"{self.number}: {self.comparison.settings.game}, {self.old.label} against {self.new.label}"

    @property
    def is_open(self) -> bool:
        """Whether it is still to be played, or to be played on."""
        return self.state in ("waits", "runs")


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
                    f"{self.folder}: {self._tell_holder()} already plays this queue, and also plays what you add"
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
            lock_file(lock.fileno(), waits=True)
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
        _sync(self.folder)

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


def keep_bot(spec: str, base: Path, copies: Path, registry: Registry) -> QueuedBot:
    """Return a bot that the person calls so in the folder `base`.

    If it is a folder, or one of git, `copies` gets a copy. One writer at a time; what an earlier one has left
    half written is overwritten.

    Raises:
        ConfigError: it is not in git, its folder holds no `bot.toml` or a wrong one, or it cannot be read.
        OSError: the copy cannot be written.
    """
    if spec.startswith(GIT_PREFIX):
        return _keep_revision(resolve_revision(spec, base), copies)
    if not resolve_named_bot(spec, registry.bots) and (base / spec).is_dir():
        return _keep_folder(spec, (base / spec).resolve(), copies)
    return QueuedBot(spec=spec)


def sweep_copies(copies: Path, used: Collection[str]) -> None:
    """Remove the copies that no entry uses."""
    kept = {name.split("/")[0] for name in used}
    for path in copies.iterdir() if copies.is_dir() else ():
        if path.name not in kept:
            shutil.rmtree(path, ignore_errors=True)


def _keep_revision(revision: GitRevision, copies: Path) -> QueuedBot:
    place = hashlib.sha256(revision.folder.encode()).hexdigest()[:8]
    address = f"git-{revision.commit}{'' if revision.folder == '.' else f'-{make_file_name(revision.name)}-{place}'}"
    if not (copies / address).is_dir():
        _write_copy(copies, revision.name, lambda to: export_revision(revision, to), lambda _: address)
    bot = _describe_copy(revision.spec, f"{address}/{revision.name}", copies)
    return replace(bot, commit=revision.commit, subject=revision.subject)


def _keep_folder(spec: str, folder: Path, copies: Path) -> QueuedBot:
    has_build = read_bot_file(folder)[1].build is not None

    def leave_out(here: str, names: list[str]) -> set[str]:
        is_top = Path(here) == folder
        return {
            name
            for name in names
            if name in NOT_COPIED
            or STORE_ENDING in name
            or (is_top and has_build and name == BUILD_FOLDER)  # rebuilt
            or Path(here, name) == copies.parent
            or not _is_copied(Path(here, name))
        }

    def copy(to: Path) -> None:
        try:
            shutil.copytree(folder, to, symlinks=True, ignore=leave_out)
        except shutil.Error as error:
            first = error.args[0][0]
            raise ConfigError(f"{first[0]}: cannot be copied into the queue: {first[2]}") from None

    name = folder.name or "bot"
    address = _write_copy(copies, name, copy, _digest_tree)
    return _describe_copy(spec, f"{address}/{name}", copies)


def _write_copy(copies: Path, name: str, write: Callable[[Path], None], find_address: Callable[[Path], str]) -> str:
    """Write a copy aside, and put it in its place when it is on the disk; return the address of that place."""
    part = copies / _PART
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    write(part / name)
    for path in part.iterdir():
        if path.name != name:
            shutil.rmtree(path)
    address = find_address(part / name)
    if (copies / address).is_dir():
        shutil.rmtree(part)
        return address
    _sync_tree(part)
    part.rename(copies / address)
    _sync(copies)
    return address


def _describe_copy(spec: str, copy: str, copies: Path) -> QueuedBot:
    contents = digest_bot(Entrant(name="bot", command=("true",), folder=copies / copy))
    return QueuedBot(spec=spec, copy=copy, digest=Entry(name="bot", command=(), contents=contents).digest)


def _is_copied(path: Path) -> bool:
    """Whether it is a file, a folder or a link: a pipe would be waited for."""
    kind = path.lstat().st_mode
    return stat.S_ISREG(kind) or stat.S_ISDIR(kind) or stat.S_ISLNK(kind)


def _digest_tree(folder: Path) -> str:
    """Return a digest of all that lies in a folder: names, contents, links and run bits."""
    digest = hashlib.sha256(folder.name.encode())
    for path in sorted(folder.rglob("*")):
        kind, content = "folder", b""
        if path.is_symlink():
            kind, content = "link", os.fsencode(path.readlink())
        elif path.is_file():
            kind = "program" if path.stat().st_mode & 0o111 else "file"
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").digest()
        digest.update(repr((str(path.relative_to(folder)), kind, content)).encode())
    return digest.hexdigest()[:ADDRESS_DIGITS]


def _sync_tree(folder: Path) -> None:
    """Wait until all of a folder is on the disk."""
    for here, _, names in os.walk(folder):
        for path in (*(Path(here, name) for name in names), Path(here)):
            if not path.is_symlink():
                _sync(path)


def _sync(path: Path) -> None:
    with suppress(PermissionError):  # a file that even its owner may not read, or a folder on Windows
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
