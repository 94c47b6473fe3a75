"""The tables of the rule books: where each default comes from, and where a game departs from its sources."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from pitboss.game import AnyGame, resolve_options
from tests import ROOT
from tests.plugins import load_registry
from tests.rules.case_runners import game_of_file

RULE_BOOKS: Final = sorted(ROOT.glob("plugins/*/RULES.md"))
HEADING_OF_DEPARTURES: Final = "Departures from the sources"
CELL_END: Final = re.compile(r"(?<!\\)\|")
FORMULA: Final = re.compile(r"`(\w+)(?: = ([^`]+))?`")


def read_tables(text: str, first_head: str) -> Iterator[dict[str, str]]:
    """Yield the rows, by heads of columns, of each table of a text whose first column has this head."""
    for table in re.findall(rf"(?m)^\| {first_head} .*\n(?:\|.*\n?)+", text):
        head, _, *rows = [[cell.strip() for cell in CELL_END.split(line)[1:-1]] for line in table.splitlines()]
        for row in rows:
            yield dict(zip(head, row, strict=True))


def list_sources(text: str) -> set[str]:
    """Return the tags of the sources that a rule book names at its top."""
    return set(re.findall(r"(?m)^\* \*\*([^*]+)\*\* = ", text[: text.index("\n## ")]))


def is_cited(cell: str, text: str) -> bool:
    """Whether a cell names a source that the book lists, or a decision that the book has."""
    if found := re.search(r"ours \((D\d+)", cell):
        return re.search(rf"(?m)\*\*{found[1]}\b|^\| {found[1]} \|", text) is not None
    cited = re.findall(r"\[([^,\]]+)", cell)
    return bool(cited) and not {one.split()[0] for one in cited[:1]}.isdisjoint(list_sources(text))


def read_value(text: str) -> Any:  # noqa: ANN401 - JSON
    """Return the value of an option as people type it: JSON or a word."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text.strip('"')


def list_wrong_formulas(cell: str, game: AnyGame) -> list[str]:
    """Return what a cell says of options that the game has not, or that cannot have this value."""
    wrong = []
    for name, value in FORMULA.findall(cell):
        try:
            if name not in game.Options.__struct_fields__:
                raise msgspec.ValidationError("no such option")
            if value:
                msgspec.convert({name: read_value(value)}, game.Options)
        except msgspec.ValidationError as error:
            wrong.append(f"{name} = {value}: {error}")
    return wrong


def find_game(book: Path) -> AnyGame:
    """Return the game of a rule book."""
    return load_registry().find_game(game_of_file(book).replace("_", "-"))


@pytest.fixture(params=RULE_BOOKS, ids=lambda path: path.parent.name)
def book(request: pytest.FixtureRequest) -> Path:
    """Return the path of a rule book."""
    assert isinstance(request.param, Path)
    return request.param


def test_each_default_has_its_source(book: Path) -> None:
    """Each option of the game stands in one table of options, and its row cites a source of the book, or a decision."""
    text, game = book.read_text(encoding="utf-8"), find_game(book)
    rows = list(read_tables(text, "option"))
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row["option"])]

    assert sorted(named) == sorted(game.Options.__struct_fields__)
    assert [row["option"] for row in rows if not is_cited(row["source"], text)] == []


def test_departures_are_the_last_table(book: Path) -> None:
    """Each option in the table of departures is one of the game, and can have the value that the source's reading
    needs.
    """
    text, game = book.read_text(encoding="utf-8"), find_game(book)
    last = text[text.rindex("\n## ") :]
    rows = list(read_tables(last, "rule"))

    assert HEADING_OF_DEPARTURES in last.splitlines()[1]
    assert rows or "None" in last
    for row in rows:
        assert set(row) == {"rule", "source", "ours", "option"}
        assert list_wrong_formulas(row["option"], game) == []
        assert FORMULA.search(row["option"]) or row["option"].startswith("none"), row


def test_a_row_that_tells_nothing() -> None:
    """A source that the book does not list, and a decision that it does not have, are no citation."""
    text = '# G\n\n* **P** = A. Uthor, "G".\n\n## 1. Options\n\n* **D1** Why.\n'

    assert is_cited("[P, Deal]", text)
    assert is_cited("ours (D1)", text)
    assert not any(is_cited(cell, text) for cell in ("", "as usual", "[Q, Deal]", "ours (D2)", "ours"))
    spades = load_registry().find_game("spades")
    assert list_wrong_formulas("`target = 300`, `nil`", spades) == []
    assert len(list_wrong_formulas("`target = 3`, `none_such`, `spade_lead = sometimes`", spades)) == 3
    assert resolve_options(spades, 4) == spades.Options()
