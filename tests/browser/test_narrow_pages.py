"""The pages of a league on a narrow phone: none scrolls sideways, whoever is logged in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from tests.browser.chromium import Browser, Page
from tests.browser.test_league_browser import BOTS, log_in
from tests.league.league_process import LeagueProcess, run_league
from tests.league.played_leagues import PlayedLeague, make_played_league

pytestmark = pytest.mark.once

WIDTHS: Final = (320, 360, 381)
PUBLIC: Final = ("", "bots/fox", "versions/1", "retired", "games", "games/0", "queue", "rules", "submit", "nothing")
OWN: Final = ("me", "me/games", "versions/1/why", "versions/2", "games/0/replay")
TOO_WIDE: Final = """
[...document.querySelectorAll("body *")].filter(
  (one) => one.getBoundingClientRect().right > document.documentElement.clientWidth && !one.closest(".scroll"),
).map((one) => `${one.tagName}: ${one.textContent.slice(0, 40)}`).slice(0, 5)
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedLeague:
    """Return a league with hostile and long names, in which games were played and forfeited."""
    return make_played_league(tmp_path_factory.mktemp("narrow") / "course", BOTS, 15, forfeits=True)


@pytest.fixture(scope="module")
def league(played: PlayedLeague) -> Iterator[LeagueProcess]:
    """Run it."""
    with run_league(played.folder, "--no-play") as running:
        yield running


def find_wide_pages(page: Page, league: LeagueProcess, paths: tuple[str, ...], width: int) -> dict[str, object]:
    """Return the pages that are wider than a window, each with the elements that stand out.

    The width is that of the window as it was asked for: Chromium widens the window of a phone to a page that is wider.
    """
    found: dict[str, object] = {}
    for path in paths:
        page.go(f"{league.url}/{path}")
        if page.run("document.documentElement.scrollWidth") > width:
            found[path] = page.run(TOO_WIDE)
    return found


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_scrolls_sideways(browser: Browser, league: LeagueProcess, width: int) -> None:
    """Pages are as wide as a narrow phone; wide tables scroll in boxes of their own."""
    assert find_wide_pages(browser.open(league.url, width), league, (*PUBLIC, "login"), width) == {}


@pytest.mark.parametrize("who", ["ada", "teacher"])
def test_no_page_of_somebody_logged_in_scrolls_sideways(
    browser: Browser, league: LeagueProcess, played: PlayedLeague, who: str
) -> None:
    """The pages that only an owner or a host sees are no wider than the others."""
    log_in(browser, league, played.tokens[who])

    found = {
        width: wide
        for width in WIDTHS
        if (wide := find_wide_pages(browser.open(league.url, width), league, (*PUBLIC, *OWN), width))
    }

    assert found == {}
