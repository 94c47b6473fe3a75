"""Shared by all tests: the command line's own option."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--cases`. It stands here, not in `tests/rules`, because a bare `pytest` reads only this file before the command line."""
    parser.addoption(
        "--cases",
        action="append",
        default=[],
        metavar="FILE.md",
        help="run the `json case` blocks of this rule book instead of the plugins' own (repeatable); its name tells the game",
    )
