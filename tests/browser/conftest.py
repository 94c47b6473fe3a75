"""One browser for the tests of a worker; Magpie for the commands that they start."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.chromium import CHROMIUM, Browser, open_browser
from tests.plugins import magpie_installed


@pytest.fixture(scope="module", autouse=True)
def magpie_for_processes() -> Iterator[None]:
    """Let the commands that these tests start find Magpie."""
    with magpie_installed():
        yield


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Run a browser."""
    if CHROMIUM is None:
        pytest.skip("this machine has no chromium")
    with open_browser() as opened:
        yield opened


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """Return the running browser; its pages are closed after the test, or they would go on asking servers."""
    yield chromium
    chromium.close_pages()
