"""Bots that travel to other machines: packed into an archive here, unpacked and built once in a cache there.

An archive is known by a digest of what it holds. A bot's folder travels with all that may be needed to build and to run
it: its own files without caches, hidden files and, if there is a build step, `build/`, which each machine builds for
itself. Of a plain command the folders of the files that it names travel, as the sandbox shows them, and the command
without the paths of a machine. Links that lead out of the folder do not travel: they would show a file of the
organiser's to the bot.

The cache is a folder of bounded size. A bot's files in it are read-only, and are looked at whenever the bot is asked
for: files that have changed are thrown away, so that the bot is sent again. Several processes of one machine, or of
several with the same home folder, share the cache: a lock for each bot lets one unpack and build it while the others
wait, and keeps bots in use from being removed. Builds for different kinds of machine lie apart.
"""

from __future__ import annotations

import hashlib
import io
import os
import sys
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import IO, Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.authoring.bot_build import BuildRules, announce_nothing, build
from pitboss_tournament.config.bot_file import read_bot_file
from pitboss_tournament.config.entrants import check_exists
from pitboss_tournament.plan.paths import BOT_FILE, BUILD_FOLDER, PYTHON, STORE_ENDING
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.bot_contents import (
    MAX_FILES,
    describe_changed_files,
    digest_bot,
    digest_files,
    find_changed_files,
    list_source_files,
    remove_folder,
    seal_folder,
)
from pitboss_tournament.processes.file_lock import lock_file
from pitboss_tournament.processes.visible_paths import enclosing_folder, find_named_files

MAX_CACHED_BYTES: Final = 2 << 30  # of all bots; those in use may be more
FILES: Final = "files"  # of a bot, in its folder of the cache
DONE: Final = "done"  # their digests, once they are complete; its time is when the bot was last used

FOLDER_WORD: Final = "{folder}"  # in a command that travels: the bot's folder
ARCHIVE_DIGITS: Final = 24
MAX_COMMAND_FILES: Final = 1_000  # that travel with a plain command
RUN_BITS: Final = 0o111


def find_cache() -> Path:
    """Return the folder of the cache."""
    base = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return Path(base) / "pitboss" / "bots"


class BotArchive(Struct, frozen=True):
    """The files of a bot."""

    digest: str
    content: bytes  # a zip file
    has_build: bool  # there is a build step to run


def pack_bot(entrant: Entrant) -> tuple[Entrant, BotArchive | None]:
    """Return a bot as it travels, its folder being its digest, and its files; None if it has none.

    Raises:
        ConfigError: it cannot travel.
    """
    if entrant.memory is not None:
        raise ConfigError(f"{entrant.name} has a memory, which is a folder of this machine; others cannot play with it")
    if entrant.limits.read:
        raise ConfigError(
            f"{entrant.name} may read {', '.join(entrant.limits.read)} (limits.read), which are files of this machine; "
            "put what it needs into its folder"
        )
    if entrant.contents and (changed := find_changed_files(dict(entrant.contents), digest_bot(entrant))):
        raise ConfigError(describe_changed_files(entrant, changed))
    archive = None if entrant.folder is None else _pack_folder(entrant, entrant.folder)
    command = tuple(_generalize_word(word, entrant.folder) for word in entrant.command)
    folder = None if archive is None else Path(archive.digest)
    return replace(entrant, command=command, folder=folder, hidden=(), contents=()), archive


def localize_bot(entrant: Entrant, folder: Path | None, contents: Mapping[str, str]) -> Entrant:
    """Return a bot that has travelled as it is started here, in the folder where its files are; `contents` are these.

    Raises:
        ConfigError: there is no such program here.
    """
    command = tuple(
        word.replace(PYTHON, sys.executable).replace(FOLDER_WORD, str(folder or "")) for word in entrant.command
    )
    named = tuple(contents.items()) if len(contents) <= MAX_FILES else ()  # too many to be told with each batch
    here = replace(entrant, command=command, folder=folder, contents=named)
    check_exists(here)
    return here


