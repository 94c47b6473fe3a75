"""What "?" on a table opens: the goal of the game, what its cards do, and its rule book."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss.plugins.registry import Registry
from pitboss.rendering.presentation import find_presentation
from tests.browser.axe import find_violations
from tests.browser.chromium import Browser
from tests.browser.play_page import MY_TURN, open_link, open_play

pytestmark = pytest.mark.once

HELP = "document.querySelector('.help')"


def test_the_game_is_explained(tmp_path: Path, browser: Browser) -> None:
    """The button "?" opens the goal, the meaning of each card and the way to the rule book; Escape closes it."""
    game = Registry().find_game("ragamaru")
    with open_play("ragamaru", "--against", "house:first", "--seed", "s", cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"])
        page.wait_for(MY_TURN)
        before = page.run(f"{HELP}.hidden")
        page.run("document.querySelector('[aria-label=\"about this game\"]').click()")
        lines = page.run(f"[...{HELP}.querySelectorAll('p')].map(line => line.textContent)")
        cards = page.run(f"[...{HELP}.querySelectorAll('dd')].map(line => line.textContent)")
        violations = find_violations(page)
        page.press("Escape")
        after = page.run(f"{HELP}.hidden")
        rules = browser.open(f"{server.links['You']}/rules")
        headings = rules.run("[...document.querySelectorAll('h2')].map(one => one.textContent)")
        tables = rules.run("document.querySelectorAll('td').length")

    assert (before, after) == (True, True)
    assert lines[:3] == list(find_presentation(game).goal)
    assert len(cards) > 10
    assert violations == []
    assert len(headings) > 3
    assert tables > 20
    assert rules.messages() == []
