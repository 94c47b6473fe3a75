"""Evaluation of a Fireworks state for search players: the expected points of all, a fast heuristic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss_fireworks.cards import HIGHEST
from pitboss_fireworks.state import FireworksStateBase

LIFE_WORTH: Final = 2.0  # points
TOKEN_WORTH: Final = 0.2
LOST_WORTH: Final = 0.5  # of a card that can be played no more


def evaluate_state(state: FireworksStateBase) -> Sequence[float]:
    """Return by seat the points made, and a part of what lives, tokens and the cards in hand will make.

    A card that fits counts the more, the fewer colours and numbers hints have left it.
    """
    if state.turn is None:
        return state.outcome().points
    cards, zones, heights = state.cards, state.table.zones, state.heights
    value = state.points + LIFE_WORTH * state.lives + TOKEN_WORTH * state.tokens
    for hand, possible in zip(state.hands, state.possible, strict=True):
        for card, signs in zip(zones[hand], possible, strict=True):
            if cards.numbers[card] == heights[cards.rows[card]] + 1:
                value += 1.0 / (len(signs) - 1)
    lost = sum(HIGHEST - state.find_limit(row) for row in range(len(heights)))
    return [value - LOST_WORTH * lost] * state.seats
