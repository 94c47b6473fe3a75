"""Shared by the tests of the tournament: a store's header, and what the package asks of the machine only once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss_tournament.store.header import Header
from tests.plugins import magpie_installed
from tests.tournament.stored_games import make_test_header


@pytest.fixture(scope="module", autouse=True)
def magpie_for_processes() -> Iterator[None]:
    """Let the commands and workers that these tests start find Magpie."""
    with magpie_installed():
        yield


@pytest.fixture
def header(tmp_path: Path) -> Header:
    """Return the header of a small tournament."""
    return make_test_header(tmp_path)
