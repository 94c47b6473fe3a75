"""Tell whether the installed modules are the compiled ones, as `tox -e compiled` wants them.

    python -m tests.compiled

The exit status is 1 if a module that `hatch_build.py` compiles is not compiled here, or another one is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Final

from hatch_build import SUFFIX, is_compiled

from tests import ROOT

SOURCE_FOLDERS: Final = (
    *(ROOT / name for name in ("core", "engines", "house_bots", "tournament")),
    *sorted(ROOT.glob("plugins/*")),
)


def iter_wheel_paths() -> Iterator[str]:
    """Yield the path in its wheel of each module of the project."""
    for folder in SOURCE_FOLDERS:
        for file in sorted(folder.rglob("*.py")):
            if "templates" not in file.parts:
                yield file.relative_to(folder).as_posix()


def module_name(path: str) -> str:
    """Return the name of the module with a path in its wheel."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def is_installed_compiled(path: str) -> bool:
    """Return whether the installed module with a path in its wheel is compiled."""
    spec = find_spec(module_name(path))
    return spec is not None and spec.origin is not None and spec.origin.endswith(SUFFIX)


def main() -> None:
    """Print how many modules are compiled, or which differ from what the build hook says."""
    paths = [*iter_wheel_paths()]
    different = [path for path in paths if is_installed_compiled(path) != is_compiled(path)]
    if different:
        sys.exit(f"compiled by mistake, or not compiled: {', '.join(different)}")
    print(f"{sum(map(is_compiled, paths))} of {len(paths)} modules are compiled")


if __name__ == "__main__":
    main()
