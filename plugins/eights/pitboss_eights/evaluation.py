"""Evaluation of a state of Crazy Eights for search players: the totals, and what the hands will be worth."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final

from pitboss.plugins.packs import rank_of
from pitboss_eights.state import EIGHT, EightsStateBase, count_card

CARD_WEIGHT: Final = 0.7  # a card more makes a win so much less likely, as a power of e
EIGHT_CARDS: Final = -0.3  # an eight counts as so many cards: it always fits


def evaluate_state(state: EightsStateBase) -> Sequence[float]:
    """Return by seat the expected total after this deal; where the fewest points win it is negated."""
    totals = [float(total) for total in state.totals]
    is_penalty = state.options.scoring == "penalty"
    if state.turn is not None:
        held = [state.faces(hand) for hand in state.hands]
        counts = [sum(EIGHT_CARDS if rank_of(face) == EIGHT else 1.0 for face in faces) for faces in held]
        points = [sum(count_card(face, state.options) for face in faces) for faces in held]
        weights = [exp(-CARD_WEIGHT * (count - min(counts))) for count in counts]
        everything = sum(points)
        for seat, (weight, own) in enumerate(zip(weights, points, strict=True)):
            chance = weight / sum(weights)
            totals[seat] += (1 - chance) * own if is_penalty else chance * (everything - own)
    return [-total for total in totals] if is_penalty else totals
