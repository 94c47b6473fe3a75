"""Every installed game of Pitboss as a game of OpenSpiel: importing this registers them as `pitboss_NAME`."""

from __future__ import annotations

from pitboss.plugins.registry import Registry
from pitboss_openspiel.spiel_game import register_game

GAMES = tuple(register_game(game) for game in Registry().games.values())

__all__ = ["GAMES", "register_game"]
