"""Text for a terminal that somebody else has written: it can be read, and can do nothing."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len

from pitboss import Action, CardFace, SeatIndex
from pitboss.text import escape_json
from pitboss_tournament.exchange.export import record_line
from pitboss_tournament.play.terminal.terminal_person import Menu
from pitboss_tournament.text.columns import TextColumn, fit_table
from pitboss_tournament.text.terminal_text import (
    action_text,
    count_cells,
    decode_text,
    escape_line,
    pad_cells,
    set_behind_margin,
    truncate_cells,
    word_action,
    wrap_text,
)
from tests.tournament.stored_games import make_record


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, é, 牌, ♠", "plain, é, 牌, ♠"),
        ("\x1b[2J\x07", r"\x1b[2J\x07"),
        ("a\nb\rc", r"a\nb\rc"),
        ("\x9b31m\x7f", r"\x9b31m\x7f"),
        ("\u202eabc\u2066", r"\u202eabc\u2066"),
        ("line\u2028line", r"line\u2028line"),
        ("\udc80", r"\udc80"),
    ],
)
def test_what_could_do_something_to_a_terminal_stands_there_in_letters(text: str, shown: str) -> None:
    """Escapes, bells, line ends of any kind and marks of direction do nothing; other letters stay."""
    assert escape_line(text) == shown


@given(st.text())
def test_any_text_is_one_line_of_signs(text: str) -> None:
    """Any text of a bot is one line of printable signs."""
    assert escape_line(text).isprintable()


@given(st.text(), st.integers(10, 60))
def test_no_line_of_ours_can_be_forged(text: str, width: int) -> None:
    """Every piece of a foreign line stands behind the margin, and nothing of it is lost."""
    pieces = list(set_behind_margin(text, "  | ", width, first="  > "))

    assert [piece[:3] for piece in pieces] == ["  >", *["  |"] * (len(pieces) - 1)]
    assert "".join(piece[4:] for piece in pieces).replace(" ", "") == escape_line(text).replace(" ", "")


@pytest.mark.parametrize("name", ["トランプの王様", "Zoe\u0301", "한국어 카드", "Ace"])
def test_a_table_is_straight_in_any_script(name: str) -> None:
    """Columns begin where the terminal's cells do, also where names are shortened to fit."""
    names = TextColumn[str]("Title", lambda row: row)
    number = TextColumn[str]("Games", lambda row: "12")
    rows = [name, "plain name of many letters"]

    for width in (None, 20):
        lines = [line.text for line in fit_table(rows, [names], [[number]], width)]

        assert {cell_len(line) for line in lines} == {cell_len(lines[0])}
        assert cell_len(lines[0]) <= (width or 80)

    first, second = Menu([name, "b", "plain name of many letters", "d"]).lines(60, 9)
    assert cell_len(first[: first.index("2 b")]) == cell_len(second[: second.index("4 d")])


@given(st.text(st.characters(exclude_categories=("Cc", "Cs", "Cn", "Co"))))
def test_cells_are_those_that_rich_counts(text: str) -> None:
    """Tables in pipes and tables that rich draws have the same columns, where both know how wide a letter is."""
    known = "".join(sign for sign in text if cell_len(sign) == count_cells(sign))

    assert cell_len(pad_cells(truncate_cells(known, 12), 12)) == 12


def test_wide_letters_take_two_columns() -> None:
    """A line of them is cut where the terminal would, not where half as many letters would."""
    assert list(set_behind_margin("牌" * 25, "| ", 22)) == [f"| {'牌' * 10}", f"| {'牌' * 10}", f"| {'牌' * 5}"]


def test_a_text_of_several_lines() -> None:
    """A text of several lines is shown line by line, tabs as blanks, empty lines too; what is left of a long line is
    set in.
    """
    assert list(wrap_text("a\x1b[2J\tc\r\n\nnext\n", None)) == [r"a\x1b[2J   c", "", "next"]
    assert list(wrap_text("  one two three", 10)) == ["  one two", "      thre", "      e"]


@given(st.text(), st.integers(8, 60))
def test_no_line_is_wider_than_the_terminal(text: str, width: int) -> None:
    """A word that is too long is cut as well: what the terminal broke would look like a line of its own."""
    for line in wrap_text(text.strip(), width):
        assert len(line) <= width


def test_bytes_that_are_no_text() -> None:
    """Bytes that are no text are shown by their numbers."""
    assert decode_text(b"\xc3\xa9 \xff") == "é \\xff"


@given(st.text(st.characters(codec="utf-8")))
def test_json_stays_what_it_was(text: str) -> None:
    """JSON for a terminal has the same value, and nothing in it that a terminal would obey."""
    harmed = json.dumps({"note": text}, ensure_ascii=False)

    shown = escape_json(harmed)
    assert json.loads(shown) == json.loads(harmed)
    assert not set(shown) & {"\x1b", "\x7f", "\x9b", "\x9d", "\u202e", "\n"}


def test_exported_lines_do_nothing_to_a_terminal() -> None:
    """Records may go through `head` or `less` to a terminal: what it would obey is escaped, and the value the same."""
    record = replace(make_record(0), seed="\x9b2J\u202eknarf")
    line = record_line(7, record)

    assert line.isprintable()
    assert json.loads(line)["seed"] == record.seed


class Order(Struct, frozen=True, tag_field="do", tag="order"):
    """An action with fields of several kinds."""

    suit: str
    alone: bool
    cards: list[str] = []


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Order("D", alone=False), "order suit D"),
        (Order("D", alone=True), "order suit D alone"),
        (Order("D", alone=True, cards=["H9", "S4"]), "order suit D alone ♥9 S4"),
    ],
)
def test_an_action_in_words(action: Order, words: str) -> None:
    """The words of an action have the name of a field that is true, and nothing of one that is false; faces may have
    other words.
    """
    assert action_text(action, {"H9": "♥9"}).strip() == words


def test_lists_in_a_list_are_told_apart() -> None:
    """Between lists of several cards stands a comma: two ways to group the same cards read differently."""
    faces = {"H9": "♥9"}

    assert action_text({"do": "lay", "cards": [["H9", "S9"], ["S8", "S7"]]}, faces) == "lay ♥9 S9, S8 S7"
    assert action_text({"do": "lay", "cards": ["H9", "S9"]}, faces) == "lay ♥9 S9"


class Guess(Action, frozen=True):
    """Guess what a player holds."""

    card: CardFace
    target: SeatIndex | None = None


class Greet(Action, frozen=True):
    """Greet a player."""

    seat: SeatIndex


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Guess("H9", 1), "guess H9 target bob"),
        (Guess("H9", 0), "guess H9 target you"),
        (Guess("H9"), "guess H9 target nobody"),
        (Greet(1), "greet bob"),
    ],
)
def test_a_seat_is_told_by_its_player(action: Guess | Greet, words: str) -> None:
    """A field that is a seat (`SeatIndex`) is told by the name of the player, and the reader as "you"."""
    assert word_action(None, action, names=["ann", "bob"], reader=0) == words
    assert action_text(Greet(1)) == "greet seat 1"
