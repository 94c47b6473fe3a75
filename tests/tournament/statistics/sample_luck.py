"""Luck of a seat by feature, for tests that need only one of the features."""

from __future__ import annotations

from typing import Final

from pitboss.records.luck_features import FEATURES

NOTHING: Final = [0.0] * len(FEATURES)


def value_luck(points: float) -> list[float]:
    """Return luck in the value of the position, and in no other feature."""
    return [points, *NOTHING[1:]]
