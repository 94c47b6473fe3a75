"""The packages that a bot in Python imports, and which of them only the environment that runs Pitboss has."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from itertools import islice
from pathlib import Path
from typing import Final

from pitboss_tournament.plan.paths import BUILD_FOLDER

MAX_PROGRAM_FILES: Final = 200
_OWN: Final = "pitboss"  # this distribution; those of games begin with it
_REQUIREMENT: Final = re.compile(r"[\w.-]+")


def find_foreign_packages(folder: Path) -> list[str]:
    """Return the packages that programs of a folder import, and that are installed here and not in the folder.

    Those that come with Pitboss are there wherever it runs. An import inside a `try` may fail: it is not counted.
    """
    by_package, present = packages_distributions(), {*_list_requirements()}
    foreign = {
        package
        for package, names in by_package.items()
        if package not in sys.stdlib_module_names
        and present.isdisjoint(names)
        and not any(name.startswith(_OWN) for name in names)
    }
    files = [*islice(_find_files(folder), MAX_PROGRAM_FILES)]
    own = {file.stem for file in files} | {file.parent.name for file in files}
    return sorted({name for file in files for name in _list_imports(file)} & foreign - own)


def _list_requirements() -> Iterator[str]:
    """Yield the distributions that Pitboss always has."""
    try:
        needed = requires(_OWN) or ()
    except PackageNotFoundError:
        return
    yield from (word[0] for line in needed if "extra ==" not in line and (word := _REQUIREMENT.match(line)))


def _find_files(folder: Path) -> Iterator[Path]:
    """Yield the Python files of a folder, without those of environments in it."""
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if not (path.name.startswith((".", "_")) or path.name == BUILD_FOLDER or (path / "pyvenv.cfg").exists()):
                yield from _find_files(path)
        elif path.suffix == ".py":
            yield path


def _list_imports(file: Path) -> Iterator[str]:
    """Yield the top-level names that a file imports outside of `try`; none if it is no Python."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError, RecursionError, OSError):
        return
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
        elif not isinstance(node, ast.Try):
            waiting += ast.iter_child_nodes(node)
