"""Shared by the tests of the tournament: a store's header, and what the package asks of the machine only once."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss_tournament.processes.cgroups import find_group_parents
from pitboss_tournament.processes.sandbox import probe_bubblewrap
from pitboss_tournament.processes.visible_paths import find_visible_paths
from pitboss_tournament.store.header import Header
from tests.conftest import started_processes
from tests.plugins import magpie_installed
from tests.tournament.stored_games import make_test_header


@pytest.fixture(scope="session", autouse=True)
def cached_probes() -> None:
    """Start the processes that are started once and remembered, so that no test is charged with them."""
    platform.platform()
    probe_bubblewrap()
    find_group_parents()
    find_visible_paths([sys.executable], None)
    started_processes.clear()


@pytest.fixture(scope="module", autouse=True)
def magpie_for_processes() -> Iterator[None]:
    """Let the commands and workers that these tests start find Magpie."""
    with magpie_installed():
        yield


@pytest.fixture
def header(tmp_path: Path) -> Header:
    """Return the header of a small tournament."""
    return make_test_header(tmp_path)
