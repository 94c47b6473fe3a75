"""The command line reference: every command with its arguments and options, from typer's own data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import typer
from docs.generators.markdown import block, code, escape_text, join_parts, table

from pitboss_tournament.cli.app import app

_WORDS: Final = {"number": "N", "int": "N", "float": "X", "str": "TEXT", "path": "FILE"}


def render_page() -> str:
    """Return the page."""
    group: Any = typer.main.get_command(app)
    found = list(_list_commands(group, typer.Context(group, info_name="pitboss")))
    return join_parts(
        [
            "# Command line",
            f"{group.help} Every command has `--help`, which says the same.",
            table(
                ("command", "what it does"), [(f"[{name}](#{anchor(name)})", one.short_help) for name, one, _ in found]
            ),
            *(_render_command(*one) for one in found),
        ]
    )


def anchor(name: str) -> str:
    """Return the anchor of a command."""
    return f"command-{name.replace(' ', '-')}"


def _list_commands(group: Any, parent: Any) -> Iterator[tuple[str, Any, Any]]:  # noqa: ANN401 - typer's own click
    """Yield name, command and context of all commands; a command of a group has both names."""
    for name, one in group.commands.items():
        ctx = typer.Context(one, info_name=name, parent=parent)
        if hasattr(one, "commands"):
            yield from ((f"{name} {inner}", *rest) for inner, *rest in _list_commands(one, ctx))
        else:
            yield name, one, ctx


def _render_command(name: str, command: Any, ctx: Any) -> str:  # noqa: ANN401 - typer's own click
    usage = " ".join(["pitboss", name, *command.collect_usage_pieces(ctx)])
    rows = [record for one in command.params if (record := one.get_help_record(ctx)) is not None]
    return join_parts(
        [
            f"({anchor(name)})=\n## {name}",
            block(usage, "text"),
            *(escape_text(" ".join(paragraph.split())) for paragraph in (command.help or "").split("\n\n")),
            table(
                ("argument or option", "meaning"),
                [(code(_replace_type_names(words)), escape_text(said)) for words, said in rows],
            ),
        ]
    ).strip()


def _replace_type_names(words: str) -> str:
    """Return an option's text without Python's names of types."""
    for kind, word in _WORDS.items():
        words = words.replace(f"<{kind}>", word)
    return words
