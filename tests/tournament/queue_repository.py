"""A repository of git with a bot that has several versions, and a queue in it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

from tests.bots.zoo_entrants import ZOO
from tests.tournament.command_line import CommandResult, run_pitboss

QUICK: Final = ("-o", "turns=6", "--games", "60", "--sandbox", "none", "--seed", "s")
IDENTITY: Final = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false")


def run_git(folder: Path, *words: str) -> str:
    """Run git in a folder; return what it prints."""
    done = subprocess.run(["git", *IDENTITY, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def write_version(folder: Path, zoo_name: str, more: str = "") -> None:
    """Write a bot's folder: the bot of the zoo that has this name, and more lines of its `bot.toml`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.toml").write_text(f'command = ["{{python}}", "-S", "bot.py"]\n{more}')
    shutil.copy(ZOO / "polite.py", folder)
    shutil.copy(ZOO / f"{zoo_name}.py", folder / "bot.py")


def commit_version(top: Path, folder: str, zoo_name: str, subject: str, more: str = "") -> str:
    """Commit a version of the bot in a folder of a repository, which is made if there is none; return the hash."""
    if not (top / ".git").exists():
        top.mkdir(parents=True, exist_ok=True)
        run_git(top, "init", "--quiet", "--initial-branch", "main")
    write_version(top / folder, zoo_name, more)
    run_git(top, "add", "--all")
    run_git(top, "commit", "--quiet", "--message", subject)
    return run_git(top, "rev-parse", "HEAD")


def make_repository(tmp_path: Path) -> Path:
    """Return a repository with two versions of `mine`: the first crashes at its tenth question, the other not."""
    top = tmp_path / "repository"
    commit_version(top, "mine", "crashes_later", "Play ten turns")
    commit_version(top, "mine", "good", "Play on")
    return top


def run_queue(cwd: Path, *words: str) -> CommandResult:
    """Run `pitboss queue`."""
    return run_pitboss("queue", *words, cwd=cwd)


def add_entry(cwd: Path, old: str, new: str, *words: str) -> CommandResult:
    """Queue a short comparison, which must be accepted."""
    ran = run_queue(cwd, "add", "magpie", old, new, *QUICK, *words)
    assert ran.status == 0, ran.err
    return ran


def list_entries(cwd: Path, *words: str) -> list[dict[str, Any]]:
    """Return the comparisons of a queue, as JSON."""
    found: list[dict[str, Any]] = run_queue(cwd, "list", "--json", *words).json_value
    return found
