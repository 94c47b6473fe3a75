"""Bots of git: `git:REV` and `git:REV:FOLDER` mean files of a commit, which are exported; no work tree is touched."""

from __future__ import annotations

import os
import subprocess
import tarfile
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple

from pitboss.errors import ConfigError
from pitboss_tournament.plan.paths import BOT_FILE

GIT_PREFIX: Final = "git:"


class GitRevision(NamedTuple):
    """A bot's folder in a commit of a repository."""

    spec: str  # as the person called it
    top: Path  # of the repository's work tree
    commit: str  # its hash
    subject: str  # the first line of its message
    folder: str  # from the top, "." for the top itself

    @property
    def name(self) -> str:
        """The name of the folder."""
        return PurePosixPath(self.folder).name or self.top.name


def find_top(base: Path) -> Path | None:
    """Return the top of the work tree that a folder belongs to; None if it belongs to none, or there is no git."""
    try:
        done = _run_git(base, "rev-parse", "--show-toplevel")
    except ConfigError:
        return None
    return Path(os.fsdecode(done.stdout).removesuffix("\n")) if done.returncode == 0 else None


def resolve_revision(spec: str, base: Path) -> GitRevision:
    """Return what `git:REV` or `git:REV:FOLDER` means in the repository of the folder `base`.

    FOLDER counts from the top of the repository, with a ./ or ../ before it from `base`; without it, it is `base`.

    Raises:
        ConfigError: there is no git, no repository, no such commit, no such folder in it, or no `bot.toml` there.
    """
    revision, colon, place = spec.removeprefix(GIT_PREFIX).partition(":")
    if not revision or (colon and not place):
        raise ConfigError(f"{spec!r} names no revision; a bot of git is written git:REV or git:REV:FOLDER")
    found = _run_git(base, "rev-parse", "--show-toplevel")
    if found.returncode:
        raise ConfigError(f"{spec}: {str(base.resolve())!r} is not in a work tree of git{_find_complaint(found)}")
    top = Path(os.fsdecode(found.stdout).removesuffix("\n"))
    said = _run_git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if said.returncode:
        raise ConfigError(f"{spec}: the repository {str(top)!r} has no commit {revision!r}{_find_complaint(said)}")
    commit = said.stdout.decode().strip()
    subject = _run_git(top, "log", "-1", "--format=%s", commit, "--").stdout.decode("utf-8", "replace").strip()
    here = f"commit {commit[:7]} ({subject}) of {str(top)!r}"
    folder = _find_folder(spec, place, base, top)
    prefix = "" if folder == "." else f"{folder}/"
    if _run_git(top, "cat-file", "-t", f"{commit}:{prefix}").stdout.strip() != b"tree":
        raise ConfigError(f"{spec}: there is no folder {folder!r} in {here}")
    if _run_git(top, "cat-file", "-t", f"{commit}:{prefix}{BOT_FILE}").stdout.strip() != b"blob":
        where = "the top" if folder == "." else f"the folder {folder!r}"
        raise ConfigError(f"{spec}: {where} holds no {BOT_FILE} in {here}; git:REV:FOLDER names a bot's folder")
    return GitRevision(spec, top, commit, subject, folder)


def find_uncommitted(revision: GitRevision) -> list[str]:
    """Return the files of a bot's folder that differ from the commit, from the top.

    None if it is not the commit that is checked out.
    """
    head = _run_git(revision.top, "rev-parse", "--verify", "--quiet", "HEAD").stdout.decode().strip()
    if head != revision.commit:
        return []
    said = _run_git(revision.top, "status", "--porcelain", "-z", "--no-renames", "--", revision.folder)
    return [os.fsdecode(line[3:]) for line in said.stdout.split(b"\0") if line]


def export_revision(revision: GitRevision, to: Path) -> None:
    """Write the files of a bot's folder in a commit into a folder that does not exist yet; submodules are left out.

    Raises:
        ConfigError: git cannot read them.
    """
    words = ("archive", "--format=tar", revision.commit, "--", revision.folder)
    tree = to.with_name(f"{to.name}.tree")
    tree.mkdir()
    filtering: dict[str, Any] = {"filter": "tar"} if hasattr(tarfile, "tar_filter") else {}  # from Python 3.11.4
    with subprocess.Popen(
        _git_words(revision.top, *words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as git:
        assert git.stdout and git.stderr
        try:
            with tarfile.open(fileobj=git.stdout, mode="r|") as archive:
                archive.extractall(tree, **filtering)
        except tarfile.ReadError:
            pass  # git says why
        complaint = git.stderr.read().decode("utf-8", "replace")
    if git.returncode or not (tree / revision.folder).is_dir():
        raise ConfigError(f"{revision.spec}: git archive failed: {' '.join(complaint.split())}")
    (tree / revision.folder).rename(to)


def _find_folder(spec: str, place: str, base: Path, top: Path) -> str:
    """Return a bot's folder, from the top."""
    here = base.resolve().relative_to(top.resolve())
    start = here if not place or place.split("/")[0] in (".", "..") else Path()
    found = os.path.normpath(start / place)
    if found.split("/")[0] == ".." or found.startswith("/"):
        raise ConfigError(f"{spec}: the folder {place!r} is not in the repository {str(top)!r}")
    return found


def _run_git(base: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    """Run git in a folder.

    Raises:
        ConfigError: there is no git.
    """
    try:
        return subprocess.run(_git_words(base, *words), stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except FileNotFoundError:
        raise ConfigError("the program 'git' is not on the PATH; bots of git:REV need it") from None


def _git_words(base: Path, *words: str) -> list[str]:
    return ["git", "--literal-pathspecs", "--no-optional-locks", "-C", str(base), *words]


def _find_complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return what git said, in brackets; nothing if it said nothing."""
    said = " ".join(done.stderr.decode("utf-8", "replace").split())
    return f" ({said})" if said else ""
