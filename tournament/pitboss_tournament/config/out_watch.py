"""The bots that are out, in a tournament file that may be written while the tournament runs."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import msgspec

from pitboss.errors import PitbossError
from pitboss_tournament.plan.plan import OutTable, Plan


class OutWatch:
    """Looks at a tournament file again and again, and loads it when it has other [[out]].

    A file that cannot be read, as somebody is writing it, is looked at later; one with another mistake is told of once.
    """

    def __init__(self, path: Path, load: Callable[[], Plan], show_note: Callable[[str], None]) -> None:
        self._path = path
        self._load = load
        self._show_note = show_note
        self._seen = self._look()
        self.plan = load()

    def has_changed(self) -> bool:
        """Return whether other bots are out now; then `plan` is what is to be played."""
        if (seen := self._look()) == self._seen:
            return False
        try:
            found = tomllib.loads(self._path.read_text(encoding="utf-8")).get("out", [])
            out = msgspec.convert(found, tuple[OutTable, ...])
        except (OSError, ValueError):
            return False
        self._seen = seen
        if out == self.plan.out:
            return False
        try:
            self.plan = self._load()
        except PitbossError as error:
            self._show_note(f"{error}; the run goes on as it was")
            return False
        return True

    def _look(self) -> tuple[int, int]:
        try:
            found = self._path.stat()
        except OSError:
            return 0, 0
        return found.st_mtime_ns, found.st_size
