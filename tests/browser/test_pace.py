"""The pace of a table on a page: tricks stay, moves of others are followed or skipped, nothing moves in the dock."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.browser.chromium import Browser
from tests.browser.play_page import AT_ONCE, MY_TURN, open_link, open_play, play_first

pytestmark = pytest.mark.once

HEARTS: Final = ("hearts", *("--against", "house:first") * 3, "--seat", "0", "--seed", "s", "--preset", "single")
TRICK_MS: Final = 700
WATCH_TRICKS: Final = """(() => {
    window.tricks = [];
    window.flights = 0;
    new MutationObserver(() => {
        window.flights += document.querySelectorAll('.flying').length;
        const taker = document.querySelector('.takes .name')?.textContent;
        const last = window.tricks.at(-1);
        if (taker && (!last || last.until)) {
            const trick = document.querySelectorAll('.zone[data-name=trick] .card').length;
            window.tricks.push({taker, trick, from: performance.now()});
        } else if (!taker && last && !last.until) last.until = performance.now();
    }).observe(document.querySelector('.table'), {subtree: true, attributes: true, childList: true});
})()"""
WATCH_DOCK: Final = """(() => {
    window.boxes = new Set();
    const box = one => { const {x, y, width, height} = one.getBoundingClientRect(); return [x, y, width, height]; };
    const note = () => window.boxes.add(JSON.stringify(
        [document.querySelector('.panel'), ...document.querySelectorAll('.panel .tools button')].map(box)));
    note();
    new MutationObserver(note).observe(document.querySelector('.panel'), {subtree: true, childList: true});
})()"""
COUNT_TONES: Final = """window.tones = 0;
const start = AudioScheduledSourceNode.prototype.start;
AudioScheduledSourceNode.prototype.start = function(...when) { window.tones += 1; start.apply(this, when); };"""


@pytest.mark.parametrize("has_motion", [True, pytest.param(False, marks=pytest.mark.long)])
def test_a_trick_stays_until_it_has_been_seen(tmp_path: Path, browser: Browser, has_motion: bool) -> None:
    """A complete trick lies there for a while, and one plate glows: that of who takes it. Without motion it stays too,
    and no card flies.
    """
    with open_play(*HEARTS, cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"], has_motion=has_motion, pace=None)
        page.wait_for(MY_TURN)
        page.run(WATCH_TRICKS)
        for _ in range(3):
            play_first(page)
        page.wait_for("window.tricks.some(one => one.until)")
        page.wait_for(MY_TURN)
        tricks = [one for one in page.run("window.tricks") if "until" in one]
        taken = page.run("document.querySelectorAll('.zone[data-name^=taken] .card').length")
        flights = page.run("window.flights")

    assert min(one["until"] - one["from"] for one in tricks) > TRICK_MS - 20  # less what timers round off
    assert all(one["trick"] == 4 for one in tricks)
    assert taken > 0
    assert (flights > 0) == has_motion


def test_nothing_moves_in_the_dock(tmp_path: Path, browser: Browser) -> None:
    """Before, at and after one's turn the dock has the same box, and each of its tools the same place."""
    with open_play(*HEARTS, cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"], pace="fast")
        page.run(WATCH_DOCK)
        for _ in range(3):
            play_first(page)
        page.wait_for(MY_TURN)
        page.run("document.querySelector('.near .card .touch').click()")
        boxes = page.run("[...window.boxes]")
        states = page.run("document.querySelectorAll('.panel .tools button').length")

    assert states == 3
    assert len(boxes) == 1


@pytest.mark.long
def test_what_happened_is_skipped_and_read_again(tmp_path: Path, browser: Browser) -> None:
    """A click on Skip shows the table as it is. A line tells what the others did; a click shows it again. The pace is
    kept.
    """
    line = "document.querySelector('.panel .story p').textContent"
    with open_play(*HEARTS, cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"], has_motion=True, pace=None)
        page.wait_for(MY_TURN)
        page.run("""(select => { select.value = 'slow'; select.dispatchEvent(new Event('change')); })(
            document.querySelector('.pace select'))""")
        for _ in range(2):
            play_first(page)
            page.wait_for("document.querySelector('.panel .skip')?.textContent === 'Skip'")
            page.run("document.querySelector('.panel .skip').click()")
        page.wait_for(MY_TURN)
        told = page.run(line)
        page.run("document.querySelector('[data-key=again]').click()")
        page.wait_for("document.querySelector('.panel .skip')?.textContent === 'Skip'")
        page.press("Escape")
        page.wait_for(MY_TURN)
        again = page.run(line)
        page.go(server.links["You"])
        pace = page.wait_for("document.querySelector('.pace select')?.value")

    assert told == again
    assert told.startswith("Since your last turn: ")
    assert "play " in told
    assert pace == "slow"


@pytest.mark.long
def test_sounds(tmp_path: Path, browser: Browser) -> None:
    """A page that nobody has clicked is silent; then one's turn sounds, until the page is muted, which is kept."""
    with open_play(*HEARTS, cwd=tmp_path) as server:
        page = browser.open("about:blank")
        page.prepare(f"{AT_ONCE}; {COUNT_TONES}")
        page.go(server.links["You"])
        tones = []
        for _ in range(2):
            play_first(page)
            page.wait_for(MY_TURN)
        tones.append(page.run("window.tones"))
        page.click_at(700, 20)
        play_first(page)
        page.wait_for(MY_TURN)
        tones.append(page.run("window.tones"))
        page.run("document.querySelector('.sound').click()")
        play_first(page)
        page.wait_for(MY_TURN)
        tones.append(page.run("window.tones"))
        page.go(server.links["You"])
        is_muted = page.wait_for("document.querySelector('.sound')?.matches('.muted')")

    assert tones[0] == 0
    assert tones[1] > 0
    assert tones[2] == tones[1]
    assert is_muted
