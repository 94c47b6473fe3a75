"""Tables in a terminal: wrapped to its width, bold where that is wanted."""

from __future__ import annotations

import re

import pytest

from pitboss_tournament.text.columns import format_table
from tests.tournament.play_terminal import run_in_terminal

pytestmark = pytest.mark.once


def test_a_table_fits_the_terminal() -> None:
    """Long cells are wrapped, so that no line is longer than the terminal is wide, and nothing is lost."""
    out = re.sub(r"\x1b\[[0-9;]*m", "", run_in_terminal("games"))

    assert max(map(len, out.splitlines())) <= 80
    assert "duel_en_bonus" in out


@pytest.mark.long
def test_a_verdict_is_wrapped_beside_its_mark() -> None:
    """The promise of a check goes on beside the verdict, not under it."""
    words = ("magpie", "--seats", "2", "-o", "turns=3", "-n", "1", "--seconds", "0")

    lines = re.sub(r"\x1b\[[0-9;]*m", "", run_in_terminal("check-game", *words)).splitlines()

    first = next(number for number, line in enumerate(lines) if line.startswith("ok "))
    verdicts = lines[first : lines.index("", first)]
    assert max(map(len, verdicts)) <= 80
    assert {line[:8] for line in verdicts} <= {"ok      ", "n/a     ", " " * 8}


def test_headers_are_bold_in_a_terminal() -> None:
    """The header stands out."""
    assert "\x1b[1m" in run_in_terminal("bots")


def test_no_colour() -> None:
    """With NO_COLOR set there is no colour anywhere."""
    assert re.findall(r"\x1b\[(?:[0-9;]*;)?[349][0-9]", run_in_terminal("games", NO_COLOR="1")) == []


def test_a_dumb_terminal_gets_plain_text() -> None:
    """A terminal that says it can do nothing gets no escape sequences."""
    assert "\x1b" not in run_in_terminal("games", TERM="dumb")


def test_plain_columns_line_up() -> None:
    """Columns are as wide as their widest cell; those of numbers are set to the right; no line ends in blanks."""
    rows = [("a", "1", "x"), ("long one", "1000", "")]
    lines = [line.text for line in format_table(("name", "n", "note"), rows, right=("n",))]

    assert lines == ["name         n  note", "a            1  x", "long one  1000"]
