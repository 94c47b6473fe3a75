"""Modules that have moved: an old name works until a version that is named here, and warns where the module is now.

`import pitboss` adds a finder to those of Python's import system, which are asked first. So the finder is only asked
for a module that is nowhere else.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final, NamedTuple
from warnings import warn


class ModuleMove(NamedTuple):
    """Where a module is now, and the first version of Pitboss that does not know its old name."""

    place: str
    until: str


MOVED: Final = {
    "pitboss.hookspec": ModuleMove("pitboss.plugins.hookspec", "0.2.0"),
    "pitboss.packs": ModuleMove("pitboss.plugins.packs", "0.2.0"),
}


class MovedFinder(MetaPathFinder, Loader):
    """Finds the modules of `MOVED`: each has the names of the module at the new place."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module that has moved; None of any other."""
        return ModuleSpec(fullname, self) if fullname in MOVED else None

    def create_module(self, spec: ModuleSpec) -> None:
        """Let the import system make an empty module."""

    def exec_module(self, module: ModuleType) -> None:
        """Give the module the names of the one at the new place."""
        old, move = module.__name__, MOVED[module.__name__]
        warn(
            f"{old} has moved to {move.place}: import that; the old name works until Pitboss {move.until}",
            DeprecationWarning,
            stacklevel=2,
        )
        new = import_module(move.place)
        vars(module).update({name: value for name, value in vars(new).items() if not name.startswith("__")})


def add_finder() -> None:
    """Let the import system find what has moved."""
    if not any(isinstance(finder, MovedFinder) for finder in sys.meta_path):
        sys.meta_path.append(MovedFinder())
