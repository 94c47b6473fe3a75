"""One browser for the tests of a worker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.chromium import CHROMIUM, Browser, open_browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return a running browser."""
    if CHROMIUM is None:
        pytest.skip("this machine has no chromium")
    with open_browser() as opened:
        yield opened
