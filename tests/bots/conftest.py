"""The example bots of `bots/` and the house's bots, ready to be started."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, TypeAlias

import pytest

from pitboss import AnyGame
from pitboss.plugins.registry import Registry
from pitboss_tournament.authoring import bot_build
from pitboss_tournament.authoring.templates import NewBot, load_templates, make_bot
from pitboss_tournament.config.bot_file import read_bot_file
from tests import ROOT
from tests.bots.blocking_runner import BotProgram

BOTS: Final = ROOT / "bots"

ProgramFinder: TypeAlias = Callable[[str], BotProgram]


@pytest.fixture(scope="session")
def racko() -> AnyGame:
    """Return the game that all these tests play."""
    return Registry().find_game("racko")


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> ProgramFinder:
    """Return a function from a bot's name (a folder of `bots/`, `new:LANGUAGE`, or `house:…`) to its program, built in
    a copy of its folder.
    """

    @cache
    def find_program(name: str) -> BotProgram:
        if name.startswith("house:"):
            return BotProgram(_substitute_python(Registry().bots[name].command))
        place = tmp_path_factory.mktemp("bots")
        language = name.removeprefix("new:")
        if language != name:
            make_bot(NewBot(name=language, into=place), load_templates()[language])
        else:
            shutil.copytree(BOTS / name, place / name, ignore=shutil.ignore_patterns("build", "__pycache__"))
        folder = place / language
        _, about = read_bot_file(folder)
        if missing := [tool for tool in about.needs if shutil.which(tool) is None]:
            pytest.skip(f"{name} needs {missing}, which is not on this machine")
        bot_build.build(folder, bot_build.announce_nothing, is_shown=False)
        return BotProgram(_substitute_python(about.command), folder)

    return find_program


def _substitute_python(command: Sequence[str]) -> tuple[str, ...]:
    return tuple(sys.executable if word == "{python}" else word for word in command)
