"""docs/api.md: the names that others can build on. `python -m docs.generators.api_page` writes the page."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final, get_args

from pitboss.api import LEVELS, Level
from pitboss.moved_modules import MOVED

PAGE: Final = Path(__file__).resolve().parents[1] / "api.md"
HEAD: Final = """# What stays as it is

Build on the names of this page. They follow [semantic versioning](https://semver.org), by the version of Pitboss.
Import a name from the module in whose line it stands; all other names are internal, and change at any time.

* **Stable**: a name, and what it means, stays until a new major version. Before version 1.0 a new minor version may
  move or change one; a module that moves keeps its old name for one more minor version, with a warning that says where
  it is now.
* **Provisional**: a new minor version may change a name. The [changelog](../CHANGELOG.md) says what to change.

A plugin that needs a later version of the hooks says so (`pitboss_api`, in
[hookspec.py](../core/pitboss/plugins/hookspec.py)), and an older Pitboss refuses it in a sentence. An old name of a
module is an error in tests with `pytest -W error::DeprecationWarning:MODULE`, where MODULE is your own.
[Versions and compatibility](releases.md) has the rules for plugins.
[The Python reference](generators/python_reference.py) of the built documentation describes the names."""


def list_public(module: str) -> list[str]:
    """Return the public names of a module, sorted: its `__all__`, or without one what its source defines."""
    loaded = import_module(module)
    if hasattr(loaded, "__all__"):
        return sorted(loaded.__all__)
    return sorted({name for node in ast.parse(inspect.getsource(loaded)).body for name in _iter_defined(node)})


def render_page() -> str:
    """Return the page."""
    levels = [
        f"## {level.capitalize()}\n\n{_tabulate([one for one, of in LEVELS.items() if of == level])}"
        for level in get_args(Level)
    ]
    rows = [f"| `{old}` | `{move.place}` | {move.until} |" for old, move in MOVED.items()]
    moved = ["| old name | now | works until |", "|---|---|---|", *rows]
    return "\n\n".join(part.strip() for part in [HEAD, *levels, "## Moved", "\n".join(moved)]) + "\n"


def _tabulate(modules: Sequence[str]) -> str:
    rows = [f"| `{one}` | {', '.join(f'`{name}`' for name in list_public(one))} |" for one in sorted(modules)]
    return "\n".join(["| module | names |", "|---|---|", *rows])


def _iter_defined(node: ast.stmt) -> Iterator[str]:
    """Yield the public names that a statement of a module defines, type variables aside."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            names = [name]
        case ast.Assign(value=ast.Call(func=ast.Name(id="TypeVar"))):
            names = []
        case ast.Assign(targets=targets):
            names = [target.id for target in targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            names = [name]
        case _:
            names = []
    yield from (name for name in names if not name.startswith("_"))


if __name__ == "__main__":
    PAGE.write_text(render_page(), encoding="utf-8")
