"""The work space of an entrant: how it is made, copied and put back, and what the judge puts into it.

All that lies in it is a stranger's. Nothing here runs any of it or follows a link in it, and no program of the entrant
runs meanwhile. What the judge gives lies in the judge's folder too: it is put back before each round, and a file that
the entrant has changed is named.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from pitboss.errors import ConfigError
from pitboss.foreign_input import InputRefused, read_json
from pitboss.text import format_count
from pitboss_tournament.arena.journal import Usage
from pitboss_tournament.plan.limits import MEBIBYTE
from pitboss_tournament.processes.bot_contents import sync_folder

MAX_WORKSPACE_FILES: Final = 50_000  # files and folders of a work space
MAX_NESTED_FOLDERS: Final = 64  # folders in one another
MAX_COST_BYTES: Final = 10_000
COST_FILE: Final = "cost.json"
NOTES_FILE: Final = "NOTES.md"
GIT: Final = "git"
REPOSITORY: Final = ".git"
NO_SYSTEM: Final = {"GIT_CONFIG_NOSYSTEM": "1"}  # /etc/gitconfig, which a sandbox may not show: git fails then
GIT_WORDS: Final = (
    *(GIT, "-c", "init.defaultBranch=main", "-c", "user.name=arena", "-c", "user.email=arena@localhost"),
    *("-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0", "-c", "commit.gpgSign=false"),
)


def find_workspace_excess(folder: Path, max_mb: int) -> str:
    """Return in what a work space exceeds its bounds, as a sentence; "" if it does not."""
    left, entries, waiting = max_mb * MEBIBYTE, 0, [(folder, 0)]
    while waiting:
        here, depth = waiting.pop()
        try:
            with os.scandir(here) as found:
                for one in found:
                    entries += 1
                    status = one.stat(follow_symlinks=False)
                    left -= max(status.st_size, status.st_blocks * 512)  # holes are filled when it is copied
                    if stat.S_ISDIR(status.st_mode):
                        waiting.append((Path(one.path), depth + 1))
                    if left < 0:
                        return f"the work space holds more than {max_mb} MiB"
                    if entries > MAX_WORKSPACE_FILES or depth > MAX_NESTED_FOLDERS:
                        return (
                            f"the work space holds more than {format_count(MAX_WORKSPACE_FILES, 'file')}, or folders "
                            f"deeper than {MAX_NESTED_FOLDERS}"
                        )
        except OSError as error:
            return f"the work space cannot be read: {(error.strerror or '').lower()}"
    return ""


def copy_folder(source: Path, target: Path) -> None:
    """Copy a work space within its bounds to a path where nothing lies; it is there whole or not at all.

    Links stay links. What is neither a file, a folder nor a link is left out, and a file that cannot be read, too.
    """
    part = target.with_name(f".{target.name}.part")
    delete_folder(part)
    part.mkdir(parents=True)
    waiting = [Path()]
    while waiting:
        here = waiting.pop()
        for path in sorted((source / here).iterdir()):
            copy = part / here / path.name
            mode = path.lstat().st_mode
            with suppress(OSError):
                if stat.S_ISLNK(mode):
                    copy.symlink_to(path.readlink())
                elif stat.S_ISDIR(mode):
                    copy.mkdir()
                    waiting.append(here / path.name)
                elif stat.S_ISREG(mode):
                    shutil.copy2(path, copy, follow_symlinks=False)
    part.rename(target)
    sync_folder(target.parent)


def delete_folder(folder: Path) -> None:
    """Delete a folder of a stranger's, whatever lies in it, if there is one."""
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    elif folder.exists():
        with suppress(OSError, RecursionError):
            shutil.rmtree(folder)
        if folder.exists():  # too deep for Python, or without permissions
            subprocess.run(["chmod", "-R", "u+rwX", str(folder)], check=False, capture_output=True)
            subprocess.run(["rm", "-rf", str(folder)], check=False, capture_output=True)
    if folder.exists():
        raise ConfigError(f"{folder}: cannot be deleted; delete it by hand")


def list_given(given: Path) -> Iterator[Path]:
    """Yield the files that the judge has for a work space, by their paths from its top."""
    yield from sorted(path.relative_to(given) for path in given.rglob("*") if path.is_file())


def put_given(given: Path, workspace: Path) -> None:
    """Put the judge's files into a work space, over whatever lies there."""
    workspace.chmod(0o755)
    for name in list_given(given):
        here = workspace
        for part in name.parts[:-1]:
            here /= part
            if here.is_symlink() or not here.is_dir():
                delete_folder(here)
                here.mkdir()
            here.chmod(0o755)
        target = here / name.name
        delete_folder(target)
        with target.open("xb") as file:
            file.write((given / name).read_bytes())


def find_tampered(given: Path, workspace: Path) -> list[str]:
    """Return the judge's files in a work space that are not what the judge gave, by their paths."""
    return [str(name) for name in list_given(given) if _read_inside(workspace, name) != (given / name).read_bytes()]


def _read_inside(folder: Path, name: Path, limit: int = 64 * MEBIBYTE) -> bytes | None:
    """Return what a regular file in a stranger's folder holds; None if there is none, or a link is on the way."""
    here = folder
    for part in name.parts:
        here /= part
        if here.is_symlink():
            return None
    try:
        descriptor = os.open(here, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor
        return file.read(limit) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None


def read_usage(workspace: Path) -> Usage | None:
    """Return what an entrant's command says that its edit has cost; None if it says nothing that can be read."""
    content = _read_inside(workspace, Path(COST_FILE), MAX_COST_BYTES)
    try:
        return None if content is None else read_json(content, Usage)
    except InputRefused:
        return None


def begin_repository(workspace: Path) -> None:
    """Make a new work space a repository of git, if git is there. No entrant has run yet.

    Raises:
        ConfigError: git refuses.
    """
    if shutil.which(GIT) is None:
        return
    for words in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "-m", "Begin"]):
        done = subprocess.run(
            [*GIT_WORDS, *words], cwd=workspace, check=False, capture_output=True, env=_git_environment()
        )
        if done.returncode:
            said = " ".join(done.stderr.decode("utf-8", "replace").split())
            raise ConfigError(f"{workspace}: it cannot become a repository of git: {said}")


def _git_environment() -> Mapping[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": "/nonexistent", **NO_SYSTEM}
