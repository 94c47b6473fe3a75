"""Sides: which seats of a game win and lose together."""

from __future__ import annotations

from typing import Any

from pitboss.game import AnyGame
from pitboss.random_play import choose_from_words, play_on
from pitboss.table.randomness import Random
from pitboss_tournament.plan.seating import Sides


def find_sides(game: AnyGame, seats: int, options: Any) -> Sides | None:  # noqa: ANN401 - the game's own
    """Return the sides of a game, found by one random game; None if every seat plays for itself, or the game fails."""
    if seats < 3:
        return None
    try:
        state = game.deal(seats, options, Random("sides"))
        state.table.stop_logging()
        play_on(state, choose_from_words("sides"))
        sides = state.outcome().sides if state.turn is None else ()
    except Exception:  # noqa: BLE001 - a plugin's code; the tournament will report its error
        return None
    return sides if 0 < len(sides) < seats else None
