"""The code of installed packages as digests. A game is what its package contains, whatever its version says."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from pitboss.foreign.engine_game import EngineGame
from pitboss.game import AnyGame

_NO_CODE: Final = ("__pycache__", "build", "node_modules")
_COMPILED: Final = (".so", ".pyd", ".pyc", ".c")


def digest_game(game: AnyGame) -> str:
    """Return the digest of the package, or the one module, that a game comes from; "" if it comes from no file.

    What the game imports from other packages, such as Pitboss itself, is not part of the digest.
    """
    return digest_package(find_package(game))


def find_package(game: AnyGame) -> str:
    """Return the name of the package that a game comes from: the game of an engine comes from that of the engine."""
    kind = type(game.engine if isinstance(game, EngineGame) else game)
    return kind.__module__.partition(".")[0]


@cache
def digest_package(package: str) -> str:
    """Return the digest of the files of an installed package, but for compiled ones; "" if it is not installed."""
    try:
        spec = find_spec(package)
    except ValueError:  # `__main__` of a script
        spec = None
    if spec is None:
        return ""
    if spec.submodule_search_locations:
        root = Path(next(iter(spec.submodule_search_locations)))
        files = {path.relative_to(root).as_posix(): path for path in _list_code(root)}
    elif spec.origin is not None and Path(spec.origin).is_file():
        files = {Path(spec.origin).name: Path(spec.origin)}
    else:
        return ""
    digest = hashlib.sha256()
    for name, path in sorted(files.items()):  # the same names in the same order on each system
        digest.update(f"{name}\n".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _list_code(root: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in _NO_CODE and name[0] != "."]
        yield from (Path(here, name) for name in names if not name.endswith(_COMPILED) and name[0] != ".")
