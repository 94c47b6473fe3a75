"""The plugin: a game `spiel-…` for each game of OpenSpiel that can be played at a table."""

from __future__ import annotations

from collections.abc import Iterable

import pyspiel

from pitboss.foreign.engine_game import EngineGame
from pitboss.plugins.hookspec import hookimpl
from pitboss_from_openspiel.spiel_engine import SpielEngine, explain_refusal


@hookimpl
def pitboss_games() -> Iterable[EngineGame]:
    """Return the games."""
    for kind in pyspiel.registered_games():
        if not explain_refusal(kind):
            engine = SpielEngine(kind)
            yield EngineGame(engine, engine_draws=engine.draws)
