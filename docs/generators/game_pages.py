"""A page for each installed game, from its types and a random game, and its rule book if there is one."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Final

from docs.generators.markdown import block, code, escape_text, join_parts, table

from pitboss import AnyGame
from pitboss.text import join_words
from pitboss_tournament.authoring.game_page import render_game_page
from pitboss_tournament.authoring.game_reference import GameReference, describe_game

RULES: Final = "RULES.md"
SHARED_SECTIONS: Final = ("What it is asked", "What it may do", "What it sees")  # from the page beside a new bot


def render_page(game: AnyGame, plugin: str, rules: str | None) -> str:
    """Return a game's page; `rules` is the name of the page with its rule book."""
    found = describe_game(game, plugin)
    more = f" The rules are in [its rule book]({rules})." if rules else ""
    shared = split_sections(render_game_page(game, found, most=None))
    return join_parts(
        [
            f"# {found.title}",
            f"{found.about}{more}",
            f"`{found.name}`, version {found.version}, from `{found.plugin}`, for {join_words(found.seats)} players. "
            f"`pitboss games {found.name}` tells the same in a terminal, "
            f"`pitboss schema {found.name}` prints JSON Schema, "
            f"and `pitboss new bot LANGUAGE NAME --game {found.name}` makes a bot for it.",
            "## Options\n\nIn a tournament file under `[options]`; on the command line `-o NAME=VALUE`.",
            _render_options(found),
            _render_presets(found),
            "## Phases\n\nThe phase of a question, and which actions may be legal in it.",
            table(
                ("phase", "actions"),
                [
                    (
                        code(one.phase),
                        ", ".join(map(code, one.actions)) or "(not met in random games; by other options, or seldom)",
                    )
                    for one in found.phases
                ],
            ),
            *(f"## {title}\n\n{shared[title]}" for title in SHARED_SECTIONS),
            block(f":hidden:\n\n{rules.removesuffix('.md')}", "{toctree}") if rules else "",
        ]
    )


def split_sections(text: str) -> dict[str, str]:
    """Return a page's sections by heading, with patterns marked as code and listings as JSON with omissions."""
    marked = re.sub(r"that matches (\S+?)([.,]?)(?=\s)", r"that matches `\1`\2", text)
    marked = marked.replace("```json\n", "```{code-block} json\n:force:\n\n")
    parts = re.split(r"^## (.+)$", marked, flags=re.MULTILINE)
    return {title: body.strip() for title, body in zip(parts[1::2], parts[2::2], strict=True)}


def find_rule_book(game: AnyGame, plugins: Path) -> Path | None:
    """Return a game's rule book, None if there is none beside its package."""
    package = type(game).__module__.partition(".")[0]
    module = sys.modules[package]
    folders = [found.parent for found in plugins.glob(f"*/{package}")]
    if module.__file__:
        folders.append(Path(module.__file__).parent.parent)
    return next((folder / RULES for folder in folders if (folder / RULES).is_file()), None)


def _render_options(found: GameReference) -> str:
    rows = [
        (code(one.name), escape_text(one.allowed), code(json.dumps(one.default)), escape_text(one.meaning))
        for one in found.options
    ]
    return table(("option", "allowed", "default", "meaning"), rows) if rows else "It has none."


def _render_presets(found: GameReference) -> str:
    if not found.presets:
        return ""
    rows = [
        (
            code(one.name),
            ", ".join(code(f"{name} = {json.dumps(value)}") for name, value in one.sets.items()) or "the defaults",
            "" if one.seats == found.seats else join_words(one.seats),
        )
        for one in found.presets
    ]
    about = '## Presets\n\nIn a tournament file `preset = "NAME"`, else `--preset NAME`.'
    return f"{about}\n\n{table(('preset', 'sets', 'players'), rows)}"
