"""The command lines of `pitboss` that pages, help texts and messages name, and whether the command line takes them."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import typer

from pitboss_tournament.cli.app import app

COMMAND_LINE: Final = re.compile(
    r"`(pitboss [a-z][^`\n]*)`|^(?:\$ |.*?(?:  |: ))(pitboss [a-z][^`\n]*?)(?:  .*)?$", re.M
)
PLACEHOLDER: Final = re.compile(r"…|\.\.\.|[A-Z][A-Z0-9_-]*")
BEHIND: Final = re.compile(r"  #|;| [|>&] ")  # a command: a comment, the rest of a sentence or of a shell's line
FILLED_IN: Final = "1"  # a name, a path and a number


MENTIONS: Final = ("MissingParameter", "NoArgsIsHelpError")  # of typer's own click


def find_command_lines(text: str) -> list[str]:
    """Return the command lines in a text: between backticks, behind a prompt, in a column or behind a colon."""
    found = [quoted or shown for quoted, shown in COMMAND_LINE.findall(text)]
    return [BEHIND.split(line)[0].strip() for line in found]


def read_string_values(file: Path) -> Iterator[str]:
    """Yield the strings of a source file, each with FILLED_IN where a value is put in."""
    inside: set[ast.AST] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            inside.update(ast.walk(node))
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else FILLED_IN for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in inside:
            yield node.value


def find_refusal(line: str) -> str:
    """Return why the command line does not take a command, "" if it does. Arguments may be missing: it is a mention."""
    words = [PLACEHOLDER.sub(FILLED_IN, word) for word in shlex.split(line)[1:]]
    command: Any = typer.main.get_command(app)
    context: Any = typer.Context(command, info_name="pitboss")
    while hasattr(command, "commands") and words:
        name = words.pop(0)
        if name not in command.commands:
            return f"there is no command {name!r}"
        command = command.commands[name]
        context = typer.Context(command, info_name=name, parent=context)
    try:
        command.make_context(command.name, words, parent=context.parent)
    except typer.Exit:  # --help, --version
        return ""
    except Exception as error:  # noqa: BLE001 - typer's own click, which is private
        is_mention = type(error).__name__ in MENTIONS or str(error).endswith("requires an argument.")
        return "" if is_mention else f"{type(error).__name__}: {error}"
    return ""
