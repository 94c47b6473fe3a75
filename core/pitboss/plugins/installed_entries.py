"""The entry points of the installed distributions, as `importlib.metadata` finds them.

The import of `importlib.metadata` costs half of `pitboss --help`, and would be paid by each bot and worker as well. So
the files are read here: `entry_points.txt` in the folders of metadata that lie in the folders of `sys.path`. Where
modules are found in another way, in archives or by finders of others, `importlib.metadata` is asked.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from importlib.machinery import PathFinder
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_ENDINGS: Final = (".dist-info", ".egg-info")
_METADATA_FILES: Final = ("METADATA", "PKG-INFO")
_VALUE: Final = re.compile(r"([\w.]+)\s*(?::\s*([\w.]+)\s*)?(?:\[.*\]\s*)?")  # module, attribute; then extras


class InstalledDistribution(NamedTuple):
    """The distribution of an entry point."""

    name: str
    version: str


class InstalledEntry(NamedTuple):
    """An entry point of an installed distribution."""

    name: str
    value: str
    group: str
    dist: InstalledDistribution

    @property
    def module(self) -> str:
        """The name of its module."""
        return self.value.partition("[")[0].partition(":")[0].strip()

    def load(self) -> Any:  # noqa: ANN401 - whatever the plugin has there
        """Import the module; return it, or what the value names in it.

        Raises:
            ValueError: the value names no module.
        """
        found = _VALUE.fullmatch(self.value)
        if found is None:
            raise ValueError(f"the entry point {self.name!r} has the value {self.value!r}; it must be MODULE:ATTRIBUTE")
        loaded = import_module(found[1])
        for attribute in filter(None, (found[2] or "").split(".")):
            loaded = getattr(loaded, attribute)
        return loaded


def find_entries(group: str, name: str | None = None) -> list[EntryPoint | InstalledEntry]:
    """Return the installed entry points of a group, perhaps those of one name only.

    Of two distributions of one name the first on `sys.path` counts.
    """
    try:
        if any(hasattr(finder, "find_distributions") for finder in sys.meta_path if finder is not PathFinder):
            raise NotADirectoryError
        found: list[EntryPoint | InstalledEntry] = list(_read_entries(group))
    except NotADirectoryError:
        from importlib.metadata import entry_points  # noqa: PLC0415 - it takes long to import, and is seldom needed

        found = list(entry_points(group=group))
    return [entry for entry in found if name is None or entry.name == name]


def _read_entries(group: str) -> Iterator[InstalledEntry]:
    """Yield the entry points of a group.

    Raises:
        NotADirectoryError: modules are found in something else than a folder, too.
    """
    seen = set[str]()
    for place in dict.fromkeys(sys.path):
        try:
            names = sorted(name for name in os.listdir(place or ".") if name.endswith(_ENDINGS))  # noqa: PTH208 - quick
        except NotADirectoryError:
            raise
        except OSError:  # there is no such folder, or this user cannot read it
            continue
        for folder in names:
            distribution = re.sub(r"[-_.]+", "_", folder.rpartition(".")[0].partition("-")[0]).lower()
            if distribution not in seen:
                seen.add(distribution)
                yield from _read_folder(os.path.join(place, folder), group)  # noqa: PTH118 - for a hundred folders


def _read_folder(folder: str, group: str) -> Iterator[InstalledEntry]:
    try:
        with open(f"{folder}/entry_points.txt", "rb") as file:  # noqa: PTH123 - for a hundred folders
            content = file.read()
    except OSError:  # it offers nothing, or is a file itself
        return
    if group.encode() not in content:
        return
    section = dist = None
    for line in map(str.strip, content.decode().splitlines()):
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        elif line and not line.startswith("#") and section == group:
            name, _, value = map(str.strip, line.partition("="))
            dist = dist or _read_distribution(folder)
            yield InstalledEntry(name, value, group, dist)


def _read_distribution(folder: str) -> InstalledDistribution:
    """Return what the headers of its metadata tell; what they leave out, from the folder's name."""
    name, _, version = os.path.basename(folder).rpartition(".")[0].partition("-")  # noqa: PTH119 - as above
    headers = {"name": name, "version": version}
    for file in _METADATA_FILES:
        with suppress(OSError), open(f"{folder}/{file}", encoding="utf-8", errors="replace") as lines:  # noqa: PTH123
            for line in takewhile(str.strip, lines):  # a rule book may follow the headers
                key, _, value = line.partition(":")
                if key.lower() in headers and value.strip():
                    headers[key.lower()] = value.strip()
            break
    return InstalledDistribution(headers["name"], headers["version"])
