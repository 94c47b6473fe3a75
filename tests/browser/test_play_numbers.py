"""A person at a browser chooses a number: an action of a range."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitboss_tournament.store.store import Store
from tests.browser.chromium import Browser
from tests.browser.play_page import MY_TURN, SEND, open_link, open_play, play_turn

pytestmark = pytest.mark.once


@pytest.mark.long
def test_a_number_of_a_range(tmp_path: Path, browser: Browser) -> None:
    """A raise of any size is one entry. Its number is typed or set by the slider; one that is not allowed is not
    played, nor if it is sent by another program.
    """
    words = (
        "poker",
        "--against",
        "house:caller",
        "-o",
        "hands=1",
        "--seat",
        "0",
        "--seed",
        "s",
        "--store",
        "x.pitboss",
    )
    with open_play(*words, cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"])
        page.wait_for(f"{MY_TURN} && document.querySelectorAll('.action').length === 2")
        texts = page.run("[...document.querySelectorAll('.action')].map(one => one.textContent)")
        forged = {"type": "choose", "question": 1, "action": 1, "number": 199}
        status = page.run(SEND % json.dumps(json.dumps(forged)))
        sizes = page.run("[...document.querySelectorAll('.size')].map(one => `${one.textContent} ${one.title}`)")
        page.run("document.querySelectorAll('.action')[1].click()")
        page.run("document.querySelector('[data-key=number]').value = 199; document.querySelector('.confirm').click()")
        still_asked = page.run(f"!!{MY_TURN}")
        page.run(
            "(slider => { slider.value = 700; slider.dispatchEvent(new Event('input')); })"
            "(document.querySelector('[data-key=\"slider\"]'))"
        )
        shown = page.run("document.querySelector('[data-key=number]').value")
        told = page.run("document.querySelector('.confirm').textContent")
        page.run("document.querySelector('.confirm').click()")
        while play_turn(page):
            pass
        server.stop()

    [(_, record)] = Store(tmp_path / "x.pitboss").records()
    own = [decision.action for decision in record.decisions if decision.seat == 0]
    assert status["question"]["number"] == 1
    assert texts == ["check", "raise to 200–10,000"]
    assert sizes == ["min 200", "pot 300", "all in 10,000"]
    assert (still_asked, shown, told) == (True, "700", "raise to 700")
    assert own[0] == {"do": "raise", "to": 700}
