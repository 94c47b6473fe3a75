"""High card, a game whose rules are a program: built from `high_card.rs` or `high_card.cpp`, or `high_card.mjs`."""

from __future__ import annotations

from pathlib import Path

from pitboss.foreign.engine_game import EngineGame
from pitboss.plugins.hookspec import hookimpl
from pitboss_engines.process_engine import ProcessEngine


@hookimpl
def pitboss_games() -> list[EngineGame]:
    """Return the game."""
    return [EngineGame(ProcessEngine(["./high_card"], folder=Path(__file__).parent))]
