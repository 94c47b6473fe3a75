"""Estimates in games of tricks, for `evaluate`: who takes the tricks to come, and how likely a bid is kept."""

from __future__ import annotations

from collections.abc import Sequence
from math import erf, sqrt
from typing import Any

from pitboss.parts.tricks import TrickState
from pitboss.table.zones import Zone


def share_tricks(state: TrickState[Any, Any], worths: Sequence[float], hands: Sequence[Zone], left: int) -> list[float]:
    """Return by seat how many of the tricks that are left it is likely to take: as many as its cards are worth.

    `worths` has a number for each card of the deck: the part of the tricks that a hand takes is its part of the sum.
    """
    zones = state.table.zones
    strengths = [sum([worths[card] for card in zones[hand]]) for hand in hands]
    whole = sum(strengths) or 1.0
    return [left * strength / whole for strength in strengths]


def chance_of_at_least(tricks: float, mean: float, left: int, spread: float) -> float:
    """Return the probability of at least `tricks` tricks, where `mean` are expected and `left` are still to be played.

    They are taken as normal: `spread` is their standard deviation if one trick is left, and grows as its root.
    """
    deviation = spread * sqrt(left) + 0.01
    return (1 + erf((mean - tricks + 0.5) / deviation / sqrt(2))) / 2
