"""An error about options names them, so that a tournament file's line can be named."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests import ROOT

FILES: Final = [
    *ROOT.glob("plugins/*/pitboss_*/messages.py"),
    *ROOT.glob("tournament/pitboss_tournament/formats/*.py"),
    ROOT / "tests/plugins/magpie/pitboss_magpie/messages.py",
]


def list_blamed(tree: ast.AST) -> Iterator[tuple[int, list[str]]]:
    """Yield the line of each OptionError that is raised, and the options that it names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "OptionError":
            yield node.lineno, [str(word.value) for word in node.args[1:] if isinstance(word, ast.Constant)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_errors_name_their_options(file: Path) -> None:
    """Each option error that the code raises names at least one option that exists."""
    tree = ast.parse(file.read_bytes())
    known = {
        field.target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for field in node.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
    }

    assert [line for line, blamed in list_blamed(tree) if not blamed or not set(blamed) <= known] == []
