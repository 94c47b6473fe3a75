"""`python -m tests.pictures [FOLDER]` makes the pictures of README and docs: a small real tournament, in Chromium.

By default they go to `docs/static`. They are WebP: as PNG the felt of a table has twice LARGEST_BYTES. Games have fixed
seeds; thinking times, and what follows from them, differ a little.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests import ROOT
from tests.browser.chromium import CHROMIUM, WAIT_JS, Browser, Page, open_browser
from tests.browser.play_page import MY_TURN, open_play
from tests.browser.web_server import serve_stores
from tests.tournament.command_line import run_pitboss

STATIC: Final = ROOT / "docs" / "static"
LARGEST_BYTES: Final = 150_000
WIDTH, HEIGHT = 1200, 760
HOUSE_BOTS: Final = ("house:racko", "house:search?ms=1", "house:random", "house:first")
DRAWN_JS: Final = f"{WAIT_JS}.then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))"


def make_pictures(folder: Path) -> None:
    """Write all pictures into a folder."""
    with tempfile.TemporaryDirectory() as scratch, open_browser() as browser:
        stores = Path(scratch)
        play_match(stores, "friday", "racko", *HOUSE_BOTS, "--deals", "20", "--preset", "short", "--seats", "2")
        play_match(stores, "poker", "poker", *("house:poker", "house:caller", "house:random", "house:first"))
        with serve_stores(stores) as server:
            pages = {
                "tournament": ("t/friday/", ".leaders"),
                "bot": ("t/friday/bot/house%3Aracko", ".panels"),
                "report": ("t/friday/report", "#standings"),
                "replay": ("t/poker/games/0#t=12", ".seat"),
            }
            for name, (address, part) in pages.items():
                page = browser.open(f"{server.address}{address}", WIDTH, height=HEIGHT)
                take_picture(page, part, folder / f"{name}.webp")
        with open_table(browser, stores) as page:
            take_picture(page, MY_TURN, folder / "play.webp", is_condition=True)


def play_match(folder: Path, name: str, *words: str) -> None:
    """Play a short tournament into a store of this name."""
    more = (
        "--seed",
        name,
        "-s",
        f"title={name.capitalize()} night",
        "--store",
        f"{name}.pitboss",
        "-s",
        "pinned=false",
    )
    deals = () if "--deals" in words else ("--deals", "2")
    ran = run_pitboss("match", *words, *deals, *more, cwd=folder)
    assert ran.status == 0, ran.err


@contextmanager
def open_table(browser: Browser, folder: Path) -> Iterator[Page]:
    """Sit down at a table of Rummy in the browser."""
    against = (word for name in ("house:rummy", "house:random") for word in ("--against", name))
    with open_play("rummy", "--name", "Ann", "--seed", "pictures", *against, cwd=folder) as server:
        yield browser.open(server.links["Ann"], WIDTH, height=HEIGHT)


def take_picture(page: Page, part: str, file: Path, *, is_condition: bool = False) -> None:
    """Write what a page looks like when it has a part, given by its selector or as a condition."""
    page.wait_for(part if is_condition else f"document.querySelector({part!r})")
    page.run("document.documentElement.style.scrollbarWidth = 'none'")
    page.run(DRAWN_JS)
    page.take_screenshot(file, "webp")
    size = file.stat().st_size
    assert size < LARGEST_BYTES, f"{file} has {size:,} bytes; make the window smaller"


if __name__ == "__main__":
    if CHROMIUM is None:
        sys.exit("the pictures need chromium")
    make_pictures(Path(sys.argv[1]) if sys.argv[1:] else STATIC)
