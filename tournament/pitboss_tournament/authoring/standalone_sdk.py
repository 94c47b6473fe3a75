"""The SDK for bots in Python as one file without dependencies, made from the source of `pitboss.bot`."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

import pitboss.bot
from pitboss import __version__
from pitboss.action_range import is_within

Import: TypeAlias = ast.Import | ast.ImportFrom

SDK_FILE: Final = "pitboss_bot.py"
STAND_INS: Final = Path(__file__).resolve().parents[1] / "templates" / "sdk" / "stand_ins.py"
OLDEST_PYTHON: Final = "3.10"
REPLACED_PACKAGES: Final = ("msgspec", "pitboss")
PROVENANCE: Final = f"""
This file is `pitboss.bot` of Pitboss {__version__} without dependencies, for Python {OLDEST_PYTHON} or later.
`pitboss new bot python NAME --vendor` makes it anew. Events are dictionaries here, as on the wire.
"""


def render_sdk() -> str:
    """Return the text of `pitboss_bot.py`: the source of `pitboss.bot`, with stand-ins for what it imports from others.

    The stand-ins are `templates/sdk/stand_ins.py` and the functions of Pitboss that need nothing themselves.
    """
    sdk, stand_ins = inspect.getsource(pitboss.bot), STAND_INS.read_text(encoding="utf-8")
    docstring = ast.get_docstring(ast.parse(sdk), clean=False) or ""
    kept = [node for text in (sdk, stand_ins) for node in list_imports(text) if not is_replaced(node)]
    return "\n\n".join(
        [
            f'"""{docstring.replace("pitboss.bot", "pitboss_bot")}{PROVENANCE}"""',
            "\n".join(merge_imports(kept)),
            f"{_cut_head(stand_ins)}\n\n\n{inspect.getsource(is_within)}",
            _cut_head(sdk),
        ]
    )


def list_imports(source: str) -> list[Import]:
    """Return the imports at the head of a module."""
    return [node for node in ast.parse(source).body if isinstance(node, Import)]


def is_replaced(node: Import) -> bool:
    """Tell whether an import is one that stand-ins replace."""
    return isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in REPLACED_PACKAGES


def merge_imports(nodes: list[Import]) -> Iterator[str]:
    """Yield the lines that import the same, `__future__` first, each module once."""
    names: dict[str, set[str]] = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            names.setdefault(node.module or "", set()).update(alias.name for alias in node.names)
    yield f"from __future__ import {', '.join(names.pop('__future__'))}\n"
    yield from sorted(
        {f"import {alias.name}" for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    )
    yield from (f"from {module} import {', '.join(sorted(found))}" for module, found in sorted(names.items()))


def _cut_head(source: str) -> str:
    """Return a module without its docstring and imports."""
    last = list_imports(source)[-1].end_lineno
    return "\n".join(source.splitlines()[last:]).strip("\n") + "\n"
