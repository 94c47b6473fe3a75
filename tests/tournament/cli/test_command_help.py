"""The help of each command: on a screen, in sections, with few options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
import typer
from msgspec import Struct

from pitboss.plugins.hookspec import NamedBot
from pitboss_tournament.authoring.game_reference import GameReference
from pitboss_tournament.cli.app import app
from pitboss_tournament.doctor.machine import Finding
from pitboss_tournament.league.backup import BackupSizes
from pitboss_tournament.simulation.simulation import Simulation
from pitboss_tournament.study.study import GameStudy

MAX_PARAMETERS: Final = 20
MAX_HELP_LINES: Final = 45
SCREEN_WIDTH: Final = 80


def list_commands(command: Any, context: Any) -> Iterator[tuple[str, Any, Any]]:  # noqa: ANN401 - typer's own click
    """Yield name, command and context of each command, those of groups too."""
    for name, one in command.commands.items():
        inner = typer.Context(one, info_name=name, parent=context, terminal_width=SCREEN_WIDTH)
        yield inner.command_path, one, inner
        if hasattr(one, "commands"):
            yield from list_commands(one, inner)


GROUP: Final[Any] = typer.main.get_command(app)
COMMANDS: Final = [*list_commands(GROUP, typer.Context(GROUP, info_name="pitboss"))]


@pytest.mark.parametrize(("path", "command", "context"), COMMANDS, ids=[path for path, *_ in COMMANDS])
def test_a_command_is_explained_on_a_screen(path: str, command: Any, context: Any) -> None:  # noqa: ANN401
    """A command has at most 20 parameters, and its help at most 45 lines of 80 columns; a section has a heading."""
    lines = command.get_help(context).splitlines()

    assert len(command.params) <= MAX_PARAMETERS
    assert len(lines) <= MAX_HELP_LINES
    assert max(map(len, lines)) <= SCREEN_WIDTH
    assert command.get_short_help_str(200).endswith(".")


def test_the_help_of_a_match_has_sections() -> None:
    """The help of `match` lists its daily options by subject."""
    text = next(command.get_help(context) for path, command, context in COMMANDS if path == "pitboss match")
    headings = [line.removesuffix(":") for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")]

    assert headings == ["Arguments", "What is played", "On this machine", "This run", "Output"]


@pytest.mark.parametrize(
    ("path", "printed"),
    [
        ("bots", NamedBot),
        ("doctor", Finding),
        ("games", GameReference),
        ("league backup", BackupSizes),
        ("simulate", Simulation),
        ("study", GameStudy),
    ],
)
def test_the_help_names_the_keys_of_json(path: str, printed: type[Struct]) -> None:
    """The help names each key of the objects that --json prints."""
    text = next(command.help for one, command, _ in COMMANDS if one == f"pitboss {path}")
    told = re.findall(r"\w+", text.partition("With --json")[2])

    assert [key for key in printed.__struct_encode_fields__ if key not in told] == []
