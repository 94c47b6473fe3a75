"""What is made for the documentation from the code: nothing is left out, nothing is without a meaning, and links lead
somewhere.
"""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
import pytest
from docs.generators import command_reference, example_game, game_pages, protocol_reference
from docs.generators.markdown import escape_text, rewrite_links, table
from docs.generators.python_reference import MODULES, convert_to_rst, find_field_comment

import pitboss
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import FromBot, FromRunner
from pitboss.table.events import AnyEvent
from pitboss_tournament.cli.app import SOURCES
from tests import ROOT

pytestmark = pytest.mark.once

GAMES: Final = Registry().games
AUTHORS_CODE: Final = sorted(
    {
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("examples/plugins/*/*.py"),
        *ROOT.glob("tournament/pitboss_tournament/templates/games/*/*.py"),
    }
)
KINDS: Final = [*get_args(FromRunner), *get_args(FromBot), *protocol_reference.PART_TYPES, *get_args(AnyEvent)]


@pytest.fixture(scope="module")
def reference() -> str:
    """Return the protocol reference."""
    return protocol_reference.render_page(list(GAMES.values()))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_field_has_a_meaning(kind: type) -> None:
    """The table of a struct has a row for each field, with words for each."""
    rows = [line for line in protocol_reference.render_fields(kind).splitlines()[2:] if line]

    assert [row.split("`")[1] for row in rows] == [one.encode_name for one in msgspec.structs.fields(kind)]
    assert [row for row in rows if row.rstrip(" |").endswith("|") or row.rstrip().endswith("|  |")] == []


@pytest.mark.long
def test_an_example_of_each_message(reference: str) -> None:
    """Each example was said in a real game: it is read as the message that it stands under, but for spaces byte for
    byte.
    """
    for kind in (*get_args(FromRunner), *get_args(FromBot)):
        tag = kind.__struct_config__.tag
        section = reference.partition(f"\n### {tag}\n")[2].partition("\n### ")[0]
        [shown] = re.findall(r"```json\n(.*?)\n```", section, re.DOTALL)
        plain: Any = msgspec.json.decode(shown)
        assert plain["type"] == tag
        assert msgspec.json.encode(msgspec.json.decode(shown, type=kind)) == msgspec.json.encode(plain)


def test_an_example_of_each_event(reference: str) -> None:
    """Each example is an event of its verb; random games come upon every verb but the rarest."""
    for kind in get_args(AnyEvent):
        verb = kind.__struct_config__.tag
        section = reference.partition(f"\n### {verb}\n")[2].partition("\n### ")[0]
        for shown in re.findall(r"```json\n(.*?)\n```", section, re.DOTALL):
            assert msgspec.json.decode(shown, type=kind)
    assert len(example_game.collect_events(list(GAMES.values()))) >= len(get_args(AnyEvent)) - 1


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_page_of_a_game(name: str) -> None:
    """The page of a game has every option, preset, phase, action and field of the view, and leads to the rule book."""
    game = GAMES[name]
    page = game_pages.render_page(game, "a plugin", "rules.md")

    names = [one.encode_name for one in msgspec.structs.fields(game.Options)]
    names += [*game.presets, *(one.encode_name for one in msgspec.structs.fields(game.View))]
    assert [word for word in names if f"`{word}`" not in page] == []
    assert [title for title in game_pages.SHARED_SECTIONS if f"\n## {title}\n" not in page] == []
    assert "[its rule book](rules.md)" in page
    book = game_pages.find_rule_book(game, ROOT / "plugins")
    assert book is not None
    assert book.read_text(encoding="utf-8").startswith("# ")


