"""The folder of a version: the files that its digest names, what its build made, and afterwards nothing changes in it.

A folder whose own write permission is gone is complete: that is taken from it last, when all is on the disk.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from pitboss.errors import ConfigError
from pitboss.text import format_count, join_words
from pitboss_tournament.plan.limits import MEBIBYTE
from pitboss_tournament.plan.paths import BUILD_FOLDER
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.bot_contents import (
    digest_bot,
    find_changed_files,
    list_entries,
    list_own_files,
    measure_folder,
)

MAX_NAMED_FILES: Final = 5  # in a sentence


def strip_folder(folder: Path) -> dict[str, str]:
    """Remove the files that are no part of a bot, and return the digests of those that are.

    They are hidden files, caches, `build/` and stores: see `processes.bot_contents`. A `.gitignore` is hidden, too: its
    patterns were for the sender, and here a stranger's could compute for ever.
    """
    for ignoring in folder.rglob(".gitignore"):
        ignoring.unlink()
    kept = set(list_own_files(folder))
    for here, folders, names in os.walk(folder, topdown=False):
        for name in names:
            if Path(here, name) not in kept:
                Path(here, name).unlink()
        for name in folders:
            if not any(Path(here, name).iterdir()):
                Path(here, name).rmdir()
    return digest_folder(folder)


def digest_folder(folder: Path) -> dict[str, str]:
    """Return the digests of the files of a bot, as a tournament's store has them."""
    return digest_bot(Entrant(name="bot", command=(), folder=folder))


def check_built(folder: Path, sources: dict[str, str], max_mb: int) -> None:
    """Check what a build has left: the sources as they were, no links that lead out, nothing but files and folders.

    Raises:
        ConfigError: it has left something else; the sentence says what to do.
    """
    changed = find_changed_files(sources, digest_folder(folder))
    if changed:
        named = join_words(changed[:MAX_NAMED_FILES], "and")
        more = f" and {len(changed) - MAX_NAMED_FILES} more" if len(changed) > MAX_NAMED_FILES else ""
        count = format_count(len(changed), "file")
        raise ConfigError(
            f"the build has changed, added or removed {count} outside {BUILD_FOLDER}/ ({named}{more}); let it write "
            f"into {BUILD_FOLDER}/ only"
        )
    for path in list_entries(folder):
        mode = path.lstat().st_mode
        name = str(path.relative_to(folder))
        if stat.S_ISLNK(mode) and not path.resolve().is_relative_to(folder.resolve()):
            raise ConfigError(f"the build has made a link that leads out of the bot's folder: {name}")
        if not (stat.S_ISLNK(mode) or stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise ConfigError(f"the build has left something that is neither a file nor a folder: {name}")
    if measure_folder(folder) > max_mb * MEBIBYTE:
        raise ConfigError(f"the bot's folder is larger than {max_mb} MiB once it is built")
