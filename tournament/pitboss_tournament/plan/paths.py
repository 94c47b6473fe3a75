"""Where a file lies, in one way, from wherever a tournament is started: a store compares what its bots are started with."""

from __future__ import annotations

from pathlib import Path


def normalize_path(path: Path) -> Path:
    """Return a path as an absolute one without `..`; symbolic links stay what they are where there is none."""
    whole = path.absolute()
    if ".." not in whole.parts:
        return whole
    return whole.resolve() if whole.name == ".." else whole.parent.resolve() / whole.name
