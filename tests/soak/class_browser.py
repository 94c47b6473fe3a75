"""The browser of a class: the ladder is open in it all the time, and one owner uploads a bot through the form."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from tests.browser.chromium import CHROMIUM, Browser, Page, open_browser

GAMES_JS: Final = """
    +([...document.querySelectorAll('.facts div')].find(one => one.textContent.includes('games'))?.textContent ?? '')
        .replace(/[^0-9]/g, '')
"""
MAIN_JS: Final = "document.getElementById('main').textContent"
LOOK_AGAIN_S: Final = 0.1


class ClassBrowser:
    """A window with the ladder, and one of an owner."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._address = address
        self.ladder = browser.open(address)
        self.ladder.call("Emulation.setFocusEmulationEnabled", enabled=True)  # hidden pages are not told of news
        self.ladder.run("window.isSame = true")

    def read_games(self) -> int:
        """Return how many games the ladder shows."""
        return int(self.ladder.run(GAMES_JS))

    def shows_more(self, before: int, seconds: float) -> bool:
        """Wait until the ladder shows more games; return whether it does, without a reload."""
        return wait_for_page(self.ladder, f"{GAMES_JS} > {before}", seconds) and self.is_same

    @property
    def is_same(self) -> bool:
        """Whether the ladder has never been loaded again."""
        return self.ladder.run("window.isSame === true") is True

    def log_in(self, token: str) -> Page:
        """Log in as a person would; return the page."""
        page = self._browser.open(f"{self._address}/login")
        page.run(f"document.querySelector('[name=token]').value = {json.dumps(token)}")
        page.run("document.querySelector('main form').requestSubmit()")
        page.wait_for("location.pathname === '/me'")
        return page

    def upload(self, page: Page, name: str, archive: Path) -> int:
        """Submit an archive through the form, logged in; return the number of the submission."""
        page.go(f"{self._address}/submit")
        root = page.call("DOM.getDocument")["root"]["nodeId"]
        field = page.call("DOM.querySelector", nodeId=root, selector="[name=archive]")["nodeId"]
        page.call("DOM.setFileInputFiles", files=[str(archive)], nodeId=field)
        page.run(f"document.querySelector('[name=bot]').value = {json.dumps(name)}")
        page.run("document.getElementById('upload').requestSubmit()")
        page.wait_for("location.pathname.startsWith('/versions/')")
        return int(page.run("location.pathname.split('/')[2]"))

    def read_page(self, page: Page, path: str) -> str:
        """Return the text of a page."""
        page.go(f"{self._address}{path}")
        return str(page.run(MAIN_JS))


def wait_for_page(page: Page, condition: str, seconds: float) -> bool:
    """Wait until a condition is true on a page; return whether it is."""
    until = monotonic() + seconds
    while not (is_so := page.run(condition)) and monotonic() < until:
        sleep(LOOK_AGAIN_S)
    return bool(is_so)


@contextmanager
def open_class_browser(address: str) -> Iterator[ClassBrowser | None]:
    """Context manager: the browser with the ladder; None where there is no Chromium."""
    if CHROMIUM is None:
        yield None
        return
    with open_browser() as browser:
        yield ClassBrowser(browser, address)
