"""Files and folders as bubblewrap mounts them for a bot, as words of its command.

A folder is mounted whole, unless something in it must stay hidden (the tournament's store, which holds the seed): then
its entries are mounted one by one, so that entries that appear later stay hidden too. Sockets and named pipes do not
come along with the folder that they lie in.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from pitboss.errors import ConfigError

MAX_ENTRIES: Final = 400  # mounted one by one: bubblewrap takes 9,000 arguments, and each mount costs time
_SQLITE_SUFFIXES: Final = ("", "-wal", "-shm", "-journal")


def bind_args(path: Path, hidden: Iterable[Path] = ()) -> list[str]:
    """Return bubblewrap arguments that mount `path` read-only, except what is in `hidden`, sockets and named pipes.

    A socket comes along if it is `path` itself.

    Raises:
        ConfigError: the folder is too large to be mounted in parts.
    """
    words = list(_iter_bind_args(path, _list_secret_files(tuple(hidden))))
    if len(words) > 3 * MAX_ENTRIES:
        raise ConfigError(
            f"the folder {str(path)!r} holds a bot and the tournament's files; the sandbox hides these files only in "
            f"folders of up to {MAX_ENTRIES} entries; give the bot a folder of its own"
        )
    return words


def find_readable_parts(path: Path, hidden: Iterable[Path] = ()) -> tuple[list[Path], list[Path]]:
    """Return what of `path` to show without `hidden`: (whole files and folders, folders of which the names alone)."""
    secret = _list_secret_files(tuple(hidden))
    whole, listed = list[Path](), list[Path]()
    waiting = [path]
    for part in waiting:
        real = part.resolve()
        if not part.is_dir() or not any(file.is_relative_to(real) for file in secret):
            whole += [] if real in secret else [part]
            continue
        listed.append(part)
        waiting += [one for one in sorted(part.iterdir()) if not one.is_symlink() and (one.is_file() or one.is_dir())]
    return whole, listed


def bind_args_for_all(path: Path) -> list[str]:
    """Return bubblewrap arguments that mount `path` for every user, entry by entry where a folder is private."""
    return list(_iter_bind_args(path, set(), is_for_all=True))


def find_locked_folder(path: Path) -> Path | None:
    """Return the outermost folder on the way to `path` that other users cannot enter; None if there is none."""
    for place in (*reversed(path.parents), path):
        needed = 0o005 if place == path else 0o001
        if place.is_dir() and place.stat().st_mode & needed != needed:
            return place
    return None


@lru_cache(8)
def _list_secret_files(hidden: Sequence[Path]) -> frozenset[Path]:
    """Return the files to hide, and what SQLite writes beside them."""
    return frozenset(Path(f"{file.resolve()}{ending}") for file in hidden for ending in _SQLITE_SUFFIXES)


def _iter_bind_args(path: Path, secret: Collection[Path], *, is_for_all: bool = False) -> Iterator[str]:
    real = path.resolve()
    if real in secret:
        return
    is_private = is_for_all and path.stat().st_mode & 0o005 != 0o005
    if not path.is_dir() or not (is_private or any(real in (file, *file.parents) for file in secret)):
        yield from ("--ro-bind", str(path), str(path))
        for special in () if is_for_all or not path.is_dir() else _list_special_files(path):
            yield from ("--ro-bind", "/dev/null", special)
        return
    yield from ("--dir", str(path))
    for entry in sorted(path.iterdir()):
        if entry.is_symlink():
            yield from ("--symlink", str(entry.readlink()), str(entry))
        elif entry.is_file() or entry.is_dir():
            yield from _iter_bind_args(entry, secret, is_for_all=is_for_all)


@cache
def _list_special_files(folder: Path) -> tuple[str, ...]:
    """Return what `_find_special_files` finds, once: an installation that a thousand bots are shown is large."""
    return tuple(_find_special_files(folder))


def _find_special_files(folder: Path) -> Iterator[str]:
    """Yield what in a folder is no file, folder or link: a bot that sees a socket can ask the process behind it.

    A folder that the runner cannot read is left out: a bot cannot read it either.
    """
    waiting = [str(folder)]
    while waiting:
        try:
            entries = os.scandir(waiting.pop())
        except OSError:
            continue
        with entries:
            for entry in entries:
                if entry.is_file(follow_symlinks=False):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif not entry.is_symlink():
                    yield entry.path
