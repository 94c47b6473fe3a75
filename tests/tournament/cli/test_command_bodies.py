"""Each command's signature and body: the same name, the same parameters, the same types."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final, get_type_hints

import pytest
import typer

import pitboss_tournament.cli.commands as signatures
from pitboss_tournament.cli.app import SOURCES

FOLDER: Final = Path(signatures.__file__).parent
LIGHT: Final = (
    "command_kind",
    "completion",
    "exit_status",
    "memory_shortage",
    "number_args",
    "parameters",
    "verdict_command",
)
FILES: Final = (*sorted(FOLDER.glob("*.py")), *(FOLDER.parent / f"{name}.py" for name in LIGHT))


def list_signatures() -> Iterator[Callable[..., Any]]:
    """Yield the signature of each command."""
    for source in SOURCES.values():
        found = getattr(import_module(f"{signatures.__name__}.{source.module}"), source.function)
        if isinstance(found, typer.Typer):
            yield from (one.callback for one in found.registered_commands if one.callback is not None)
        else:
            yield found


def describe_parameters(function: Callable[..., Any]) -> dict[str, object]:
    """Return the types of a function's parameters by their names, without what is annotated for typer."""
    hints = get_type_hints(function)
    return {name: hints[name] for name in inspect.signature(function).parameters}


@pytest.mark.parametrize(
    "signature", [*list_signatures()], ids=lambda one: f"{one.__module__.split('.')[-1]}.{one.__name__}"
)
def test_a_body_has_the_parameters_of_its_signature(signature: Callable[..., Any]) -> None:
    """A call of the command fits its body, which stands in the module of the same name."""
    body = getattr(import_module(signature.__module__.replace(".commands.", ".")), signature.__name__)

    assert describe_parameters(signature) == describe_parameters(body)
    assert [] == [one.name for one in inspect.signature(body).parameters.values() if one.default is not one.empty]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_signature_imports_typer_and_the_standard_library(file: Path) -> None:
    """Beside these it takes from Pitboss only modules of the command line that do likewise."""
    found = {name for name in list_top_imports(file) if name.split(".")[0] not in sys.stdlib_module_names}

    own = {f"pitboss_tournament.cli.{name}" for name in LIGHT}
    others = {name for name in found if not name.startswith(signatures.__name__)}
    assert others <= {"typer", "typer.core", "pitboss_tournament.cli", *own}


def list_top_imports(file: Path) -> Iterator[str]:
    """Yield the modules that are imported with a file."""
    for node in ast.parse(file.read_bytes()).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