def unpack_files(content: bytes, folder: Path) -> None:
    """Write the files of an archive into a folder, readable for everybody.

    Raises:
        OSError: a file cannot be written.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for info in archive.infolist():
            path = folder / info.filename
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.read(info))
            path.chmod(0o755 if info.external_attr >> 16 & RUN_BITS else 0o644)
    for place in (folder, *folder.rglob("*")):
        if place.is_dir():
            place.chmod(0o755)


def _pack_folder(entrant: Entrant, folder: Path) -> BotArchive | None:
    """Return the files of a bot; None if its command names none."""
    is_own = (folder / BOT_FILE).is_file()
    has_build = is_own and read_bot_file(folder)[1].build is not None
    files = _list_own_files(folder, has_build) if is_own else set(_list_command_files(entrant, folder))
    digest, out = hashlib.sha256(b"build" if has_build else b""), io.BytesIO()
    names = list[str]()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for path in sorted(files):
            info = zipfile.ZipInfo(path.relative_to(folder).as_posix())
            info.external_attr = (path.stat().st_mode & RUN_BITS or 0o644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            content = path.read_bytes()
            digest.update(f"\n{info.filename}\n{info.external_attr}\n{len(content)}\n".encode())
            digest.update(content)
            archive.writestr(info, content)
            names.append(info.filename)
    return BotArchive(digest.hexdigest()[:ARCHIVE_DIGITS], out.getvalue(), has_build) if names else None


def _list_own_files(folder: Path, has_build: bool) -> Iterator[Path]:
    """Yield the files of a bot's folder that travel."""
    built = [] if has_build else (folder / BUILD_FOLDER).rglob("*")
    for path in (*list_source_files(folder), *built):
        if STORE_ENDING not in path.name and path.is_file() and path.resolve().is_relative_to(folder.resolve()):
            yield path


def _list_command_files(entrant: Entrant, folder: Path) -> Iterator[Path]:
    for path in find_named_files(entrant.command, folder):
        if not path.is_relative_to(folder):
            if str(path) == entrant.command[0]:
                continue  # a program that every machine must have
            raise ConfigError(
                f"{entrant.name} is a command with the file {str(path)!r}, which is not below {str(folder)!r}; "
                f"to play on other machines, give the bot a folder with a {BOT_FILE}"
            )
        place = enclosing_folder(path)
        files = [path] if place == path else list(islice(_list_own_files(place, has_build=True), MAX_COMMAND_FILES + 1))
        if len(files) > MAX_COMMAND_FILES:
            raise ConfigError(
                f"{entrant.name} is a command with a file in {str(place)!r}, which holds more than {MAX_COMMAND_FILES} "
                f"files; to play on other machines, give the bot a folder of its own with a {BOT_FILE}"
            )
        yield from (path, *files)


def _generalize_word(word: str, folder: Path | None) -> str:
    """Return a word of a command without this machine's Python and the bot's folder in it."""
    if folder is not None and (inside := f"{folder}{os.sep}") in word:
        word = word.replace(inside, f"{FOLDER_WORD}/").replace(os.sep, "/")
    return PYTHON if word == sys.executable else word


class CachedBot(NamedTuple):
    """A bot that is complete here."""

    folder: Path
    contents: dict[str, str]  # the digest of each file, also of those that the build has made


