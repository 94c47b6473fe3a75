"""The pages of a league on a narrow phone: none scrolls sideways, whoever is logged in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.browser.chromium import Browser, Page
from tests.browser.test_league_browser import BOTS, log_in
from tests.league.league_process import LeagueProcess, run_league
from tests.league.played_leagues import PlayedLeague, make_played_league

pytestmark = pytest.mark.once

WIDTHS: Final = (320, 360, 381)
FIRST: Final = ("/", "/login", "/me", "/versions/1", "/versions/1/why", "/nothing")
NO_PAGES: Final = re.compile(r"/(api|static)/|/records\b|/bundle\.|\.(zip|json|jsonl|txt|toml)$")
MAX_PAGES: Final = 80
LINKS: Final = "[...document.querySelectorAll('a[href]')].map((one) => one.href)"
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


def name_kind(address: str) -> str:
    """Return what pages of one kind have in common: an address without numbers and names."""
    parts = urlsplit(address)
    path = re.sub(r"^(/bots/).*", r"\1*", re.sub(r"\d+", "0", parts.path))
    return f"{path}?{'&'.join(sorted(key for key, _ in parse_qsl(parts.query)))}"


def find_wide_pages(page: Page, league: LeagueProcess, width: int) -> tuple[set[str], dict[str, object]]:
    """Visit a page of each kind to which links lead; return the kinds, and those pages that are wider than a window,
    each with the elements that stand out.

    The width is that of the window as it was asked for: Chromium widens the window of a phone to a page that is wider.
    """
    waiting = {name_kind(path): f"{league.url}{path}" for path in FIRST}
    seen, wide = set[str](), dict[str, object]()
    while unseen := [kind for kind in waiting if kind not in seen]:
        seen.add(unseen[0])
        page.go(waiting[unseen[0]])
        if page.run("document.documentElement.scrollWidth") > width:
            wide[waiting[unseen[0]]] = page.run(TOO_WIDE)
        for address in page.run(LINKS):
            if address.startswith(f"{league.url}/") and not NO_PAGES.search(urlsplit(address).path):
                waiting.setdefault(name_kind(address), address)
        assert len(waiting) < MAX_PAGES, waiting
    return seen, wide


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_scrolls_sideways(browser: Browser, league: LeagueProcess, width: int) -> None:
    """Pages are as wide as a narrow phone; wide tables scroll in boxes of their own."""
    seen, wide = find_wide_pages(browser.open(league.url, width), league, width)

    assert wide == {}
    assert seen >= {"/?", "/bots/*?", "/games?", "/games/0?", "/queue?", "/rules?", "/submit?", "/retired?", "/login?"}


@pytest.mark.parametrize("who", ["ada", "teacher"])
def test_no_page_of_somebody_logged_in_scrolls_sideways(
    browser: Browser, league: LeagueProcess, played: PlayedLeague, who: str
) -> None:
    """The pages that only an owner or a host sees are no wider than the others."""
    log_in(browser, league, played.tokens[who])

    found = {width: find_wide_pages(browser.open(league.url, width), league, width) for width in WIDTHS}

    assert {width: wide for width, (_, wide) in found.items() if wide} == {}
    for seen, _ in found.values():
        assert seen >= {
            "/me?",
            "/me/games?",
            "/me/games?deal",
            "/me/games?bot&version",
            "/games/0/replay?",
            "/versions/0/why?",
        }
