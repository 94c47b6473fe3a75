"""The menu of legal actions: numbers, words, pages."""

from __future__ import annotations

import pytest

from pitboss_tournament.play.terminal.terminal_person import Menu, MenuMatch

SLOTS = ["draw", *(f"take slot {slot}" for slot in range(5, 55, 5)), "pass"]


def test_a_number_is_that_action() -> None:
    """Numbers begin with 1 and stay the same when the list is narrowed."""
    menu = Menu(SLOTS)

    menu.find("take")

    assert menu.find("1") == MenuMatch(0)
    assert menu.find("12") == MenuMatch(11)


@pytest.mark.parametrize("typed", ["0", "13", "999999999999999999999999999"])
def test_a_number_that_is_none(typed: str) -> None:
    """A number without an action is answered with the range of numbers, and nothing is chosen."""
    assert Menu(SLOTS).find(typed) == MenuMatch(complaint=f"There is no action {typed}: they are numbered 1 to 12.")


@pytest.mark.parametrize(
    ("typed", "choice"),
    [("draw", 0), ("DR", 0), ("take 5", 1), ("slot 50", 10), ("5 take", 1), ("ake 45", 9), ("ss", 11)],
)
def test_words_that_one_action_has(typed: str, choice: int) -> None:
    """Whole words count before beginnings, and these before parts; the order and capitals do not matter."""
    assert Menu(SLOTS).find(typed) == MenuMatch(choice)


def test_words_that_several_actions_have() -> None:
    """The list is narrowed to these, and again by more words; words that only others have are looked for among all."""
    menu = Menu(["meld H5 H6 H7", "meld H6 H7 H8", "meld S5 H5 C5", "discard H5"])

    assert menu.find("h5") == MenuMatch()
    assert list(menu.visible) == [0, 2, 3]
    assert menu.find("meld") == MenuMatch()
    assert list(menu.visible) == [0, 2]
    assert menu.find("h8") == MenuMatch(1)


def test_the_whole_text_of_an_action() -> None:
    """The whole text of an action chooses it though longer ones begin like it."""
    assert Menu(["play R5", "play R5 B5"]).find("play r5") == MenuMatch(0)


def test_words_that_no_action_has() -> None:
    """Words that no action has are reported, and the list stays as it is."""
    menu = Menu(SLOTS)
    menu.find("take")

    assert menu.find("zebra") == MenuMatch(complaint="No action has 'zebra' in it.")
    assert len(menu.visible) == 10


def test_pages() -> None:
    """A page has as many actions as fit, in rows; pages turn round, each action is on one of them."""
    menu = Menu([f"discard {number}" for number in range(100)])
    pages = []
    for _ in range(menu.count_pages(40, 5)):
        pages.append(menu.lines(40, 5))
        menu.turn_page(1, 40, 5)

    assert [len(page) for page in pages] == [5] * 10
    assert menu.page == 0
    assert "".join(line for page in pages for line in page).split()[::3] == [str(number + 1) for number in range(100)]
    assert max(len(line) for page in pages for line in page) <= 40


def test_an_action_that_is_wider_than_the_screen() -> None:
    """An action that is wider than the screen has a row of its own."""
    assert Menu(["a" * 50, "b"]).lines(40, 5) == [f"1 {'a' * 50}", "2 b"]
