"""The plugin: a game `zoo-…` for each environment of PettingZoo that can be played at a table."""

from __future__ import annotations

from collections.abc import Iterable

from pettingzoo import aec_registry

from pitboss.foreign.engine_game import EngineGame
from pitboss.plugins.hookspec import hookimpl
from pitboss_from_pettingzoo.zoo_engine import ZooEngine, explain_refusal


@hookimpl
def pitboss_games() -> Iterable[EngineGame]:
    """Return the games."""
    for env_id in aec_registry:
        if not explain_refusal(env_id):
            engine = ZooEngine(env_id)
            yield EngineGame(engine, engine_draws=engine.traits.draws)
