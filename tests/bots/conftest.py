"""The example bots of `bots/` and the house's bots, ready to be started."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from pitboss import AnyGame
from pitboss.plugins import Registry

from .referee import Program

BOTS: Final = Path(__file__).parents[2] / "bots"

FindProgram: TypeAlias = Callable[[str], Program]


@pytest.fixture(scope="session")
def racko() -> AnyGame:
    """Return the game that all these tests play."""
    return Registry().game("racko")


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> FindProgram:
    """Return a function from a bot's name (a folder of `bots/`, or `house:…`) to its program, built in a copy of its folder."""

    @cache
    def find(name: str) -> Program:
        if name.startswith("house:"):
            return Program(_with_this_python(Registry().bots[name].command))
        folder = tmp_path_factory.mktemp("bots") / name
        shutil.copytree(BOTS / name, folder, ignore=shutil.ignore_patterns("build", "__pycache__"))
        about = tomllib.loads((folder / "bot.toml").read_text())
        missing = [tool for tool in about.get("needs", ()) if shutil.which(tool) is None]
        if missing:
            pytest.skip(f"bots/{name} needs {missing}, which is not on this machine")
        if "build" in about:
            subprocess.run(about["build"], cwd=folder, check=True)
        return Program(_with_this_python(about["command"]), folder)

    return find


def _with_this_python(command: Sequence[str]) -> tuple[str, ...]:
    return tuple(sys.executable if word == "{python}" else word for word in command)
