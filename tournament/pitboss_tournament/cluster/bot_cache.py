"""Bots on a machine that they have travelled to: each unpacked and built once, in a folder of bounded size.

A bot's files are read-only, and are looked at whenever the bot is asked for: files that have changed are thrown away,
so that the bot is sent again.

Several processes of one machine, or of several with the same home folder, share the cache: a lock for each bot lets one
unpack and build it while the others wait, and keeps bots in use from being removed. Builds for different kinds of
machine lie apart.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final, NamedTuple

import msgspec

from pitboss_tournament.authoring.bot_build import BuildRules, announce_nothing, build
from pitboss_tournament.cluster.bot_archive import BotArchive, unpack_files
from pitboss_tournament.processes.bot_contents import digest_files
from pitboss_tournament.processes.sealed_folder import remove_folder, seal_folder

MAX_CACHED_BYTES: Final = 2 << 30  # of all bots; those in use may be more
FILES: Final = "files"  # of a bot, in its folder of the cache
DONE: Final = "done"  # their digests, once they are complete; its time is when the bot was last used


def find_cache() -> Path:
    """Return the folder of the cache."""
    base = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return Path(base) / "pitboss" / "bots"


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
            self._held[digest] = self._lock(digest, fcntl.LOCK_SH)
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
            with self._lock(archive.digest, fcntl.LOCK_EX):
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

    def _lock(self, digest: str, kind: int) -> IO[bytes]:
        """Return the open lock of a bot; closing it releases the lock."""
        self._folder.mkdir(parents=True, exist_ok=True)
        lock = self._place(digest).with_suffix(".lock").open("ab")
        fcntl.flock(lock, kind)
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
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
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
