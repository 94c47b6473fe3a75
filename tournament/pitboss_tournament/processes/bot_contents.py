"""What a bot consists of: its source files, and a digest of each, by which changed code is told from the same.

Files of a bot's folder are its own; for a command those that it names. Not among them are hidden files, caches of
Python, `build/`, which is made of the sources, stores with the memories of bots beside them, and what a `.gitignore`
names. A program that is found by its name is the machine's, and the bots of Pitboss and of plugins are what is
installed: they have no digest.

The files of a bot that was sent here are sealed: read-only for good, once they are complete.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from pitboss.rendering.model_words import PROMPT_WORDS
from pitboss_tournament.plan.paths import BOT_FILE, BUILD_FOLDER, STORE_ENDING
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.start_errors import MachineError
from pitboss_tournament.processes.visible_paths import find_named_files, is_system
from pitboss_tournament.text.differences import join_some

MAX_FILES: Final = 1_000  # of a bot that have digests of their own; more files have one digest together
DIGEST_DIGITS: Final = 16
CACHED_BYTES: Final = 1 << 20  # of a file whose digest is kept from run to run: models are large
ALL_FILES: Final = "its files"  # the name of that one digest
PROMPT_FILES: Final = ("prompt.md", "GAME.md")  # of a folder, as the house's bot of language models reads them
PROMPT_DIGITS: Final = 12  # of the digest of a prompt

_PYTHON_CACHE: Final = "__pycache__"
_UNASKED: Final = ("name", "budget_usd", "budget_tokens")  # keys of [model] that change nothing of what is asked
_IGNORE_FILE: Final = ".gitignore"

WRITE_BITS: Final = 0o222


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
    """Return a digest of each of a bot's files, by its path from the bot's folder, sorted; empty if it has none.

    The digest is the beginning of SHA-256 of the contents, with an "x" behind it if the file may be run. A file that
    cannot be read has none.
    """
    folder, found = entrant.folder, dict[str, str]()
    if folder is None:
        return found
    is_own = (folder / BOT_FILE).is_file()
    for path in list_own_files(folder) if is_own else _list_named_files(entrant, folder):
        if STORE_ENDING not in path.name and path.is_file():
            with suppress(OSError):
                name = str(path.relative_to(folder) if path.is_relative_to(folder) else path)
                found[name] = _digest_file(path)
    if len(found) <= MAX_FILES:
        return dict(sorted(found.items()))
    return {ALL_FILES: hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()[:DIGEST_DIGITS]}


def digest_prompt(entrant: Entrant) -> str:
    """Return a digest of how a bot asks its model; "" if it asks none.

    The digest is of prompt.md and GAME.md in its folder, of the settings in [model] but for the model's name and the
    budgets, and of the number of the words for models. What else code of its own may ask is in its files alone.
    """
    if entrant.model is None:
        return ""
    settings = {name: value for name, value in msgspec.to_builtins(entrant.model).items() if name not in _UNASKED}
    digest = hashlib.sha256(msgspec.json.encode([PROMPT_WORDS, sorted(settings.items())]))
    for name in PROMPT_FILES:
        path = None if entrant.folder is None else entrant.folder / name
        digest.update(path.read_bytes() if path is not None and path.is_file() else b"")
        digest.update(b"\0")
    return digest.hexdigest()[:PROMPT_DIGITS]


def digest_files(folder: Path) -> dict[str, str]:
    """Return a digest of each file below a folder, as `digest_bot`; of a link, where it leads."""
    found = dict[str, str]()
    for path in list_entries(folder):
        if path.is_symlink():
            found[str(path.relative_to(folder))] = f"to {path.readlink()}"
        elif path.is_file():
            found[str(path.relative_to(folder))] = _digest_file(path)
    return found


def digest_contents(contents: Mapping[str, str]) -> str:
    """Return SHA-256 of a list of files and their digests, in hexadecimal, by which a version is known; "" of none."""
    return hashlib.sha256(msgspec.json.encode(sorted(contents.items()))).hexdigest() if contents else ""


def find_changed_files(was: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Return the files that were changed, added or removed, sorted."""
    return sorted(name for name in {*was, *now} if was.get(name) != now.get(name))


