"""Packing of a bot's folder for a submission: the files that its digest names, as a compressed tar archive."""

from __future__ import annotations

import os
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from pitboss.errors import ConfigError
from pitboss_tournament.config.bot_file import read_bot_file
from pitboss_tournament.plan.names import make_bot_name
from pitboss_tournament.processes.bot_contents import list_own_files

RUN_MODE: Final = 0o755
READ_MODE: Final = 0o644


def find_bot_name(folder: Path) -> str:
    """Return what a bot's folder calls it.

    Raises:
        ConfigError: it holds no bot.toml, or a wrong one.
    """
    _, bot = read_bot_file(folder)
    return make_bot_name(bot.name or folder.resolve().name)


@contextmanager
def pack_folder(folder: Path) -> Iterator[IO[bytes]]:
    """Context manager: an open file with the archive of a bot's folder, which has no name on the disk.

    Raises:
        ConfigError: one of its files is a link that leads out of the folder.
    """
    with tempfile.TemporaryFile() as out:
        with tarfile.open(fileobj=out, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
            for path in sorted(list_own_files(folder)):
                _add_file(archive, folder, path)
        out.seek(0)
        yield out


def _add_file(archive: tarfile.TarFile, folder: Path, path: Path) -> None:
    name = path.relative_to(folder)
    if not path.resolve().is_relative_to(folder.resolve()):
        raise ConfigError(f"{path} is a link that leads out of the folder; put the file itself there")
    if not path.is_file():
        raise ConfigError(f"{path} is no regular file, and cannot be submitted; name it in .gitignore, or remove it")
    with path.open("rb") as file:
        member = tarfile.TarInfo(str(name))
        status = os.fstat(file.fileno())
        member.size = status.st_size
        member.mode = RUN_MODE if status.st_mode & 0o111 else READ_MODE
        archive.addfile(member, file)


@contextmanager
def clone_repository(url: str, revision: str) -> Iterator[Path]:
    """Context manager: a folder with a revision of a git repository.

    Raises:
        ConfigError: git is missing, or cannot get it.
    """
    with tempfile.TemporaryDirectory(prefix="pitboss-submit-") as place:
        into = Path(place, _repository_name(url))
        _run_git("clone", "--quiet", "--no-checkout", "--", url, str(into))
        _run_git("-C", str(into), "checkout", "--quiet", "--detach", revision, "--")
        yield into


def _repository_name(url: str) -> str:
    return make_bot_name(url.rstrip("/").rpartition("/")[2].removesuffix(".git"))


def _run_git(*words: str) -> None:
    env = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(["git", *words], env=env, capture_output=True, text=True, errors="replace", check=False)
    except FileNotFoundError:
        raise ConfigError("--git needs the program git, which is not on the PATH") from None
    if done.returncode:
        said = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "it said nothing")
        raise ConfigError(f"git cannot get it: {said}")
