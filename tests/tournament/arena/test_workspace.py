"""Work spaces of strangers: nothing is followed, nothing escapes its bounds, and the judge's files come back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pitboss.errors import ConfigError
from pitboss_tournament.arena.freezing import copy_sources
from pitboss_tournament.arena.journal import Usage
from pitboss_tournament.arena.workspace import (
    copy_folder,
    delete_folder,
    find_tampered,
    find_workspace_excess,
    put_given,
    read_usage,
)


@pytest.fixture
def given(tmp_path: Path) -> Path:
    """Return a folder with what the judge gives."""
    folder = tmp_path / "given"
    (folder / "feedback" / "1").mkdir(parents=True)
    (folder / "GAME.md").write_text("the game")
    (folder / "feedback" / "1" / "game.txt").write_text("a game")
    return folder


def test_what_the_judge_gives_comes_back(tmp_path: Path, given: Path) -> None:
    """Files that were changed or removed, and links in their places, are put back, and are named before."""
    workspace, secret = tmp_path / "work", tmp_path / "secret"
    secret.mkdir()
    (secret / "1").mkdir()
    workspace.mkdir()
    put_given(given, workspace)
    assert find_tampered(given, workspace) == []

    (workspace / "GAME.md").unlink()
    (workspace / "GAME.md").symlink_to(secret / "target")
    delete_folder(workspace / "feedback")
    (workspace / "feedback").symlink_to(secret)

    assert find_tampered(given, workspace) == ["GAME.md", "feedback/1/game.txt"]
    put_given(given, workspace)
    assert find_tampered(given, workspace) == []
    assert [path.name for path in secret.rglob("*")] == ["1"]


def test_a_copy_has_links_as_links_and_no_pipes(tmp_path: Path) -> None:
    """A link is copied as a link; a named pipe, which would be waited for, is left out."""
    source = tmp_path / "work"
    (source / "a" / "b").mkdir(parents=True)
    (source / "a" / "b" / "file").write_text("text")
    (source / "link").symlink_to("/etc/passwd")
    os.mkfifo(source / "pipe")

    copy_folder(source, tmp_path / "copy")

    copy = tmp_path / "copy"
    assert (copy / "link").is_symlink()
    assert (copy / "a" / "b" / "file").read_text() == "text"
    assert not (copy / "pipe").exists()


@pytest.mark.once
def test_a_work_space_has_bounds(tmp_path: Path) -> None:
    """Too much on the disk, and folders too deep for Python, are told, and such a work space can be deleted."""
    assert find_workspace_excess(tmp_path, 1) == ""
    (tmp_path / "large").write_bytes(os.urandom(2 << 20))
    assert "more than 1 MiB" in find_workspace_excess(tmp_path, 1)

    deep = tmp_path / "deep"
    deep.mkdir()
    here = os.open(deep, os.O_RDONLY)
    for _ in range(1_500):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)

    assert "deeper than" in find_workspace_excess(deep, 100)
    delete_folder(deep)
    assert not deep.exists()


def test_a_file_with_holes_is_as_large_as_its_copy(tmp_path: Path) -> None:
    """A file that takes no room on the disk would fill the disk when the work space is copied."""
    with (tmp_path / "holes").open("wb") as file:
        file.truncate(2 << 20)

    assert "more than 1 MiB" in find_workspace_excess(tmp_path, 1)


@pytest.mark.parametrize(
    ("content", "usage"),
    [
        (b'{"tokens": 12, "dollars": 0.5}', Usage(tokens=12, dollars=0.5)),
        (b'{"tokens": 12}', Usage(tokens=12)),
        (b'{"tokens": -1}', None),
        (b'{"dollars": "much"}', None),
        (b"\xff", None),
        (b"[" * 9_000, None),
    ],
)
def test_the_cost_is_what_the_entrant_says(tmp_path: Path, content: bytes, usage: Usage | None) -> None:
    """A cost that cannot be read is none."""
    (tmp_path / "cost.json").write_bytes(content)

    assert read_usage(tmp_path) == usage


@pytest.mark.parametrize(
    "trap", ["link", "pipe", "no folder", "many", "large", "folder is a link", "empty", "no UTF-8", "escape", "long"]
)
def test_sources_of_a_bot(tmp_path: Path, trap: str) -> None:
    """A bot's sources are regular files within bounds; whatever else lies there is refused in a sentence."""
    bot, target = tmp_path / "bot", tmp_path / "copy"
    bot.mkdir()
    target.mkdir()
    if trap != "empty":
        (bot / "bot.py").write_text("")
    match trap:
        case "link":
            (bot / "link").symlink_to("/etc/passwd")
        case "pipe":
            os.mkfifo(bot / "pipe")
        case "no folder":
            delete_folder(bot)
        case "many":
            for number in range(10):
                (bot / f"{number}").write_text("")
        case "large":
            (bot / "large").write_bytes(bytes(2 << 20))
        case "no UTF-8":
            Path(os.fsdecode(os.fsencode(bot) + b"/\xff")).touch()
        case "escape":
            (bot / "\x1b[31m").touch()
        case "long":
            (bot / ("d" * 200)).mkdir()
            (bot / ("d" * 200) / ("f" * 200)).touch()
        case "folder is a link":
            bot.rename(tmp_path / "elsewhere")
            bot.symlink_to(tmp_path / "elsewhere")

    with pytest.raises(ConfigError, match=r"link|regular file|no folder|more than|empty|cannot be printed"):
        copy_sources(bot, target, 1, 5)