def test_the_page_of_the_command_line() -> None:
    """The page of the command line has every command, those of a group too, with every option."""
    page = command_reference.render_page()

    groups = {"new": ["bot", "game"], "queue": ["add", "run"], "league": ["init", "run"], "token": ["new", "list"]}
    groups |= {"models": ["fake"], "arena": ["init", "run", "report", "rung"]}
    for command in SOURCES.keys() - groups.keys():
        assert f"\n## {command}\n" in page
    for group, commands in groups.items():
        assert all(f"\n## {group} {command}\n" in page for command in commands)
    section = page.partition("\n## ask\n")[2].partition("\n## ")[0]
    for option in ("[DECISION]", "--bot BOT", "--no-clock", "--json"):
        assert f"| `{option}` |" in section


def test_links() -> None:
    """A link out of docs/ becomes a page, a module of the reference, or just its words; links within docs/ and to the
    web stay.
    """
    pages = {"plugins/racko/RULES.md": "generated/rules-racko.md", "bots": "generated/bots.md"}
    text = (
        "[a](../plugins/racko/RULES.md#x) [`b`](../core/pitboss/bot.py) [c](../LICENSE) "
        "[d](game.md) [e](https://f/g) [h](#i)"
    )

    assert rewrite_links(text, "docs/page.md", "page.md", pages, MODULES) == (
        "[a](generated/rules-racko.md#x) {py:mod}`b <pitboss.bot>` c [d](game.md) [e](https://f/g) [h](#i)"
    )
    moved = rewrite_links("[a](../docs/game.md) [b](../bots)", "bots/README.md", "generated/bots.md", pages, MODULES)
    assert moved == "[a](../game.md) [b](bots.md)"
    listing = "```python\nfound[name](../bots)\n```"
    assert rewrite_links(listing, "docs/page.md", "page.md", pages, MODULES) == listing


def test_the_python_reference_has_every_name_that_the_package_exports() -> None:
    """Each name of `pitboss.__all__` is defined in a module that the reference describes."""
    assert set(pitboss.__all__) - set().union(*map(defined_names, MODULES)) == set()


@pytest.mark.parametrize("file", AUTHORS_CODE, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_the_python_reference_has_what_authors_import(file: Path) -> None:
    """The pages, the examples and the folders of new games import no module of the core that the reference
    leaves out.
    """
    imported = re.findall(r"^(?:>>> )?from (pitboss\.[\w.]+) import", file.read_text(encoding="utf-8"), re.MULTILINE)

    assert set(imported) - set(MODULES) - {"pitboss.protocol.messages"} == set()  # these have a reference of their own


def defined_names(module: str) -> set[str]:
    """Return the public names that a module itself defines; autodoc leaves out those that it imports."""
    path = importlib.import_module(module).__file__
    assert path is not None
    names: set[str] = set()
    for node in ast.parse(Path(path).read_text(encoding="utf-8")).body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]):
                names.add(name)
    return names


def test_docstrings_for_autodoc() -> None:
    """Listings, names and errors are what they look like in an editor."""
    docstring = ["Do `it`.", "", "    like(this)", "", "And so on.", "", "Raises:", "    Wrong: it is `bad`."]

    assert list(convert_to_rst(docstring)) == [
        *["Do ``it``.", "", "::", "", "    like(this)", "", "And so on.", "", ":raises Wrong: it is ``bad``."]
    ]


def test_comments_behind_fields() -> None:
    """A comment behind a field becomes the field's meaning; a field without a comment has none."""
    importlib.import_module("pitboss.bot")
    assert find_field_comment("pitboss.bot.Question.legal").startswith("every legal action")
    assert find_field_comment("pitboss.bot.Question.phase") == ""
    assert find_field_comment("pitboss.bot.run.name") == ""


def test_markdown_in_foreign_words() -> None:
    """Foreign text that looks like markup is escaped; code stays code; a bar does not end a cell; an empty column is
    left out.
    """
    assert escape_text("a_b <c> [d] --e-f `g_h`") == r"a\_b \<c\> \[d\] `--e-f` `g_h`"
    assert table(("a", "b"), [("x|y", "")]) == "| a |\n| --- |\n| x\\|y |"
