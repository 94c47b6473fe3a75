"""Each kind of page in axe-core, light and dark: no serious violation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.browser.axe import find_violations, set_scheme
from tests.browser.chromium import Browser
from tests.browser.play_page import IS_OVER, MY_TURN, PLAY_FIRST, open_link, open_play
from tests.browser.web_server import WebServer, serve_stores
from tests.marks import first_rows
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

FORMATS: Final = {"one": (), "cup": ("--format", "knockout")}
PAGES: Final = {
    "": ".tournaments .best",
    "t/one/": ".leaders",
    "t/cup/": ".bracket",
    "t/one/bot/house%3Arandom": ".panels",
    "t/one/report": "#standings",
    "t/one/games/0": ".seat",
}
VIEWS: Final = ((1400, "light"), (1400, "dark"), (400, "dark"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    """Serve two short tournaments."""
    folder = tmp_path_factory.mktemp("stores")
    for name, words in FORMATS.items():
        store = ("--store", f"{name}.pitboss", "-s", "pinned=false", "--sandbox", "none", "--seed", "s", "--deals", "5")
        ran = run_pitboss("match", "magpie", "house:random", "house:first", *store, *words, cwd=folder)
        assert ran.status == 0, ran.err
    with serve_stores(folder) as opened:
        yield opened


@first_rows(1)("address", PAGES)
def test_pages_of_a_server(browser: Browser, server: WebServer, address: str) -> None:
    """List, tournament, bracket, bot, report and replay have no serious violation, wide and narrow, light and dark."""
    found = {}
    for width, scheme in VIEWS:
        page = browser.open(f"{server.address}{address}", width)
        set_scheme(page, scheme)
        page.wait_for(f"document.querySelector({PAGES[address]!r})")
        found[width, scheme] = find_violations(page)

    assert not any(found.values()), found


@pytest.mark.long
@pytest.mark.parametrize("game", ["racko", pytest.param("hearts", marks=pytest.mark.long)])
def test_a_game_that_is_played(tmp_path: Path, browser: Browser, game: str) -> None:
    """The page of play has no serious violation at the first choice, with all actions listed, and at the end."""
    options = {"racko": ("-o", "max_rounds=1", "-o", "max_turns=2"), "hearts": ("--preset", "single")}[game]
    against = [word for _ in range(3) for word in ("--against", "house:first")]
    found = {}
    with open_play(game, *against, *options, "--seed", "s", "--seat", "0", cwd=tmp_path) as server:
        page = open_link(browser, server.links["You"])
        page.wait_for(MY_TURN)
        for scheme in ("light", "dark"):
            set_scheme(page, scheme)
            found["asked", scheme] = find_violations(page)
        page.run("document.querySelector('[data-key=list]').click()")
        found["listed", "dark"] = find_violations(page)
        while not page.run(IS_OVER):
            page.run(PLAY_FIRST)
        found["over", "dark"] = find_violations(page)

    assert not any(found.values()), found