class ContentsGuard:
    """Keeps a bot from being started whose files are not those that are to play; each file is read once."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, Path], tuple[str, str]] = {}  # by bot and file: its state, and the digest by it

    def check(self, entrant: Entrant) -> None:
        """Check the files of a bot, of which `entrant.contents` has the digests.

        A file that was added is no fault: without a sandbox a bot may write to its folder.

        Raises:
            MachineError: a file was changed or removed.
        """
        folder, was = entrant.folder, dict(entrant.contents)
        if folder is None or not was:
            return
        now = digest_bot(entrant) if ALL_FILES in was else {name: self._digest(entrant, folder / name) for name in was}
        if changed := find_changed_files(was, now):
            raise MachineError(describe_changed_files(entrant, changed), "other_files")

    def _digest(self, entrant: Entrant, path: Path) -> str:
        """Return the digest of a file; "" if it cannot be read."""
        try:
            status = path.stat()
            state = f"{status.st_dev} {status.st_ino} {status.st_mode} {_describe_state(status)}"
            if (known := self._seen.get((entrant.name, path))) is None or known[0] != state:
                self._seen[entrant.name, path] = known = state, _digest_file(path)
        except OSError:
            return ""
        return known[1]


def describe_changed_files(entrant: Entrant, changed: Sequence[str]) -> str:
    """Return a sentence on a bot whose files are not those that are to play, and what to do."""
    verb = "is not what it was" if len(changed) == 1 else "are not what they were"
    return (
        f"bot {entrant.name!r} is not started: {join_some(changed)} in {entrant.folder} {verb} when the bot was "
        "entered; take the old files back, and do not edit a bot while it plays (a bot that keeps files of its own "
        'needs memory = "folder")'
    )


def list_own_files(folder: Path) -> Iterator[Path]:
    """Yield the files of a bot's folder that make up its digest: its sources without what a `.gitignore` names."""
    files = [path for path in list_source_files(folder) if STORE_ENDING not in path.name]
    places = {path.parent for path in files} | {folder}
    ignoring = [place for place in sorted(places) if (place / _IGNORE_FILE).is_file()]
    if not ignoring:
        yield from files
        return
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - few bots have a .gitignore

    specs = []
    for place in ignoring:
        with suppress(OSError, ValueError):  # a pattern that git would not understand either
            lines = (place / _IGNORE_FILE).read_text(encoding="utf-8", errors="replace").splitlines()
            specs.append((place, GitIgnoreSpec.from_lines(lines)))
    for path in files:
        if not any(path.is_relative_to(place) and spec.match_file(path.relative_to(place)) for place, spec in specs):
            yield path


def _list_named_files(entrant: Entrant, folder: Path) -> Iterator[Path]:
    """Yield the files that a plain command names; its program only if it lies in the folder."""
    program, *_ = entrant.command
    for file in find_named_files(entrant.command, folder):
        if str(file) != program or (file.is_relative_to(folder) and not is_system(file)):
            yield file


def _digest_file(path: Path) -> str:
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        known = _find_cached(status) if status.st_size >= CACHED_BYTES else None
        digest = known or hashlib.file_digest(file, "sha256").hexdigest()[:DIGEST_DIGITS]
        if known is None and status.st_size >= CACHED_BYTES:
            _keep_cached(status, digest)
        return digest + ("x" if status.st_mode & 0o111 else "")


def _find_cached(status: os.stat_result) -> str | None:
    """Return the digest of a file as it was computed before; None if it was not, or the file was written since."""
    with suppress(OSError, ValueError):
        key, digest = _cache_place(status).read_text(encoding="ascii").split("\n")
        if key == _describe_state(status) and len(digest) == DIGEST_DIGITS:
            return digest
    return None


def _keep_cached(status: os.stat_result, digest: str) -> None:
    place = _cache_place(status)
    with suppress(OSError):  # then it is computed again
        place.parent.mkdir(parents=True, exist_ok=True)
        part = place.with_name(f"{place.name}.{os.getpid()}")
        part.write_text(f"{_describe_state(status)}\n{digest}", encoding="ascii")
        part.replace(place)


def _cache_place(status: os.stat_result) -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return Path(base) / "pitboss" / "digests" / f"{status.st_dev}-{status.st_ino}"


def _describe_state(status: os.stat_result) -> str:
    """Return what changes with the contents of a file; its change time cannot be set back."""
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"


def seal_folder(folder: Path) -> None:
    """Make a folder read-only, for good; its files are on the disk before its own permission goes."""
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
    """Have the names in a folder on the disk, where a folder can be opened for that (not on Windows)."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def measure_folder(folder: Path) -> int:
    """Return the bytes that the files in a folder take on the disk, as far as they can be seen."""
    whole = 0
    for here, _, names in os.walk(folder):
        for name in names:
            try:
                whole += Path(here, name).lstat().st_blocks * 512
            except OSError:  # it has gone meanwhile
                continue
    return whole
