"""Folders that are read-only for good: the files of a bot that was sent here, once they are complete."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path
from typing import Final

WRITE_BITS: Final = 0o222


def seal_folder(folder: Path) -> None:
    """Make a folder read-only, for good; all of it is on the disk before its own permission goes."""
    for path in sorted(list_entries(folder), reverse=True):
        mode = path.lstat().st_mode
        if stat.S_ISREG(mode):
            path.chmod(0o555 if mode & 0o111 else 0o444)
            with path.open("rb") as file:
                os.fsync(file.fileno())
        elif stat.S_ISDIR(mode):
            path.chmod(0o555)
            sync_folder(path)
    sync_folder(folder)
    folder.chmod(0o555)
    sync_folder(folder)
    sync_folder(folder.parent)


def is_sealed(folder: Path) -> bool:
    """Whether a folder is complete."""
    return folder.is_dir() and not folder.stat().st_mode & WRITE_BITS


def remove_folder(folder: Path) -> None:
    """Remove a folder, sealed or not, if there is one."""
    if not folder.is_dir():
        return
    folder.chmod(0o755)
    for path in list_entries(folder):
        if stat.S_ISDIR(path.lstat().st_mode):
            path.chmod(0o755)
    shutil.rmtree(folder)


def list_entries(folder: Path) -> list[Path]:
    """Return all that is in a folder, without following links; a folder before what is in it."""
    found: list[Path] = []
    waiting = [folder]
    while waiting:
        for path in sorted(waiting.pop().iterdir()):
            found.append(path)
            if stat.S_ISDIR(path.lstat().st_mode):
                waiting.append(path)
    return found


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
