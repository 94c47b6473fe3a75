"""Shared by all tests: the command line's own option."""

from __future__ import annotations

import signal
from importlib.metadata import entry_points

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


def pytest_sessionstart() -> None:
    """Refuse an installation from before the built-in formats became a plugin: its entry point is missing."""
    if not entry_points(group="pitboss", name="formats"):
        raise pytest.UsageError(
            "Pitboss is installed without its formats: pip install --no-deps --no-build-isolation -e ."
        )


def pytest_configure() -> None:
    """Make Ctrl-C and the end of a terminal what they are by default: in the background of a shell, or under nohup, they are ignored, and all that the tests start would inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
