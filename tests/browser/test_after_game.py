"""After a game on a page: all hands, one's costliest decisions, the record against each bot, and what comes next."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.browser.chromium import Browser, Page
from tests.browser.play_page import IS_OVER, MY_TURN, open_link, open_play, play_turn, read_game
from tests.browser.test_play_page import ask

pytestmark = pytest.mark.once

RACKO: Final = ("racko", "--against", "house:racko", "--seat", "0", "--seed", "s", "--store", "x.pitboss")
SHORT: Final = ("-o", "max_rounds=1", "-o", "max_turns=6")
HIDDEN: Final = (
    "[...document.querySelectorAll('.seat .card')].filter(card => card.ariaLabel === 'a hidden card').length"
)
RATED: Final = "!document.querySelector('.after').textContent.includes('are being rated')"
HANDS: Final = """[...document.querySelectorAll('.near .card')].map(card => card.getAttribute('aria-label'))"""


def play_to_the_end(page: Page) -> None:
    """Play a game, its score sheets read."""
    while play_turn(page):
        pass
    page.wait_for("document.querySelector('[data-key=watch]')")
    page.run("document.querySelector('.sheet:not([hidden]) button')?.click()")


def test_what_there_is_to_see_after_a_game(tmp_path: Path, browser: Browser) -> None:
    """All hands lie open. The costliest decisions are told, each with a link to the replay at this decision; so is the
    record against the bot. The replay is there when the game is over, and not before.
    """
    with open_play(*RACKO, *SHORT, cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"])
        page.wait_for(MY_TURN)
        hidden = page.run(HIDDEN)
        replay = "/" + server.links["You"].split("/", 3)[3] + "/replay"
        early = ask(server.port, replay), ask(server.port, f"{replay}.json")
        play_to_the_end(page)
        page.wait_for(f"{HIDDEN} === 0")
        page.wait_for(RATED)
        told = page.run("document.querySelector('.after').textContent")
        links = page.run("[...document.querySelectorAll('.after .costs a')].map(link => link.href)")
        again = page.run("document.querySelector('[data-key=watch]').href")
        late = (
            ask(server.port, replay),
            ask(server.port, "/play/none/replay"),
            ask(server.port, f"{replay}.json?part=7"),
        )
        looked = browser.open(links[0])
        at = looked.wait_for("document.querySelector('.said b')?.textContent")
        watched = browser.open(again)
        watched.wait_for("document.querySelector('.said b')?.textContent === 'The deal'")
        hidden_there = watched.run(HIDDEN)
        assert [one.messages() for one in (page, looked, watched)] == [[], [], []]

    assert hidden > 0
    assert early == (404, 404)
    assert late == (200, 404, 404)
    assert hidden_there == 0
    assert "You against house:racko: 0 won, 1 lost, 0 drawn" in told
    assert 1 <= len(links) <= 3
    assert "would have been worth" in told
    assert at.startswith(links[0].rpartition("=")[2] + ". You: ")


@pytest.mark.long
def test_what_is_played_next(tmp_path: Path, browser: Browser) -> None:
    """The same cards in the next seat are those that another player had; a rematch has others. The record grows."""
    with open_play(*RACKO, *SHORT, cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"])
        page.wait_for(MY_TURN)
        first = page.run(HANDS)
        play_to_the_end(page)
        labels = page.run("[...document.querySelectorAll('.panel .choice .buttons > *')].map(one => one.textContent)")
        page.run("document.querySelector('[data-key=\"the same cards, one seat on\"]').click()")
        page.wait_for(f"document.querySelector('h1')?.textContent === 'Rack-O: game 1' && {MY_TURN}")
        seat = read_game(page)["seat"]
        second = page.run(HANDS)
        play_to_the_end(page)
        told = page.run("document.querySelector('.after').textContent")
        page.run("document.querySelector('[data-key=\"new cards\"]').click()")
        page.wait_for(f"document.querySelector('h1')?.textContent === 'Rack-O: game 2' && {MY_TURN}")
        third = page.run(HANDS)

    assert labels == ["Rematch", "The same cards in the next seat", "Watch again", "How it went"]
    assert seat == 1
    assert len({*map(tuple, (first, second, third))}) == 3
    assert sum(map(int, re.findall(r"(\d+) (?:won|lost|drawn)", told))) == 2


@pytest.mark.long
def test_a_page_that_is_loaded_after_the_game(tmp_path: Path, browser: Browser) -> None:
    """A page that is loaded again, and that of a spectator, show the same hands; a spectator has no decisions."""
    with open_play(*RACKO, *SHORT, cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"])
        page.wait_for(MY_TURN)
        play_to_the_end(page)
        page.go(server.links["You"])
        watching = open_link(browser, server.links["spectators"])
        for one in (page, watching):
            one.wait_for(IS_OVER)
            one.wait_for(f"{HIDDEN} === 0")
        costs = watching.run("document.querySelector('.after').textContent.includes('decisions')")

    assert not costs
