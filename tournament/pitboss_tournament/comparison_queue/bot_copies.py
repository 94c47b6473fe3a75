"""The copies of bots that a queue keeps, so that what is compared does not change: named by commit, or by contents."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.plugins.registry import Registry
from pitboss_tournament.comparison_queue.entry import QueuedBot
from pitboss_tournament.comparison_queue.git_revisions import (
    GIT_PREFIX,
    GitRevision,
    export_revision,
    resolve_revision,
)
from pitboss_tournament.config.bot_file import read_bot_file
from pitboss_tournament.config.named_bots import resolve_named_bot
from pitboss_tournament.plan.paths import BUILD_FOLDER, STORE_ENDING, make_file_name
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.bot_contents import digest_bot
from pitboss_tournament.store.header import Entry

ADDRESS_DIGITS: Final = 16
NOT_COPIED: Final = frozenset({".git", "__pycache__"})
_PART: Final = ".part"


def keep_bot(spec: str, base: Path, copies: Path, registry: Registry) -> QueuedBot:
    """Return a bot that the person calls so in the folder `base`.

    If it is a folder, or one of git, `copies` gets a copy of it. One writer at a time; what an earlier one has left
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
            or (is_top and has_build and name == BUILD_FOLDER)  # it is built anew
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
    with suppress(PermissionError):  # a file that even its owner may not read
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
