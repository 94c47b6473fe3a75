"""Imports: arrows run one way, the core loads no event loop and no screen, and the framework names no game."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from pitboss.plugins import Registry
from tests.test_architecture import imported_names

ROOT: Final = Path(__file__).parents[2]
CORE: Final = sorted((ROOT / "core").rglob("*.py"))
TABLE: Final = [file for file in CORE if "testing" not in file.parts]  # without the suite that tests games
TOURNAMENT: Final = sorted((ROOT / "tournament").rglob("*.py"))
PLUGINS: Final = sorted((ROOT / "plugins").rglob("*.py"))
HEAVY: Final = (
    "trio",
    "typer",
    "rich",
    "click",
    "sqlite3",
    "asyncio",
    "subprocess",
    "pitboss_tournament",
    "pitboss.testing",
)


def foreign_imports(file: Path, allowed: set[str]) -> set[str]:
    """Return what a file imports that is neither allowed nor of the standard library nor of its own package."""
    own = next(part for part in file.relative_to(ROOT).parts if part.startswith("pitboss"))
    tops = {name.split(".")[0] for name in imported_names(file)}
    return tops - allowed - set(sys.stdlib_module_names) - {own, ""}


@pytest.mark.parametrize("file", CORE, ids=lambda file: file.stem)
def test_the_core_imports_no_room_around_it(file: Path) -> None:
    """The core stands on msgspec and pluggy alone: not on the tournament, a game, trio, typer or rich."""
    assert foreign_imports(file, {"msgspec", "pluggy", "pitboss"}) == set()


@pytest.mark.parametrize("file", TABLE, ids=lambda file: file.stem)
def test_the_core_does_nothing_outside(file: Path) -> None:
    """The core opens no files, starts no processes and reads no clock, except for standard streams of the bot SDK."""
    outside = {
        "os",
        "io",
        "time",
        "random",
        "secrets",
        "socket",
        "subprocess",
        "threading",
        "pathlib",
        "tempfile",
        "datetime",
    }
    allowed = {"bot.py": {"os", "io"}}.get(file.name, set())

    assert {name.split(".")[0] for name in imported_names(file)} & outside - allowed == set()


@pytest.mark.parametrize("file", PLUGINS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_plugins_import_the_core_alone(file: Path) -> None:
    """A plugin stands on `pitboss`, msgspec, pluggy and the standard library, as anybody's plugin can."""
    assert foreign_imports(file, {"msgspec", "pluggy", "pitboss"}) == set()


@pytest.mark.parametrize("file", TOURNAMENT, ids=lambda file: file.stem)
def test_the_tournament_imports_no_plugin(file: Path) -> None:
    """It finds games and bots by the hooks."""
    tops = {name.split(".")[0] for name in imported_names(file)}

    assert {top for top in tops if top.startswith("pitboss_")} <= {"pitboss_tournament"}


@pytest.mark.parametrize("file", [*CORE, *TOURNAMENT], ids=lambda file: file.stem)
def test_the_framework_names_no_game(file: Path) -> None:
    """Its code names no game; docstrings and help texts, where a game serves as an example, may."""
    games = set(Registry().games)
    tree = ast.parse(file.read_bytes())
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    words = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}

    assert {name for name in names if name.lower() in games} == set()
    assert words & games == set()  # as a whole string: what code could compare a name with


@pytest.mark.process
@pytest.mark.parametrize("module", ["pitboss", "pitboss.bot", "pitboss.plugins", "pitboss.schema"])
def test_importing_the_table_is_light(module: str) -> None:
    """It brings in no event loop, no screen, no database, no processes and no tournament."""
    code = f"import sys, {module}; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)

    brought = set(ran.stdout.split())
    assert module in brought
    assert brought & set(HEAVY) == set()
