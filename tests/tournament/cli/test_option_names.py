"""The options of the commands: one name, one letter, wherever they mean the same."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

import pytest
import typer

from pitboss_tournament.cli.app import SOURCES, app

GROUP: Final[Any] = typer.main.get_command(app)
OPTIONS: Final = {
    name: [option.opts for option in GROUP.get_command(None, name).params if option.opts[0].startswith("-")]
    for name in SOURCES
}
TAKE_GAME_OPTIONS: Final = ("match", "compare", "plan", "play", "simulate", "study", "check-game")


def test_a_name_has_one_letter() -> None:
    """A long option has the same letter in every command."""
    letters = defaultdict[str, set[tuple[str, ...]]](set)
    for options in OPTIONS.values():
        for names in options:
            short = tuple(name for name in names if not name.startswith("--"))
            for name in names:
                if name.startswith("--"):
                    letters[name].add(short)

    assert {name: found for name, found in letters.items() if len(found) > 1} == {}


@pytest.mark.parametrize("name", TAKE_GAME_OPTIONS)
def test_options_of_a_game(name: str) -> None:
    """The options of a game are given with -o, a preset with -p, in every command that plays one game."""
    assert ["--option", "-o"] in OPTIONS[name]
    assert ["--preset", "-p"] in OPTIONS[name]
