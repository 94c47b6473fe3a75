"""The bots that are out, in a tournament file that may be written while the tournament runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pitboss.errors import PitbossError
from pitboss_tournament.config.toml_file import TomlFile
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.plan.settings import TournamentFile


class OutWatch:
    """Looks at a tournament file again and again, and loads it when it has other [[out]].

    A file that cannot be read, as somebody is writing it, is looked at later; other mistakes are told of once.
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
            out = tuple(TomlFile(self._path).convert(TournamentFile).out)
        except PitbossError:
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