class BotCache:
    """The bots that a process uses, each kept for it until `close`."""

    def __init__(self, folder: Path, kind: str, max_bytes: int = MAX_CACHED_BYTES) -> None:
        """Use a cache; `kind` is the kind of machine for which bots are built."""
        self._folder = folder
        self._kind = hashlib.sha256(kind.encode()).hexdigest()[:8]
        self._max_bytes = max_bytes
        self._held: dict[str, IO[bytes]] = {}  # open locks, by digest

    def find(self, digest: str) -> CachedBot | None:
        """Return a bot, whose files then stay; None if it is not complete here. Changed files are removed."""
        place = self._place(digest)
        if digest not in self._held:
            if not (place / DONE).is_file():
                return None
            self._held[digest] = self._lock(digest, is_shared=True)
        if (contents := _read_contents(place)) is None:
            self._release(digest)
            self._remove_changed(place)
            return None
        os.utime(place / DONE)
        return CachedBot(place / FILES, contents)

    def add(self, archive: BotArchive, rules: BuildRules) -> CachedBot:
        """Return a bot, unpacked and built unless another process has done so.

        Raises:
            ConfigError: it cannot be built here.
            OSError: it cannot be written.
        """
        while (found := self.find(archive.digest)) is None:
            place = self._place(archive.digest)
            with self._lock(archive.digest, is_shared=False):
                if not (place / DONE).is_file():
                    _remove(place)
                    try:
                        (place / FILES).mkdir(parents=True)
                        place.chmod(0o755)
                        unpack_files(archive.content, place / FILES)
                        if archive.has_build:
                            build(place / FILES, announce_nothing, rules, is_shown=False)
                        seal_folder(place / FILES)
                        (place / DONE).write_bytes(msgspec.json.encode(digest_files(place / FILES)))
                    except BaseException:
                        _remove(place)
                        raise
        self._remove_old()
        return found

    def close(self) -> None:
        """Let go of all bots."""
        for digest in list(self._held):
            self._release(digest)

    def _place(self, digest: str) -> Path:
        return self._folder / f"{digest}-{self._kind}"

    def _lock(self, digest: str, *, is_shared: bool) -> IO[bytes]:
        """Return the open lock of a bot; closing it releases the lock."""
        self._folder.mkdir(parents=True, exist_ok=True)
        lock = self._place(digest).with_suffix(".lock").open("ab")
        lock_file(lock.fileno(), waits=True, is_shared=is_shared)
        return lock

    def _release(self, digest: str) -> None:
        self._held.pop(digest).close()

    def _remove_old(self) -> None:
        """Remove bots that nobody uses, those first that were used longest ago, until the rest is small enough."""
        places = sorted(self._list_places(), key=_last_use)
        sizes = {place: _measure(place) for place in places}
        too_much = sum(sizes.values()) - self._max_bytes
        for place in places:
            if too_much <= 0:
                break
            with self._try_lock(place) as is_unused:
                if is_unused:
                    _remove(place)
                    too_much -= sizes[place]

    def _remove_changed(self, place: Path) -> None:
        """Remove a bot whose files changed, with its lock: who uses the bot has to notice it at the next start."""
        with suppress(OSError):  # another process was first
            aside = place.rename(place.with_name(f"{place.name}.{os.getpid()}"))
            place.with_suffix(".lock").rename(aside.with_suffix(".lock"))
            _remove(aside)
            aside.with_suffix(".lock").unlink()

    def _list_places(self) -> Iterator[Path]:
        yield from (place for place in self._folder.iterdir() if place.is_dir())

    @contextmanager
    def _try_lock(self, place: Path) -> Iterator[bool]:
        with place.with_suffix(".lock").open("ab") as lock:
            try:
                lock_file(lock.fileno(), waits=False)
            except OSError:
                yield False
            else:
                yield True


def _read_contents(place: Path) -> dict[str, str] | None:
    """Return the digests of a bot's files; None if the bot is not there, or its files are not what was unpacked."""
    with suppress(OSError, msgspec.MsgspecError):
        contents = msgspec.json.decode((place / DONE).read_bytes(), type=dict[str, str])
        if digest_files(place / FILES) == contents:
            return contents
    return None


def _remove(place: Path) -> None:
    with suppress(OSError):
        remove_folder(place)


def _last_use(place: Path) -> float:
    with suppress(OSError):
        return (place / DONE).stat().st_mtime
    return 0.0


def _measure(place: Path) -> int:
    """Return the bytes of the files in a folder, as far as they can be seen."""
    whole = 0
    for here, _, names in os.walk(place):
        for name in names:
            with suppress(OSError):
                whole += Path(here, name).lstat().st_size
    return whole
