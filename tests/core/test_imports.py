"""Imports: arrows run one way, what a game or a bot needs is light, and the framework names no game."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from pitboss.plugins.registry import Registry
from pitboss.rendering.appearance import SUIT_SIGNS
from tests import ROOT
from tests.marks import first_rows
from tests.test_architecture import imported_names

CORE: Final = sorted((ROOT / "core").rglob("*.py"))
TABLE: Final = [file for file in CORE if "testing" not in file.parts]  # without the suite that tests games
# without templates of bots that stand by themselves, some of them for one game
TOURNAMENT: Final = sorted(
    file
    for file in (ROOT / "tournament").rglob("*.py")
    if {"bridges", "python-learned", "python-torch", "sdk"}.isdisjoint(file.parts)
)
ENGINES: Final = sorted((ROOT / "engines").rglob("*.py"))
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

QUICK_CHECK: Final = ("check", "house:first", "--game", "lucky-maker", "--seats", "3", "--only", "starts-in-time")
OF_A_BOT: Final = (
    "pitboss.learning.learning_game",
    "pitboss_house_bots.model_bot",
    "pitboss_house_bots.search_bot",
    "pitboss_tournament.running.worker_process",
    "pitboss_tournament.processes.bot_process",
)

OUTSIDE: Final = {
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


def find_foreign_imports(files: Sequence[Path], allowed: set[str]) -> dict[str, set[str]]:
    """Return by file what it imports that is neither allowed nor of the standard library nor of its own package."""
    foreign = {}
    for file in files:
        own = next(part for part in file.relative_to(ROOT).parts if part.startswith("pitboss"))
        tops = {name.split(".")[0] for name in imported_names(file)}
        foreign[str(file)] = tops - allowed - set(sys.stdlib_module_names) - {own, ""}
    return {file: found for file, found in foreign.items() if found}


def test_the_core_imports_no_room_around_it() -> None:
    """The core stands on msgspec and pluggy alone: not on the tournament, a game, trio, typer or rich.

    Three modules, which have to be asked for, step many games in arrays.
    """
    foreign = find_foreign_imports(CORE, {"msgspec", "pluggy", "pitboss"})
    assert foreign == {
        str(ROOT / f"core/pitboss/learning/{name}.py"): {"numpy"} for name in ("batch", "batch_fields", "batch_rows")
    }


def test_the_core_does_nothing_outside() -> None:
    """The core opens no files, starts no processes and reads no clock, except for standard streams of the bot SDK
    and the entry points of plugins.
    """
    imported = {file.name: {name.split(".")[0] for name in imported_names(file)} & OUTSIDE for file in TABLE}

    assert {name: found for name, found in imported.items() if found} == {
        "bot.py": {"os", "io"},
        "installed_entries.py": {"os"},
    }


def test_plugins_import_the_core_alone() -> None:
    """A plugin stands on `pitboss`, msgspec, pluggy and the standard library, as anybody's plugin can."""
    assert find_foreign_imports(PLUGINS, {"msgspec", "pluggy", "pitboss"}) == {}


def test_engines_import_the_core_alone() -> None:
    """A game whose rules are a program in any language needs no tournament."""
    assert find_foreign_imports(ENGINES, {"msgspec", "pitboss"}) == {}


def test_the_tournament_imports_no_plugin() -> None:
    """The tournament finds games and bots by the hooks."""
    tops = {name.split(".")[0] for file in TOURNAMENT for name in imported_names(file)}

    assert {top for top in tops if top.startswith("pitboss_")} == {"pitboss_tournament"}


def test_the_framework_names_no_game() -> None:
    """The framework's code names no game; docstrings and help texts, where a game serves as an example, may."""
    games = set(Registry().games) - {suit for _, suit, _ in SUIT_SIGNS.values()}  # some are named as a suit is
    nodes = [node for file in (*CORE, *TOURNAMENT) for node in ast.walk(ast.parse(file.read_bytes()))]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    words = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}

    assert {name for name in names if name.lower() in games} == set()
    assert words & games == set()  # as a whole string: what code could compare a name with


@pytest.mark.once
@pytest.mark.parametrize("module", ["pitboss", "pitboss.bot", "pitboss.plugins.registry", "pitboss.schema"])
def test_importing_the_table_is_light(module: str) -> None:
    """Importing the table brings in no event loop, no screen, no database, no processes and no tournament."""
    code = f"import sys, {module}; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)

    brought = set(ran.stdout.split())
    assert module in brought
    assert brought & set(HEAVY) == set()


@pytest.mark.once
def test_a_bot_that_knows_the_rules_imports_one_game() -> None:
    """A bot of the house that searches loads the game that it plays, and no other: a tournament starts thousands."""
    code = "import sys; from pitboss_house_bots import search_bot; search_bot.main([]); print(*sys.modules)"
    hello = '{"type":"hello","game":"racko","options":{},"seats":2,"seat":0,"seed":"","clock":'
    hello += '{"start_ms":60000,"decision_ms":10}}\n{"type":"bye"}\n'
    ran = subprocess.run([sys.executable, "-c", code], input=hello, capture_output=True, text=True, timeout=60)

    brought = ran.stderr.split()  # where a bot's prints go
    assert ["pitboss_racko.game"] == [name for name in brought if re.fullmatch(r"pitboss_\w+\.game", name)]


def test_one_module_of_the_tournament_imports_numpy() -> None:
    """One module imports numpy, and tells it to calculate in one thread; the others import that module, but for one
    that calculates nothing and writes files of arrays.
    """
    importing = {file.stem for file in TOURNAMENT if "numpy" in {name.split(".")[0] for name in imported_names(file)}}

    assert {"arrays", "decision_export"} == importing


@pytest.mark.once
@first_rows(1)(
    "words",
    [
        ("--help",),
        ("games",),
        ("plugins",),
        ("schema", "standings"),
        ("schema", "tournament"),
        ("new", "bot", "python", "mine"),
        QUICK_CHECK,
    ],
    ids=lambda words: "-".join(words[:2]),
)
def test_a_command_that_starts_without_numpy(words: Sequence[str], tmp_path: Path) -> None:
    """The command works where numpy cannot be imported: the import would take a part of a second from each such
    command.
    """
    code = "import sys; sys.modules['numpy'] = None; from pitboss_tournament.cli import main; main()"
    ran = subprocess.run([sys.executable, "-c", code, *words], cwd=tmp_path, capture_output=True, text=True, timeout=60)

    assert 0 == ran.returncode, ran.stderr


@pytest.mark.once
def test_bots_and_games_need_no_numpy() -> None:
    """Bots of the house, the SDK that they use, a worker that plays and the installed games need no numpy."""
    code = f"import sys, {', '.join(OF_A_BOT)}; pitboss.plugins.registry.Registry().games; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)

    brought = set(ran.stdout.split())
    assert {*OF_A_BOT, "pitboss_bridge"} <= brought
    assert "numpy" not in brought
