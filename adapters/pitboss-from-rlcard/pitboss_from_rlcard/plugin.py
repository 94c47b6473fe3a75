"""The plugin: a game `rlcard-…` for each environment of RLCard."""

from __future__ import annotations

from collections.abc import Iterable

from rlcard.envs.registration import registry

from pitboss.foreign.engine_game import EngineGame
from pitboss.plugins.hookspec import hookimpl
from pitboss_from_rlcard.poker_engine import POKER, PokerEngine
from pitboss_from_rlcard.rlcard_engine import RLCardEngine


@hookimpl
def pitboss_games() -> Iterable[EngineGame]:
    """Return the games: chance in poker is asked for, RLCard draws it in the others."""
    for name in registry.env_specs:
        if name in POKER:
            yield EngineGame(PokerEngine(name))
        else:
            yield EngineGame(RLCardEngine(name), engine_draws=True)
