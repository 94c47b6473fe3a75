"""Shared by the tests of leagues: Magpie for the processes that they start."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.plugins import METADATA, magpie_installed


@pytest.fixture(scope="module", autouse=True)
def magpie_for_leagues() -> Iterator[None]:
    """Let the commands and validators that these tests start find Magpie, and the tests themselves."""
    with magpie_installed(), pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(METADATA)
        yield
