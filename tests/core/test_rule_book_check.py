"""The check that a rule book is that of its game: one of a template that was left beside another game is found."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from pitboss.testing.checks.contract import rule_book_names_actions
from pitboss.testing.framework.check import CheckFailed, NotApplicable
from pitboss.testing.framework.project_rule_book import read_project_rule_book

PROJECT = '[project]\nreadme = "RULES.md"\n[project.entry-points.pitboss]\nlaying = "{module}"\n'
GAME = """
from pitboss import Action

class LayDown(Action, frozen=True): pass
class Pass(Action, frozen=True, tag="skip_turn"): pass

class Laying:
    Action = LayDown | Pass
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a project with a game in the module `laying`."""
    (tmp_path / "laying.py").write_text(GAME)
    (tmp_path / "pyproject.toml").write_text(PROJECT.format(module="laying"))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "laying", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("book", "fails"),
    [
        ("# Laying\nLay cards down, or skip_turn.", None),
        ("# Laying\nWho lays lays down; who will skip turn says so.", None),
        ("# Shedding\nA player plays a card, or draws one.", "LayDown, Pass: is it that of this game"),
        ("# Laying\nLay cards down, or pass.", None),
        ("# Laying\nLay cards down.", "Pass: is it that of this game"),
    ],
)
def test_the_words_of_the_actions(folder: Path, book: str, fails: str | None) -> None:
    """A rule book has the word of the wire for each action, or the words of its name."""
    (folder / "RULES.md").write_text(book)
    game = importlib.import_module("laying").Laying()

    assert read_project_rule_book(game) == book
    if fails is None:
        rule_book_names_actions.function(game)
    else:
        with pytest.raises(CheckFailed, match=fails):
            rule_book_names_actions.function(game)


@pytest.mark.parametrize(
    "project", [PROJECT.format(module="other"), "[project", "", '[project]\nreadme = "RULES.md"\n']
)
def test_a_module_without_a_project(folder: Path, project: str) -> None:
    """A file of another project, or one that cannot be read, names no rule book."""
    (folder / "pyproject.toml").write_text(project)
    (folder / "RULES.md").write_text("# Shedding")
    game = importlib.import_module("laying").Laying()

    with pytest.raises(NotApplicable):
        rule_book_names_actions.function(game)
