"""The stores that a server shows: files, and those in folders."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, count
from pathlib import Path
from typing import Final

from pitboss.errors import ConfigError

SUFFIX: Final = ".pitboss"


class Catalog:
    """The stores below some paths. Folders are looked through again each time, so that new stores appear."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """Take files and folders.

        Raises:
            ConfigError: there is no such file or folder.
        """
        for path in paths:
            if not path.exists():
                raise ConfigError(
                    f"{path}: there is no such file or folder; serve shows stores and folders with stores"
                )
        self._paths = list(paths)
        self._names: dict[Path, str] = {}  # of all that was ever found, so that a store keeps its name

    def find_stores(self) -> dict[str, Path]:
        """Return the stores by name, which is that of the file without its ending; a second one gets a number."""
        found = [
            store
            for path in self._paths
            for store in (sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path])
            if store.is_file()
        ]
        for store in found:
            if store not in self._names:
                self._names[store] = self._new_name(store.name.removesuffix(SUFFIX))
        return {self._names[store]: store for store in sorted(found, key=self._names.__getitem__)}

    def _new_name(self, stem: str) -> str:
        numbered = (f"{stem}-{number}" for number in count(2))
        return next(name for name in chain([stem], numbered) if name not in self._names.values())
