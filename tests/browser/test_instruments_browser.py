"""Instruments in Chromium: each kind is drawn on the page of a game, and a bid is made by a click in the grid."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from pitboss.plugins.registry import Registry
from tests.browser.chromium import Browser
from tests.browser.play_page import MY_TURN, open_link, open_play
from tests.browser.test_replay_page import open_replay, record_game
from tests.core.sealed_engine import SealedPosition, make_sealed_game

pytestmark = pytest.mark.once

# by kind: how a page says what is drawn, once it is on a frame of the game
READS: Final = {
    "calls": "[...document.querySelectorAll('.calls tbody td')].some(cell => cell.textContent)",
    "board": "document.querySelectorAll('.peg-board .peg').length === 4",
    "race": "[...document.querySelectorAll('.race')].some(bar => !bar.hidden && bar.offsetWidth > 20)",
    "arrows": "document.querySelectorAll('.arrows:not([hidden]) path').length === 4",
    "marks": "document.querySelector('.mark-of-card')?.textContent.length > 0",
    "tally": r"[...document.querySelectorAll('.facts .count')].some(one => /needs \d+ more/.test(one.textContent))",
    "call": r"[...document.querySelectorAll('.facts .count')].some(one => /to call \d/.test(one.textContent))",
}
FIND_FRAME: Final = """(async () => {
    for (let step = 0; step < 60; step++) {
        if (%s) return true;
        document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
        await new Promise(requestAnimationFrame);
    }
    return false;
})()"""


@pytest.mark.parametrize(
    ("kind", "name", "seats", "options"),
    [
        ("calls", "bridge", 4, {"deals": 1}),
        ("tally", "bridge", 4, {"deals": 1}),
        ("board", "cribbage", 2, {"deals": 1}),
        ("race", "hearts", 4, {"deals": 1}),
        ("arrows", "ragamaru", 4, {"max_turns": 100}),
        ("marks", "fireworks", 3, {}),
        ("call", "poker", 3, {"hands": 1}),
    ],
)
def test_each_kind_is_drawn(
    browser: Browser, tmp_path: Path, kind: str, name: str, seats: int, options: dict[str, Any]
) -> None:
    """The page of a game draws what the game declares."""
    game = Registry().find_game(name)
    page = open_replay(browser, tmp_path, record_game(game, seats, options), game)

    assert page.run(FIND_FRAME % READS[kind])
    assert page.messages() == []


def test_a_game_without_cards_is_drawn_as_text(browser: Browser, tmp_path: Path) -> None:
    """The page of an engine's game has the text of each moment in the middle, and no frame for the text alone."""
    game = make_sealed_game()
    page = open_replay(browser, tmp_path, record_game(game, 2, {}), game)
    text = "document.querySelector('.text-picture:not([hidden])')?.textContent ?? ''"

    first = page.run(text)
    assert page.run(FIND_FRAME % f"({text}).includes('True') || ({text}).includes('False')")
    assert first != page.run(text)
    assert page.messages() == []


class CardTextPosition(SealedPosition):
    """A position that is told by names of its cards."""

    names = "AS Td9C HQ 2S DK"

    def describe(self) -> str:
        """Return the names of all cards, and how many are dealt."""
        return f"{self.names}\n{len(self.cards)} dealt"


class SquareTextPosition(CardTextPosition):
    """A position that is told by squares of a board."""

    names = "D4 C3 H7 S2 D5 2C"


BLACK: Final = [["A♠", False], ["9♣", False], ["2♠", False]]
RED: Final = [["T♦", True], ["Q♥", True], ["K♦", True]]
READ_CARDS: Final = (
    "[...document.querySelectorAll('.text-picture .written-card')].map(one => [one.textContent, one.matches('.red')])"
)


@pytest.mark.parametrize(("position", "expected"), [(CardTextPosition, [*BLACK, *RED]), (SquareTextPosition, [])])
def test_cards_in_a_text_have_signs(
    browser: Browser, tmp_path: Path, position: type[CardTextPosition], expected: list[list[object]]
) -> None:
    """Cards that a text names have the signs of their suits, hearts and diamonds in red; squares of a board stay."""
    game = make_sealed_game(position)
    page = open_replay(browser, tmp_path, record_game(game, 2, {}), game)
    text = page.run("document.querySelector('.text-picture').textContent")

    assert sorted(page.run(READ_CARDS)) == sorted(expected)
    assert "dealt" in text
    assert position.names in text or expected
    assert page.messages() == []


def test_a_bid_in_the_grid(tmp_path: Path, browser: Browser) -> None:
    """A click on a cell chooses its bid, which one more click plays; it then stands in the table of calls."""
    words = ("bridge", *("--against", "house:random") * 3, "--preset", "single", "--seat", "0", "--seed", "s")
    with open_play(*words, "--store", "x.pitboss", cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"], 1400, height=900)
        page.wait_for(f"{MY_TURN} && document.querySelectorAll('.bid-cell:not(:disabled)').length > 1")
        assert page.run("document.querySelectorAll('.bid-grid > .bid-cell').length") == 35
        assert page.run("document.querySelectorAll('.panel .action').length") == 0
        last = "[...document.querySelectorAll('.bid-grid > .bid-cell:not(:disabled)')].at(-1)"
        page.run(f"{last}.click()")
        assert page.run(f"{last}.ariaPressed") == "true"
        page.run("document.querySelector('.confirm').click()")
        page.wait_for("[...document.querySelectorAll('.calls td')].some(one => one.textContent === '7NT')")
        assert page.messages() == []
        server.stop()
