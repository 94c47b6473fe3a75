"""The run that holds a store: since when it plays, and how far it is."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from pitboss_tournament.store.store import Store
from pitboss_tournament.store.store_lock import find_holder, is_locked
from pitboss_tournament.text.progress import format_progress


class ActiveRun(NamedTuple):
    """A run that holds the store; `pid` is None if its process cannot be seen, `began` until it has been recorded."""

    pid: int | None
    began: str | None = None
    played_before: int = 0
    total: int | None = None
    seconds: float = 0.0  # since it began

    def progress_line(self, played: int) -> str:
        """Return its progress as a sentence."""
        process = "" if self.pid is None else f" (process {self.pid})"
        if self.began is None:
            return f"A run{process} is just beginning."
        speed = (played - self.played_before) / self.seconds if self.seconds > 0 else 0.0
        progress = format_progress(played, self.total, speed)
        return f"It is being played now{process}: {progress}."


def find_active_run(file: Path) -> ActiveRun | None:
    """Return the run that holds a store, with what the store has recorded of its start.

    Call it before the store is opened: see `store_lock.is_locked`.
    """
    if not file.is_file():
        return None
    pid = None
    if (holder := find_holder(file)) is not None:
        with holder:
            pid = holder.pid
    elif not is_locked(file):
        return None
    runs = Store(file).runs()
    if not runs:
        return ActiveRun(pid)
    run = runs[-1]
    seconds = (datetime.now(UTC) - datetime.fromisoformat(run.began)).total_seconds()
    return ActiveRun(pid, run.began, run.played, run.total, seconds)
