"""Bots that travel: their files in an archive, and their commands without the paths of a machine.

An archive is known by a digest of what it holds. A bot's folder travels with all that may be needed to build and to run
it: its own files without caches, hidden files and, if there is a build step, `build/`, which each machine makes anew.
Of a plain command the folders of the files that it names travel, as the sandbox shows them. Links that lead out of the
folder do not: they would show a file of the organiser's to the bot.
"""

from __future__ import annotations

import hashlib
import io
import sys
import zipfile
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.config.bot_file import read_bot_file
from pitboss_tournament.config.entrants import check_exists
from pitboss_tournament.plan.paths import BOT_FILE, BUILD_FOLDER, PYTHON, STORE_ENDING
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.bot_contents import (
    MAX_FILES,
    describe_changed_files,
    digest_bot,
    find_changed_files,
    list_source_files,
)
from pitboss_tournament.processes.visible_paths import enclosing_folder, find_named_files

FOLDER_WORD: Final = "{folder}"  # in a command that travels: the bot's folder
ARCHIVE_DIGITS: Final = 24
MAX_COMMAND_FILES: Final = 1_000  # that travel with a plain command
RUN_BITS: Final = 0o111


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
            info = zipfile.ZipInfo(str(path.relative_to(folder)))
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
    if folder is not None:
        word = word.replace(f"{folder}/", f"{FOLDER_WORD}/")
    return PYTHON if word == sys.executable else word
