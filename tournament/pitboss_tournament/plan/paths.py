"""Paths and file names that several folders share.

A path has one spelling, wherever a tournament is started from: a resumed store compares the commands of its bots.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

BOT_FILE: Final = "bot.toml"  # what a bot's folder says about the bot
BUILD_FOLDER: Final = "build"  # in a bot's folder, for what its build step makes
PYTHON: Final = "{python}"  # in a command: the Python that runs Pitboss
STORE_ENDING: Final = ".pitboss"


def normalize_path(path: Path) -> Path:
    """Return an absolute path without `..`. Symbolic links are resolved only where a `..` requires it."""
    whole = path.absolute()
    if ".." not in whole.parts:
        return whole
    return whole.resolve() if whole.name == ".." else whole.parent.resolve() / whole.name


def memories_folder(store: Path) -> Path:
    """Return the folder beside a store that holds the memories of its bots, as an absolute path."""
    return normalize_path(store).with_name(f"{store.name}.memory")


def memory_folder(store: Path, bot: str) -> Path:
    """Return the folder of a bot's memory: another one for each name, also where a disk takes `A` and `a` for one."""
    return memories_folder(store) / f"{make_file_name(bot)}-{sha256(bot.encode()).hexdigest()[:8]}"


def make_file_name(text: str) -> str:
    """Return the text with an underscore for each character that is no letter, digit, hyphen, underscore or point."""
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in text)
