"""What a bot consists of: its source files, and a digest of each, by which changed code is told from the same.

Files of a bot's folder are its own; for a command those that it names. Not among them are hidden files, caches of
Python, `build/`, which is made of the sources, stores and the memories of bots beside them. A program that is found by
its name is the machine's, and the bots of Pitboss and of plugins are what is installed: they have no digest.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from pitboss_tournament.plan.paths import BOT_FILE, BUILD_FOLDER, STORE_ENDING
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.visible_paths import find_named_files, is_system

MAX_FILES: Final = 1_000  # of a bot that are told apart; of more there is one digest
DIGEST_DIGITS: Final = 16
ALL_FILES: Final = "its files"  # the name of that one digest

_PYTHON_CACHE: Final = "__pycache__"


def list_source_files(folder: Path) -> Iterator[Path]:
    """Yield the files below a bot's folder that a build, or a game, may depend on."""
    for here, folders, names in os.walk(folder):
        is_top = Path(here) == folder
        folders[:] = [
            name
            for name in folders
            if name[0] != "."
            and name != _PYTHON_CACHE
            and STORE_ENDING not in name
            and not (is_top and name == BUILD_FOLDER)
        ]
        yield from (Path(here, name) for name in names if name[0] != ".")


def digest_bot(entrant: Entrant) -> dict[str, str]:
    """Return a digest of each of a bot's files, by its path from the bot's folder; empty if it has none of its own.

    The digest is the beginning of SHA-256 of the contents, with an "x" behind it if the file may be run. A file that
    cannot be read has none.
    """
    folder, found = entrant.folder, dict[str, str]()
    if folder is None:
        return found
    is_own = (folder / BOT_FILE).is_file()
    for path in list_source_files(folder) if is_own else _list_named_files(entrant, folder):
        if STORE_ENDING not in path.name:
            with suppress(OSError):
                name = str(path.relative_to(folder) if path.is_relative_to(folder) else path)
                found[name] = _digest_file(path)
    if len(found) <= MAX_FILES:
        return found
    return {ALL_FILES: hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()[:DIGEST_DIGITS]}


def find_changed_files(was: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Return the files that were changed, added or removed, sorted."""
    return sorted(name for name in {*was, *now} if was.get(name) != now.get(name))


def _list_named_files(entrant: Entrant, folder: Path) -> Iterator[Path]:
    """Yield the files that a plain command names; its program only if it lies in the folder."""
    program, *_ = entrant.command
    for file in find_named_files(entrant.command, folder):
        if str(file) != program or (file.is_relative_to(folder) and not is_system(file)):
            yield file


def _digest_file(path: Path) -> str:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()[:DIGEST_DIGITS]
        return digest + ("x" if os.fstat(file.fileno()).st_mode & 0o111 else "")
